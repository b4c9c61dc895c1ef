//! Where a configuration comes from.

use std::path::{Path, PathBuf};

use formwork_data::database;

use super::{AppSettings, Config, ConfigError, read, source};

impl Config {
    /// The file a service reads, relative to where it is started.
    pub const FILE: &'static str = "formwork.yaml";

    /// Reads `formwork.yaml` of the current folder or the nearest one above it, then the environment.
    ///
    /// Without a file every key has its default.
    ///
    /// # Errors
    ///
    /// All mistakes at once: unknown keys (with "did you mean"), values of the wrong kind.
    pub fn load() -> Result<Self, ConfigError> {
        Self::load_with(|_| Vec::new())
    }

    /// As [`Config::load`], where the section `app` is checked too: `check` returns its mistakes,
    /// which are reported with all others.
    ///
    /// # Errors
    ///
    /// As [`Config::load`], and the mistakes of `app`.
    pub fn load_with(check: impl FnOnce(&AppSettings) -> Vec<String>) -> Result<Self, ConfigError> {
        let folder = std::env::current_dir().map_err(ConfigError::io)?;
        let file = folder
            .ancestors()
            .map(|above| above.join(Self::FILE))
            .find(|file| file.is_file());
        let text = match &file {
            Some(file) => std::fs::read_to_string(file).map_err(ConfigError::io)?,
            None => String::new(),
        };
        let root = file
            .as_deref()
            .and_then(Path::parent)
            .map_or(folder, PathBuf::from);
        let variables = source::environment(std::env::vars_os()).map_err(ConfigError::new)?;
        let mut config = Self::made(&text, variables, check)?;
        // Beside `formwork.yaml`, wherever the service is started.
        config.database.url = database::rooted(&config.database.url, &root);
        Ok(config)
    }

    /// Reads a configuration from the text of a `formwork.yaml` and from variables, which win.
    ///
    /// # Errors
    ///
    /// As [`Config::load`].
    pub fn from_sources(
        yaml: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        Self::made(yaml, variables, |_| Vec::new())
    }

    fn made(
        yaml: &str,
        variables: impl IntoIterator<Item = (String, String)>,
        check: impl FnOnce(&AppSettings) -> Vec<String>,
    ) -> Result<Self, ConfigError> {
        let gathered = source::gather(yaml, variables)?;
        let mut mistakes = gathered.mistakes;
        let config = read::read(gathered.settings, &mut mistakes);
        mistakes.extend(check(&gathered.app));
        if !mistakes.is_empty() {
            return Err(ConfigError::new(mistakes));
        }
        let app = gathered.app;
        Ok(Self { app, ..config })
    }
}

impl Default for Config {
    /// Every key's default; the database is `sqlite://data/app.sqlite`.
    fn default() -> Self {
        read::defaults()
    }
}
