//! The `model:` of a manifest: table, key, attributes, relations, indexes.

use std::collections::BTreeSet;

use formwork_vocabulary::table;
use heck::ToPascalCase;

use crate::diagnostic::Code;
use crate::manifest::Value;
use crate::manifest::vocabulary::MODEL_KEYS;
use crate::name;
use crate::project::{ColumnType, Key, Model};
use crate::suggestion::did_you_mean;

use super::attribute;
use super::column_type::{self, written};
use super::columns;
use super::draft::ModelDraft;
use super::names::{column_word, named_table};
use super::reader::{Entry, Fields, Reader};
use super::relation;
use super::report::{Report, Word};
use super::rule_list::RuleReader;

/// Reads `model:`, or takes the defaults of a manifest without one.
pub fn read(node: Option<Reader<'_>>, key: &str) -> ModelDraft {
    let mut draft = defaults(key);
    let fields = node.and_then(|node| node.fields(MODEL_KEYS));
    let Some(fields) = fields else { return draft };
    let type_name = |key: &str| type_name(&fields.get(key)?.named("the model's name"));
    draft.name = type_name("name");
    // Only Rust code names the model: its former name is for readers.
    type_name("was");
    if let Some(node) = fields.get("table") {
        draft.table_span = Some(node.node.span);
        if let Some((table, was)) = named_table(&node) {
            draft.model.table = table.text;
            draft.model.table_was = was.map(|was| was.text);
        }
    }
    draft.model.timestamps = fields.boolean("timestamps").unwrap_or(true);
    draft.model.managed = fields.boolean("managed").unwrap_or(true);
    if let Some(node) = fields.get("key")
        && let Some((key, with)) = primary_key(&node, draft.model.managed)
    {
        draft.model.key = key;
        draft.key_with = with;
    }
    refuse_reserved(&draft, &fields);
    attributes(&mut draft, &fields);
    relations(&mut draft, &fields);
    let indexes = fields.get("indexes");
    let indexes = indexes.map_or_else(Vec::new, |list| list.items());
    let indexes = indexes.into_iter();
    let indexes = indexes.map(|item| item.named("an index").one_or_more_words());
    draft.indexes = indexes.filter(|words| !words.is_empty()).collect();
    draft
}

/// Reports a table with a reserved name, which only a model that is not managed may describe.
fn refuse_reserved(draft: &ModelDraft, fields: &Fields<'_>) {
    let table = &draft.model.table;
    if draft.model.managed && is_reserved(table) {
        let span = draft.table_span.unwrap_or(fields.span);
        let message = format!("the table `{table}` is reserved for the runtime or SQLite");
        let help = "name another table: `model: { table: … }`, or `--table` on the command line";
        fields.report.reject(Code::IllegalName, span, message, help);
    }
}

/// Checks whether the runtime or SQLite makes tables of this name.
pub fn is_reserved(table: &str) -> bool {
    table::is_runtime(table) || table.to_ascii_lowercase().starts_with("sqlite_")
}

fn defaults(key: &str) -> ModelDraft {
    let model = Model {
        table: key.to_owned(),
        table_was: None,
        key: Key {
            name: "id".to_owned(),
            was: None,
            kind: ColumnType::BigInt,
            with: Vec::new(),
        },
        timestamps: true,
        managed: true,
        attributes: Vec::new(),
        relations: Vec::new(),
        indexes: Vec::new(),
    };
    ModelDraft {
        model,
        name: None,
        key_with: Vec::new(),
        attributes: Vec::new(),
        relations: Vec::new(),
        indexes: Vec::new(),
        table_span: None,
        unread: BTreeSet::new(),
    }
}

fn type_name(node: &Reader<'_>) -> Option<String> {
    let text = node.text()?;
    if name::is_type(text) {
        return Some(text.to_owned());
    }
    let message = format!("`{text}` cannot name a type: it is not PascalCase");
    let mut error = node.error(Code::IllegalName, message);
    let better = text.to_pascal_case();
    if name::is_type(&better) {
        error.help(format!("write `{better}`"));
    }
    None
}

/// Reads the key, and the columns that identify a row together with it.
fn primary_key(node: &Reader<'_>, managed: bool) -> Option<(Key, Vec<Word>)> {
    let mut key = defaults("").model.key;
    let Value::Mapping(..) = node.node.value else {
        key.name = key_name(node, managed)?;
        return Some((key, Vec::new()));
    };
    let fields = node.fields(&["name", "type", "was", "with"])?;
    if let Some(name) = fields.get("name") {
        key.name = key_name(&name, managed)?;
    }
    if let Some(kind) = fields.get("type") {
        key.kind = key_type(&kind.named("the key's type"))?;
    }
    let was = fields.get("was");
    let was = was.and_then(|was| column_word(&was.named("the former name of the key")));
    key.was = was.map(|was| was.text);
    Some((key, fields.words("with")))
}

/// The key's column is its Rust field, too; but another program names the columns of its tables.
fn key_name(node: &Reader<'_>, managed: bool) -> Option<String> {
    let name = column_word(&node.clone().named("the key"))?.text;
    if name::field(&name) == name || !managed {
        return Some(name);
    }
    let message = format!("the key's column cannot be `{name}`");
    let help = "use lower-case letters, digits and `_`, a letter first, and no word of Rust";
    node.reject(Code::IllegalName, message, help);
    None
}

fn key_type(node: &Reader<'_>) -> Option<ColumnType> {
    use ColumnType::{BigInt, String, Uuid};
    let text = node.text()?;
    let parsed = column_type::parse(node, text)?;
    if matches!(parsed.kind, BigInt | Uuid | String(_)) && parsed.length == text.len() {
        return Some(parsed.kind);
    }
    let message = format!("a key cannot be `{text}`");
    let help = "write `bigint` (the database counts), `uuid` (Formwork makes one) or `string(n)` (the client sends it)";
    node.reject(Code::UnknownType, message, help);
    None
}

fn attributes(draft: &mut ModelDraft, fields: &Fields<'_>) {
    let mut items = Vec::new();
    for entry in fields.entries("attributes", Code::DuplicateAttribute) {
        if let Some(list) = entry.name.strip_suffix(".*") {
            items.push((list, entry));
        } else if !is_taken(draft, entry) {
            match attribute::read(entry) {
                Some(attribute) => draft.attributes.push(attribute),
                None => {
                    draft.unread.insert(entry.name.to_owned());
                }
            }
        }
    }
    for (list, entry) in items {
        item_rules(draft, list, entry);
    }
    columns::refuse_collisions(draft, fields.report);
    if draft.model.managed {
        refuse_foreign(draft, fields.report);
    }
}

/// Reports columns that no migration makes in a table that migrations make.
fn refuse_foreign(draft: &ModelDraft, report: Report<'_>) {
    for column in &draft.attributes {
        let attribute = &column.attribute;
        let is_decimal = matches!(attribute.kind, ColumnType::Decimal(..));
        let word = match attribute {
            _ if attribute.set_by_database => "set_by: database",
            _ if attribute.native_storage && !is_decimal => "storage: native",
            _ => continue,
        };
        let message =
            format!("`{word}` is for tables of another program, and migrations make this one");
        let help = "leave it out, or write `managed: false` under `model`";
        report.reject(Code::LiteralMisfit, column.span, message, help);
    }
}

/// Reports an attribute that is the key or a timestamp already.
fn is_taken(draft: &ModelDraft, entry: Entry<'_>) -> bool {
    let (name, key) = (entry.name, &draft.model.key.name);
    let is_timestamp = draft.model.timestamps && matches!(name, "created_at" | "updated_at");
    let (message, help) = if name == key {
        let help = format!("leave it out of `attributes`: `key: {key}` declares it");
        (format!("`{name}` is declared twice: it is the key"), help)
    } else if name == "id" {
        let help = "give the attribute another name, or make it the key: `key: id`".to_owned();
        (format!("`id` is the public name of the key `{key}`"), help)
    } else if is_timestamp {
        let help = "leave it out of `attributes`, or write `timestamps: false`".to_owned();
        let message = format!("`{name}` is declared twice: `timestamps` keeps it");
        (message, help)
    } else {
        return false;
    };
    entry.reject(Code::DuplicateAttribute, message, help);
    true
}

/// Reads the rules of list items that are an entry of their own: `tags.*: integer`.
fn item_rules(draft: &mut ModelDraft, list: &str, entry: Entry<'_>) {
    let name = entry.name;
    let rules = RuleReader::new(name, None, entry.report).rules(entry.value);
    if draft.unread.contains(list) {
        return;
    }
    let mut owners = draft
        .attributes
        .iter_mut()
        .map(|draft| &mut draft.attribute);
    let Some(owner) = owners.find(|attribute| attribute.name == list) else {
        let names = draft
            .attributes
            .iter()
            .map(|draft| draft.attribute.name.as_str());
        let names: Vec<&str> = names.collect();
        let message = format!("`{name}` are items of an attribute `{list}` that does not exist");
        let mut error = entry.report.error(Code::UnknownColumn, entry.span, message);
        error.help(format!("declare it: `{list}: json`"));
        error.maybe_help(did_you_mean(list, &names));
        return;
    };
    if owner.kind == ColumnType::Json {
        owner.rules.items.extend(rules);
        return;
    }
    let kind = written(&owner.kind);
    let message = format!("`{name}` are items of a list, and `{list}` is {kind}");
    let help = format!("make `{list}` json, or leave these rules out");
    entry.reject(Code::RuleMisfit, message, help);
}

fn relations(draft: &mut ModelDraft, fields: &Fields<'_>) {
    let report = fields.report;
    for entry in fields.entries("relations", Code::DuplicateKey) {
        let name = entry.name;
        let mut attributes = draft.attributes.iter();
        let same = attributes.find(|draft| draft.attribute.name == name);
        if same.is_none() && name != draft.model.key.name {
            draft.relations.extend(relation::read(entry));
            continue;
        }
        let message = format!("`{name}` is an attribute and a relation");
        let help =
            "an included relation is written into its record under its name: rename one of them";
        let mut error = report.error(Code::NameCollision, entry.span, message);
        if let Some(attribute) = same {
            error.related(report.path, attribute.span, "the attribute");
        }
        error.help(help);
    }
}
