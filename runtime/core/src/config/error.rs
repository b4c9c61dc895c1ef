//! The mistakes of a configuration.

use std::fmt;

/// Why a configuration is refused: every mistake at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    mistakes: Vec<String>,
}

impl ConfigError {
    pub(super) fn new(mistakes: Vec<String>) -> Self {
        Self { mistakes }
    }

    pub(super) fn io(error: std::io::Error) -> Self {
        Self::new(vec![format!("formwork.yaml cannot be read: {error}")])
    }

    /// The mistakes, a sentence each.
    pub fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mistakes.join("\n"))
    }
}

impl std::error::Error for ConfigError {}
