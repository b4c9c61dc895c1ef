//! Log lines: text for people, JSON for machines.

mod json;

use std::io::IsTerminal;

use formwork_core::config::{LogConfig, LogFormat};
use tracing_subscriber::{filter::Targets, layer::SubscriberExt, util::SubscriberInitExt};

use json::JsonLines;

/// The filter of `log.level`: a level, or levels by module (`info,sqlx=warn`).
fn filter(level: &str) -> Option<Targets> {
    level.parse().ok()
}

/// Begins to log to standard error; does nothing where the program logs already.
///
/// Without `log.format`: text on a terminal, one JSON object a line elsewhere.
pub(crate) fn start(config: &LogConfig) {
    let terminal = std::io::stderr().is_terminal();
    let format = config.format.unwrap_or(if terminal {
        LogFormat::Text
    } else {
        LogFormat::Json
    });
    let registry = tracing_subscriber::registry().with(filter(&config.level));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let started = match format {
        LogFormat::Text => {
            let colour = terminal && std::env::var_os("NO_COLOR").is_none();
            registry
                .with(lines.with_ansi(colour).with_target(false))
                .try_init()
        }
        LogFormat::Json => {
            let lines = lines.json().event_format(JsonLines::new());
            registry.with(lines).try_init()
        }
    };
    if let Err(error) = started {
        tracing::debug!(%error, "logging was set up before");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_filters_are_understood() {
        for level in ["info", "warn", "info,sqlx=warn", "off"] {
            assert!(filter(level).is_some(), "{level}");
        }
        assert!(filter("info,=loud=").is_none());
    }
}
