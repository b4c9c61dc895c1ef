//! `formwork.yaml`, checked, and the settings that the generator uses.

use std::collections::BTreeSet;

use formwork_vocabulary::config::{self, ConfigKey, ConfigKind, DATABASES};

use crate::diagnostic::Code;
use crate::manifest::yaml::SyntaxErrorKind;
use crate::manifest::{Value, yaml};
use crate::name;
use crate::project::Database;

use super::file::syntax;
use super::outputs::{self, OutputDraft};
use super::reader::Reader;
use super::report::{Report, Word};

/// The databases that the words of [`DATABASES`] name, in their order.
const KINDS: [Database; DATABASES.len()] = [Database::Sqlite, Database::Postgres, Database::Mysql];

/// The settings that the generator uses.
#[derive(Debug)]
pub struct Config {
    /// Databases migrations are emitted for.
    pub databases: BTreeSet<Database>,
    /// Path prefix of the API.
    pub api_prefix: String,
    /// Prefix of the runtime's own tables; empty by default.
    pub table_prefix: String,
    /// The schemas in which PostgreSQL looks for tables.
    pub search_path: Option<String>,
    /// Table of customer accounts.
    pub customers: Option<Word>,
    /// Outputs that the project adds.
    pub outputs: Vec<OutputDraft>,
}

/// Reads the configuration; a project without one has the defaults.
pub fn read(bytes: Option<&[u8]>, report: Report<'_>) -> Config {
    let prefix = config::find("api.prefix").and_then(|key| key.default);
    let mut config = Config {
        databases: BTreeSet::from([Database::Sqlite]),
        api_prefix: prefix.unwrap_or_default().to_owned(),
        table_prefix: String::new(),
        search_path: None,
        customers: None,
        outputs: Vec::new(),
    };
    match bytes.map(yaml::parse) {
        None => {}
        // Only comments: every key has its default.
        Some(Err(error)) if error.kind == SyntaxErrorKind::Empty => {}
        Some(Err(error)) => syntax(&error, bytes.unwrap_or_default(), report),
        Some(Ok(node)) => config.section(&Reader::new(&node, "`formwork.yaml`", report), ""),
    }
    config
}

impl Config {
    fn section(&mut self, node: &Reader<'_>, name: &str) {
        let names: Vec<&str> = config::members(name).map(|(name, _)| name).collect();
        let Some(fields) = node.fields(&names) else {
            return;
        };
        for (name, key) in config::members(name) {
            if let Some(node) = fields.get(name) {
                self.value(&node.named(format!("`{}`", key.name)), key);
            }
        }
    }

    fn value(&mut self, node: &Reader<'_>, key: &ConfigKey) {
        match (key.kind, &node.node.value) {
            (ConfigKind::Section, _) | (ConfigKind::Database, Value::Mapping(..)) => {
                return self.section(node, key.name);
            }
            (ConfigKind::Database | ConfigKind::Kinds, _) => return self.databases(node),
            (ConfigKind::Own, _) => return,
            (ConfigKind::Outputs, _) => {
                self.outputs = outputs::read(node);
                return;
            }
            _ => check(node, key.kind),
        }
        let text = node.node.as_text().map(str::to_owned);
        match key.name {
            "api.prefix" => self.api_prefix = text.unwrap_or_default(),
            "database.table_prefix" => self.table_prefix = text.unwrap_or_default(),
            "database.search_path" => self.search_path = text,
            "auth.customers" => {
                let span = node.node.span;
                self.customers = text.map(|text| Word { text, span });
            }
            _ => {}
        }
    }

    fn databases(&mut self, node: &Reader<'_>) {
        let items = match node.node.as_text() {
            Some(_) => vec![node.clone()],
            None => node.items(),
        };
        let items = items.into_iter().map(|item| item.named(&node.label));
        let named = items.filter_map(|item| Some(KINDS[item.one_of(DATABASES)?]));
        let named: BTreeSet<Database> = named.collect();
        if !named.is_empty() {
            self.databases = named;
        }
        if node.node.is_empty_list() {
            let message = "a project needs a database";
            node.reject(Code::Missing, message, "write `database: [sqlite]`");
        }
    }
}

fn check(node: &Reader<'_>, kind: ConfigKind) {
    match kind {
        ConfigKind::Integer(least) => {
            node.integer(i64::from(least), i64::MAX);
        }
        ConfigKind::Boolean => {
            node.boolean();
        }
        ConfigKind::Word(words) => {
            node.one_of(words);
        }
        ConfigKind::List => {
            node.words();
        }
        _ => check_text(node, kind),
    }
}

fn check_text(node: &Reader<'_>, kind: ConfigKind) {
    let Some(text) = node.text() else { return };
    let is_duration = config::duration(text).is_some();
    let (fits, wanted) = match kind {
        ConfigKind::Path => (is_path(text), "a path such as `/api`"),
        ConfigKind::Url => {
            let wanted = "an address such as `https://example.com`";
            (config::is_base_url(text), wanted)
        }
        ConfigKind::Table => (name::is_column(text), "a table's name"),
        ConfigKind::Header => (is_header(text), "a header's name"),
        ConfigKind::Duration => (is_duration, "seconds, or `30s`, `5m`, `12h`, `30d`"),
        ConfigKind::Size => (config::size(text).is_some(), "bytes, or `512KiB`, `1MiB`"),
        _ => return,
    };
    if !fits {
        node.wrong_type(wanted);
    }
}

fn is_path(text: &str) -> bool {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_part = |part: &str| !part.is_empty() && part.chars().all(is_legal);
    let path = text.strip_prefix('/');
    path.is_some_and(|path| path.split('/').all(is_part))
}

fn is_header(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::report::Diagnostics;

    fn read_text(text: &str) -> (Config, Vec<String>) {
        let diagnostics = Diagnostics::default();
        let config = read(Some(text.as_bytes()), diagnostics.report("formwork.yaml"));
        let diagnostics = diagnostics.into_inner().into_iter();
        (config, diagnostics.map(|found| found.message).collect())
    }

    #[test]
    fn every_key_of_the_contracts_is_accepted() {
        let text = "
database: { kinds: [sqlite], url: 'sqlite://a.db', pool: { max: 8, min: 0, acquire_timeout: 3s, idle_timeout: 10m } }
server: { addr: '0.0.0.0:80', shutdown_timeout: 30 }
api:
  prefix: /v1/api
  base_url: https://example.com
  serializer: json_api
  title: The bistro
  version: '2.1'
  rate_limit: 0
  trusted_proxies: [10.0.0.0/8]
  body_limit: 1MiB
  request_timeout: 30s
  cors: { origins: ['*'], methods: [GET], headers: [X-A], credentials: false, max_age: 0 }
auth: { customers: customers, token_lifetime: 30d, authorization_header: HTTP_AUTHORIZATION }
admin: { path: /admin }
redis: { url: 'redis://localhost' }
log: { level: info, format: json }
";
        let (config, found) = read_text(text);
        assert_eq!(found, Vec::<String>::new());
        assert_eq!(config.api_prefix, "/v1/api");
        assert_eq!(config.customers.unwrap().text, "customers");
    }

    #[test]
    fn invalid_keys_and_values_of_the_configuration_are_refused() {
        for text in [
            "apii: {}",
            "api: { prefx: /a }",
            "api: { prefix: api }",
            "api: { prefix: /api/ }",
            "api: { rate_limit: -1 }",
            "api: { serializer: xml }",
            "api: { body_limit: 1TB }",
            "auth: { token_lifetime: 3w }",
            "database: oracle",
            "database: [postgres, oracle]",
            "database: []",
            "api: { base_url: example.com }",
            "log: { format: 3 }",
            "[]",
        ] {
            assert_eq!(read_text(text).1.len(), 1, "{text}");
        }
    }

    #[test]
    fn databases_are_one_or_several() {
        let databases = |text| read_text(text).0.databases.into_iter().collect::<Vec<_>>();
        assert_eq!(databases("api: {}"), [Database::Sqlite]);
        assert_eq!(databases("database: postgres"), [Database::Postgres]);
        assert_eq!(
            databases("database: { kinds: [mysql, sqlite] }"),
            [Database::Sqlite, Database::Mysql]
        );
    }

    #[test]
    fn a_file_of_comments_means_defaults() {
        let (config, found) = read_text("# database: sqlite\n");
        assert!(found.is_empty());
        assert_eq!(config.api_prefix, "/api");
        assert!(read_text("api:\n  # prefix: /api\n").1.is_empty());
    }
}
