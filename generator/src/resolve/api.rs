//! The API of a resource: its manifest without `model`.

mod transform;

use std::collections::BTreeSet;

use crate::diagnostic::Code;
use crate::manifest::Value;
use crate::name;
use crate::project::{Api, ColumnType, FilterKind, LocationScope, NamedFilter};
use crate::suggestion::did_you_mean;

use super::action;
use super::column_type::written;
use super::columns::ModelNames;
use super::literal::is_value;
use super::reader::{Entry, Fields, Reader};
use super::report::Word;
use crate::manifest::vocabulary::RelationWord;

/// Query parameters that a named filter must not hide (docs/contract.md, "Query parameters").
const PARAMETERS: &[&str] = &[
    "page",
    "pageLimit",
    "sort",
    "search",
    "filter",
    "include",
    "exclude",
    "fields",
];
/// Records of a page, and the most of them, where a manifest says nothing.
const PAGE_LIMIT: u32 = 20;
const MAX_PAGE_LIMIT: u32 = 100;

/// Reads the API of the resource `key`.
pub fn read(fields: &Fields<'_>, key: &str, model: ModelNames<'_>) -> Api {
    let actions = fields.get("actions");
    let abilities = fields.get("abilities");
    let (page_limit, max_page_limit) = page_limit(fields.get("page_limit"));
    Api {
        actions: actions.map_or_else(action::defaults, |list| action::read(&list)),
        abilities: match abilities {
            Some(words) => action::abilities(&words),
            None => vec![format!("{key}:*")],
        },
        page_limit,
        max_page_limit,
        search: comparable(fields, "search", model),
        sort: comparable(fields, "sort", model),
        filter: texts(columns(fields, "filter", model)),
        filters: filters(fields, model),
        owner: owner(fields, model),
        location: fields
            .get("location")
            .and_then(|node| location(&node, model)),
        transform: transform::read(fields, model),
        repository: repository(fields),
    }
}

fn page_limit(node: Option<Reader<'_>>) -> (u32, u32) {
    let number = |node: Reader<'_>| u32::try_from(node.integer(1, 100_000)?).ok();
    let Some(node) = node else {
        return (PAGE_LIMIT, MAX_PAGE_LIMIT);
    };
    if !matches!(node.node.value, Value::Mapping(..)) {
        let limit = number(node).unwrap_or(PAGE_LIMIT);
        return (limit, limit.max(MAX_PAGE_LIMIT));
    }
    let Some(fields) = node.fields(&["default", "max"]) else {
        return (PAGE_LIMIT, MAX_PAGE_LIMIT);
    };
    let limit = fields.get("default").and_then(number);
    let most = fields.get("max").and_then(number);
    let most = most.unwrap_or_else(|| limit.unwrap_or(PAGE_LIMIT).max(MAX_PAGE_LIMIT));
    let limit = limit.unwrap_or(PAGE_LIMIT.min(most));
    if limit > most {
        let message = format!("the default page of {limit} is larger than the largest, {most}");
        let help = "make `max` at least as large as `default`";
        node.reject(Code::WrongType, message, help);
    }
    (limit, most)
}

/// Reads a list of columns that clients may see.
fn columns(fields: &Fields<'_>, key: &str, model: ModelNames<'_>) -> Vec<Word> {
    let mut words = fields.words(key);
    words.retain(|word| model.columns.check_visible(word, &format!("`{key}`")));
    words
}

/// Reads `sort` or `search`. Each database writes floats and JSON in its own way, so a word would not find the same
/// rows, and JSON has no order.
fn comparable(fields: &Fields<'_>, key: &str, model: ModelNames<'_>) -> Vec<String> {
    let words = columns(fields, key, model);
    for Word { text, span } in &words {
        let kind = match model.columns.kind(text) {
            Some(kind @ ColumnType::Json) => kind,
            Some(kind @ ColumnType::Float) if key == "search" => kind,
            _ => continue,
        };
        let message = format!("`{key}` names `{text}`, which is {}", written(kind));
        let help = "leave it out: each database writes such values in its own way";
        let report = fields.report;
        report.reject(Code::IncomparableColumn, *span, message, help);
    }
    texts(words)
}

fn texts(words: Vec<Word>) -> Vec<String> {
    words.into_iter().map(|word| word.text).collect()
}

fn filters(fields: &Fields<'_>, model: ModelNames<'_>) -> Vec<NamedFilter> {
    let entries = fields.entries("filters", Code::DuplicateKey);
    let mut methods = BTreeSet::new();
    for entry in &entries {
        let name = entry.name;
        if !methods.insert(name::field(name)) {
            let message = format!("another filter has the same name as `{name}` in Rust");
            entry.reject(Code::IllegalName, message, "name one of them differently");
        }
    }
    let filters = entries.into_iter().filter_map(|entry| filter(entry, model));
    filters.collect()
}

fn filter(entry: Entry<'_>, model: ModelNames<'_>) -> Option<NamedFilter> {
    let name = entry.name.to_owned();
    if !name::is_field(&name) || PARAMETERS.contains(&entry.name) {
        let taken = PARAMETERS.join(", ");
        let message = format!("a filter cannot be called `{name}`");
        let help = format!("use letters, digits and `_`; taken are {taken}");
        entry.reject(Code::IllegalName, message, help);
        return None;
    }
    let value = entry.read(format!("the filter `{name}`"));
    if let Value::Scalar(_) = entry.value.value {
        value.one_of(&["custom"])?;
        return Some(NamedFilter {
            name,
            kind: FilterKind::Custom,
            default: None,
        });
    }
    let fields = value.fields(&["where", "default"])?;
    if fields.get("where").is_none() && !fields.damaged {
        let message = format!("{} names no column to compare", value.label);
        let help = "add `where: column`, or write `custom` for a method of your own";
        entry.reject(Code::Missing, message, help);
    }
    let column = fields.word("where")?;
    if !model.columns.check_visible(&column, &value.label) {
        return None;
    }
    let default = fields.get("default");
    let default = default.and_then(|node| filter_default(node, &column.text, model));
    Some(NamedFilter {
        name,
        kind: FilterKind::Column(column.text),
        default,
    })
}

fn filter_default(node: Reader<'_>, column: &str, model: ModelNames<'_>) -> Option<String> {
    let node = node.named("the default of a filter");
    let text = node.text()?;
    let kind = model.columns.kind(column);
    if let Some(kind) = kind.filter(|kind| !is_value(text, kind)) {
        let kind = written(kind);
        let message = format!("the default `{text}` is not a value of `{column}`, which is {kind}");
        let help = "write a value the column can hold";
        node.reject(Code::LiteralMisfit, message, help);
    }
    Some(text.to_owned())
}

fn owner(fields: &Fields<'_>, model: ModelNames<'_>) -> Option<String> {
    let word = fields.word("owner")?;
    let exists = model.columns.check(&word, "`owner`");
    exists.then_some(word.text)
}

fn location(node: &Reader<'_>, model: ModelNames<'_>) -> Option<LocationScope> {
    let fields = node.fields(&["relation", "or_none"])?;
    if fields.get("relation").is_none() && !fields.damaged {
        let message = "`location` does not name its relation";
        let help = "write `location: { relation: locations, or_none: true }`";
        node.reject(Code::Missing, message, help);
    }
    let relation = fields.word("relation")?;
    let or_none = fields.boolean("or_none").unwrap_or(false);
    leads_to_location(&relation, model, node).then_some(LocationScope {
        relation: relation.text,
        or_none,
    })
}

/// Checks that a relation joins this table's rows to locations.
fn leads_to_location(word: &Word, model: ModelNames<'_>, node: &Reader<'_>) -> bool {
    use RelationWord::{BelongsTo, ManyToMany, MorphManyToMany};
    let (name, report) = (&word.text, node.report);
    let mut relations = model.relations.iter();
    let Some(relation) = relations.find(|relation| relation.name.text == *name) else {
        let relations = model.relations.iter();
        let names: Vec<&str> = relations.map(|draft| draft.name.text.as_str()).collect();
        let message = format!("`location` names the relation `{name}`, which does not exist");
        let mut error = report.error(Code::UnknownColumn, word.span, message);
        error.help("declare it under `relations:`");
        error.maybe_help(did_you_mean(name, &names));
        return false;
    };
    let fits = matches!(relation.kind, BelongsTo | ManyToMany | MorphManyToMany);
    if !fits {
        let kind = relation.kind.text();
        let message = format!("`{name}` is `{kind}`, which cannot lead to a location");
        let help = "name a relation that is `belongs_to`, `many_to_many` or `morph_many_to_many`";
        report.reject(Code::RelationMisfit, word.span, message, help);
    }
    fits
}

fn repository(fields: &Fields<'_>) -> Option<String> {
    let node = fields.get("repository")?;
    let path = node.text()?;
    if name::is_rust_path(path) {
        return Some(path.to_owned());
    }
    let message = format!("`{path}` is not the path of a type");
    let help = "write `crate::repositories::Dishes`";
    node.reject(Code::IllegalName, message, help);
    None
}
