//! `formwork.yaml`, checked, and the settings that the generator uses.

use std::collections::BTreeSet;

use formwork_vocabulary::config::{self, ConfigKey, ConfigKind, DATABASES};

use crate::diagnostic::Code;
use crate::manifest::yaml::SyntaxErrorKind;
use crate::manifest::{Node, Value, yaml};
use crate::name;
use crate::project::Database;

use super::file::syntax;
use super::outputs::{self, OutputDraft};
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
pub fn read(bytes: Option<&[u8]>, report: &mut Report<'_>) -> Config {
    let mut config = Config {
        databases: BTreeSet::from([Database::Sqlite]),
        api_prefix: default_prefix(),
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
        Some(Ok(node)) => config.section(&node, "", report),
    }
    config
}

fn default_prefix() -> String {
    let prefix = config::find("api.prefix").and_then(|key| key.default);
    prefix.unwrap_or_default().to_owned()
}

impl Config {
    fn section(&mut self, node: &Node, name: &str, report: &mut Report<'_>) {
        let names: Vec<&str> = config::members(name).map(|(name, _)| name).collect();
        let label = if name.is_empty() {
            "`formwork.yaml`".to_owned()
        } else {
            format!("`{name}`")
        };
        let Some(fields) = report.fields(node, &label, &names) else {
            return;
        };
        for (name, key) in config::members(name) {
            if let Some(node) = fields.get(name) {
                self.value(node, key, report);
            }
        }
    }

    fn value(&mut self, node: &Node, key: &ConfigKey, report: &mut Report<'_>) {
        let path = key.name;
        match (key.kind, &node.value) {
            (ConfigKind::Section, _) | (ConfigKind::Database, Value::Mapping(..)) => {
                self.section(node, path, report);
                return;
            }
            (ConfigKind::Database | ConfigKind::Kinds, _) => {
                self.databases(node, path, report);
                return;
            }
            (ConfigKind::Own, _) => return,
            (ConfigKind::Outputs, _) => {
                self.outputs = outputs::read(node, report);
                return;
            }
            _ => {}
        }
        check(node, &format!("`{path}`"), key.kind, report);
        match path {
            "api.prefix" => self.api_prefix = node.as_text().unwrap_or_default().to_owned(),
            "database.table_prefix" => {
                self.table_prefix = node.as_text().unwrap_or_default().to_owned();
            }
            "database.search_path" => {
                self.search_path = node.as_text().map(str::to_owned);
            }
            "auth.customers" => {
                self.customers = node.as_text().map(|text| Word {
                    text: text.to_owned(),
                    span: node.span,
                });
            }
            _ => {}
        }
    }

    fn databases(&mut self, node: &Node, path: &str, report: &mut Report<'_>) {
        let label = format!("`{path}`");
        let single = std::slice::from_ref(node);
        let items = if node.as_text().is_some() {
            single
        } else {
            report.list(node, &label).unwrap_or_default()
        };
        let named = items.iter().filter_map(|item| {
            let index = report.one_of(item, &label, DATABASES)?;
            Some(KINDS[index])
        });
        let named: BTreeSet<Database> = named.collect();
        if !named.is_empty() {
            self.databases = named;
        }
        if items.is_empty() && matches!(node.value, Value::Sequence(..)) {
            report
                .error(Code::Missing, node.span, "a project needs a database")
                .help("write `database: [sqlite]`");
        }
    }
}

fn check(node: &Node, label: &str, kind: ConfigKind, report: &mut Report<'_>) {
    match kind {
        ConfigKind::Integer(least) => {
            report.integer(node, label, i64::from(least), i64::MAX);
        }
        ConfigKind::Boolean => {
            report.boolean(node, label);
        }
        ConfigKind::Word(words) => {
            report.one_of(node, label, words);
        }
        ConfigKind::List => {
            report.words(node, label);
        }
        _ => text(node, label, kind, report),
    }
}

fn text(node: &Node, label: &str, kind: ConfigKind, report: &mut Report<'_>) {
    let Some(text) = report.text(node, label) else {
        return;
    };
    let (fits, wanted) = match kind {
        ConfigKind::Path => (is_path(text), "a path such as `/api`"),
        ConfigKind::Url => (
            config::is_base_url(text),
            "an address such as `https://example.com`",
        ),
        ConfigKind::Table => (name::is_column(text), "a table's name"),
        ConfigKind::Header => (is_header(text), "a header's name"),
        ConfigKind::Duration => (
            config::duration(text).is_some(),
            "seconds, or `30s`, `5m`, `12h`, `30d`",
        ),
        ConfigKind::Size => (config::size(text).is_some(), "bytes, or `512KiB`, `1MiB`"),
        _ => (true, ""),
    };
    if !fits {
        report.wrong_type(node, label, wanted);
    }
}

fn is_path(text: &str) -> bool {
    let parts = text.strip_prefix('/').map(|rest| rest.split('/'));
    parts.is_some_and(|mut parts| {
        parts.all(|part| {
            !part.is_empty()
                && part
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        })
    })
}

fn is_header(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Config, Vec<String>) {
        let mut report = Report::new("formwork.yaml");
        let config = read(Some(text.as_bytes()), &mut report);
        (
            config,
            report
                .found
                .into_iter()
                .map(|found| found.message)
                .collect(),
        )
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
