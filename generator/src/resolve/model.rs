//! The `model:` of a manifest: table, key, attributes, relations, indexes.

use std::collections::BTreeSet;

use formwork_vocabulary::table;

use crate::diagnostic::Code;
use crate::manifest::vocabulary::MODEL_KEYS;
use crate::manifest::{Node, Value};
use crate::name;
use crate::project::{ColumnType, Key, Model};

use super::attribute;
use super::column_type;
use super::columns;
use super::draft::{AttributeDraft, ModelDraft};
use super::names::{column_word, named_table};
use super::relation;
use super::report::{Fields, MappingEntry, Report, Word};

/// Reads `model:`, or takes the defaults of a manifest without one.
pub fn read(node: Option<&Node>, key: &str, report: &mut Report<'_>) -> ModelDraft {
    let fields = node.and_then(|node| report.fields(node, "`model`", MODEL_KEYS));
    let mut draft = defaults(key);
    let Some(fields) = fields else { return draft };
    if let Some(node) = fields.get("name") {
        draft.name = type_name(node, report);
    }
    if let Some(node) = fields.get("was") {
        // Only Rust code names the model: its former name is for readers.
        type_name(node, report);
    }
    if let Some(node) = fields.get("table") {
        draft.table_span = Some(node.span);
        if let Some((table, was)) = named_table(node, "`table`", report) {
            draft.model.table = table.text;
            draft.model.table_was = was.map(|was| was.text);
        }
    }
    let flag = |key: &str, report: &mut Report<'_>| {
        fields
            .get(key)
            .and_then(|node| report.boolean(node, &format!("`{key}`")))
            .unwrap_or(true)
    };
    draft.model.timestamps = flag("timestamps", report);
    draft.model.managed = flag("managed", report);
    if let Some(node) = fields.get("key")
        && let Some((key, with)) = primary_key(node, draft.model.managed, report)
    {
        draft.model.key = key;
        draft.key_with = with;
    }
    refuse_taken(&draft, node, report);
    attributes(&mut draft, &fields, report);
    relations(&mut draft, &fields, report);
    indexes(&mut draft, &fields, report);
    draft
}

/// A table with a reserved name is refused; a model that is not managed may describe it.
fn refuse_taken(draft: &ModelDraft, model: Option<&Node>, report: &mut Report<'_>) {
    if draft.model.managed && is_reserved(&draft.model.table) {
        let span = draft
            .table_span
            .or(model.map(|node| node.span))
            .unwrap_or_default();
        report
            .error(
                Code::IllegalName,
                span,
                format!(
                    "the table `{}` is reserved for the runtime or SQLite",
                    draft.model.table
                ),
            )
            .help("name another table: `model: { table: … }`, or `--table` on the command line");
    }
}

/// Names of tables that the runtime or SQLite makes.
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

fn type_name(node: &Node, report: &mut Report<'_>) -> Option<String> {
    let text = report.text(node, "the model's name")?;
    if name::is_type(text) {
        return Some(text.to_owned());
    }
    use heck::ToPascalCase;
    let found = report.error(
        Code::IllegalName,
        node.span,
        format!("`{text}` cannot name a type: it is not PascalCase"),
    );
    let better = text.to_pascal_case();
    if name::is_type(&better) {
        found.help(format!("write `{better}`"));
    }
    None
}

/// The key, and the columns that identify a row together with it.
fn primary_key(node: &Node, managed: bool, report: &mut Report<'_>) -> Option<(Key, Vec<Word>)> {
    let counted = |name: String| Key {
        name,
        was: None,
        kind: ColumnType::BigInt,
        with: Vec::new(),
    };
    let Value::Mapping(..) = node.value else {
        return Some((counted(key_name(node, managed, report)?), Vec::new()));
    };
    let fields = report.fields(node, "`key`", &["name", "type", "was", "with"])?;
    let name = match fields.get("name") {
        Some(node) => key_name(node, managed, report)?,
        None => "id".to_owned(),
    };
    let kind = match fields.get("type") {
        Some(node) => key_type(node, report)?,
        None => ColumnType::BigInt,
    };
    let was = fields
        .get("was")
        .and_then(|was| column_word(was, "the former name of the key", report));
    let with = fields.get("with");
    let with = with.map_or_else(Vec::new, |node| report.words(node, "`with`"));
    let key = Key {
        was: was.map(|was| was.text),
        kind,
        ..counted(name)
    };
    Some((key, with))
}

/// The key's column is its Rust field, too; but another program names the columns of its tables.
fn key_name(node: &Node, managed: bool, report: &mut Report<'_>) -> Option<String> {
    let name = column_word(node, "the key", report)?.text;
    let field = name::field(&name);
    if field == name || !managed {
        return Some(name);
    }
    report
        .error(
            Code::IllegalName,
            node.span,
            format!("the key's column cannot be `{name}`"),
        )
        .help("use lower-case letters, digits and `_`, a letter first, and no word of Rust");
    None
}

fn key_type(node: &Node, report: &mut Report<'_>) -> Option<ColumnType> {
    let text = report.text(node, "the key's type")?;
    let parsed = column_type::parse(node, text, report)?;
    let fits = matches!(
        parsed.kind,
        ColumnType::BigInt | ColumnType::Uuid | ColumnType::String(_)
    );
    if fits && parsed.length == text.len() {
        return Some(parsed.kind);
    }
    report
        .error(Code::UnknownType, node.span, format!("a key cannot be `{text}`"))
        .help("write `bigint` (the database counts), `uuid` (Formwork makes one) or `string(n)` (the client sends it)");
    None
}

fn attributes(draft: &mut ModelDraft, fields: &Fields<'_>, report: &mut Report<'_>) {
    let Some(node) = fields.get("attributes") else {
        return;
    };
    let entries = report.entries(node, "`attributes`", Code::DuplicateAttribute);
    let mut items = Vec::new();
    for entry in entries.unwrap_or_default() {
        if let Some(list) = entry.name.strip_suffix(".*") {
            items.push((list, entry));
            continue;
        }
        if taken(draft, entry, report) {
            continue;
        }
        match attribute::read(entry, report) {
            Some(attribute) => draft.attributes.push(attribute),
            None => {
                draft.unread.insert(entry.name.to_owned());
            }
        }
    }
    for (list, entry) in items {
        item_rules(draft, list, entry, report);
    }
    columns::refuse_collisions(draft, report);
    if draft.model.managed {
        refuse_foreign(draft, report);
    }
}

/// Columns that no migration makes are those of other programs' tables.
fn refuse_foreign(draft: &ModelDraft, report: &mut Report<'_>) {
    for AttributeDraft {
        attribute, span, ..
    } in &draft.attributes
    {
        let is_decimal = matches!(attribute.kind, ColumnType::Decimal(..));
        let word = if attribute.set_by_database {
            "set_by: database"
        } else if attribute.native_storage && !is_decimal {
            "storage: native"
        } else {
            continue;
        };
        let message =
            format!("`{word}` is for tables of another program, and migrations make this one");
        report
            .error(Code::LiteralMisfit, *span, message)
            .help("leave it out, or write `managed: false` under `model`");
    }
}

/// Key and timestamps are columns already.
fn taken(draft: &ModelDraft, entry: MappingEntry<'_>, report: &mut Report<'_>) -> bool {
    let name = entry.name;
    let key = &draft.model.key.name;
    let (message, help) = if name == key {
        (
            format!("`{name}` is declared twice: it is the key"),
            format!("leave it out of `attributes`: `key: {key}` declares it"),
        )
    } else if name == "id" {
        (
            format!("`id` is the public name of the key `{key}`"),
            "give the attribute another name, or make it the key: `key: id`".to_owned(),
        )
    } else if draft.model.timestamps && matches!(name, "created_at" | "updated_at") {
        (
            format!("`{name}` is declared twice: `timestamps` keeps it"),
            "leave it out of `attributes`, or write `timestamps: false`".to_owned(),
        )
    } else {
        return false;
    };
    report
        .error(Code::DuplicateAttribute, entry.key.span, message)
        .help(help);
    true
}

fn item_rules(
    draft: &mut ModelDraft,
    list: &str,
    entry: MappingEntry<'_>,
    report: &mut Report<'_>,
) {
    let rules = attribute::read_items(entry, report);
    if draft.unread.contains(list) {
        return;
    }
    let owner = draft
        .attributes
        .iter_mut()
        .find(|draft| draft.attribute.name == list);
    match owner {
        Some(owner) if owner.attribute.kind == ColumnType::Json => {
            owner.attribute.rules.items.extend(rules);
        }
        Some(owner) => {
            let kind = column_type::written(&owner.attribute.kind);
            report
                .error(
                    Code::RuleMisfit,
                    entry.key.span,
                    format!(
                        "`{}` are items of a list, and `{list}` is {kind}",
                        entry.name
                    ),
                )
                .help(format!("make `{list}` json, or leave these rules out"));
        }
        None => {
            let names: Vec<&str> = draft
                .attributes
                .iter()
                .map(|draft| draft.attribute.name.as_str())
                .collect();
            report
                .error(
                    Code::UnknownColumn,
                    entry.key.span,
                    format!(
                        "`{}` are items of an attribute `{list}` that does not exist",
                        entry.name
                    ),
                )
                .help(format!("declare it: `{list}: json`"))
                .maybe_help(crate::suggestion::did_you_mean(list, &names));
        }
    }
}

fn relations(draft: &mut ModelDraft, fields: &Fields<'_>, report: &mut Report<'_>) {
    let Some(node) = fields.get("relations") else {
        return;
    };
    let entries = report.entries(node, "`relations`", Code::DuplicateKey);
    for entry in entries.unwrap_or_default() {
        let same = draft
            .attributes
            .iter()
            .find(|draft| draft.attribute.name == entry.name);
        if same.is_some() || entry.name == draft.model.key.name {
            let place = same.map(|draft| draft.span);
            let path = report.path;
            let message = format!("`{}` is an attribute and a relation", entry.name);
            let found = report.error(Code::NameCollision, entry.key.span, message);
            if let Some(place) = place {
                found.related(path, place, "the attribute");
            }
            found.help(
                "an included relation is written into its record under its name: rename one of them",
            );
            continue;
        }
        if let Some(relation) = relation::read(entry, report) {
            draft.relations.push(relation);
        }
    }
}

fn indexes(draft: &mut ModelDraft, fields: &Fields<'_>, report: &mut Report<'_>) {
    let Some(node) = fields.get("indexes") else {
        return;
    };
    for item in report.list(node, "`indexes`").unwrap_or_default() {
        let words = match &item.value {
            Value::Scalar(_) => report.word(item, "an index").into_iter().collect(),
            _ => report.words(item, "an index"),
        };
        if !words.is_empty() {
            draft.indexes.push(words);
        }
    }
}
