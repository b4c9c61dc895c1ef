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

/// `log.format`; without it text on a terminal, one JSON object a line elsewhere.
fn format(config: &LogConfig, terminal: bool) -> LogFormat {
    let usual = match terminal {
        true => LogFormat::Text,
        false => LogFormat::Json,
    };
    config.format.unwrap_or(usual)
}

/// Begins to log to standard error; does nothing where the program logs already.
pub(crate) fn start(config: &LogConfig) {
    let terminal = std::io::stderr().is_terminal();
    let registry = tracing_subscriber::registry().with(filter(&config.level));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let started = match format(config, terminal) {
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

    #[test]
    fn a_terminal_shows_text_and_a_file_holds_json_unless_the_format_is_named() {
        let log = |format| LogConfig {
            level: "info".to_owned(),
            format,
        };
        for (named, on_a_terminal, elsewhere) in [
            (None, LogFormat::Text, LogFormat::Json),
            (Some(LogFormat::Text), LogFormat::Text, LogFormat::Text),
            (Some(LogFormat::Json), LogFormat::Json, LogFormat::Json),
        ] {
            assert_eq!(format(&log(named), true), on_a_terminal);
            assert_eq!(format(&log(named), false), elsewhere);
        }
    }
}
