//! The configuration of a service: `formwork.yaml`, then variables of the environment, which win.

pub use formwork_core::config::{
    ApiConfig, AppSettings, AuthConfig, Config, ConfigError, CorsConfig, LogConfig, LogFormat,
    Network, SerializerKind, ServerConfig,
};
