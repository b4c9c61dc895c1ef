//! The API of a resource: its manifest without `model`.

mod model_names;
mod transform;

pub use model_names::ModelNames;

use std::collections::BTreeSet;

use crate::diagnostic::Code;
use crate::manifest::{Node, Value};
use crate::name;
use crate::project::{Api, ColumnType, FilterKind, LocationScope, NamedFilter};
use crate::suggestion::did_you_mean;

use super::action;
use super::literal::is_value;
use super::report::{Fields, MappingEntry, Report, Word};

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
pub fn read(fields: &Fields<'_>, key: &str, model: ModelNames<'_>, report: &mut Report<'_>) -> Api {
    let actions = match fields.get("actions") {
        Some(node) => action::read(node, report),
        None => action::defaults(),
    };
    let abilities = match fields.get("abilities") {
        Some(node) => action::abilities(node, report),
        None => vec![format!("{key}:*")],
    };
    let (page_limit, max_page_limit) = page_limit(fields.get("page_limit"), report);
    Api {
        actions,
        abilities,
        page_limit,
        max_page_limit,
        search: texts(comparable(fields, "search", model, report)),
        sort: texts(comparable(fields, "sort", model, report)),
        filter: texts(list(fields, "filter", model, report)),
        filters: filters(fields.get("filters"), model, report),
        owner: owner(fields.get("owner"), model, report),
        location: location(fields.get("location"), model, report),
        transform: transform::read(fields.get("transform"), model, report),
        repository: repository(fields.get("repository"), report),
    }
}

fn page_limit(node: Option<&Node>, report: &mut Report<'_>) -> (u32, u32) {
    let Some(node) = node else {
        return (PAGE_LIMIT, MAX_PAGE_LIMIT);
    };
    let number = |node: &Node, label: &str, report: &mut Report<'_>| {
        report
            .integer(node, label, 1, 100_000)
            .and_then(|value| u32::try_from(value).ok())
    };
    if !matches!(node.value, Value::Mapping(..)) {
        let limit = number(node, "`page_limit`", report).unwrap_or(PAGE_LIMIT);
        return (limit, limit.max(MAX_PAGE_LIMIT));
    }
    let Some(fields) = report.fields(node, "`page_limit`", &["default", "max"]) else {
        return (PAGE_LIMIT, MAX_PAGE_LIMIT);
    };
    let limit = fields
        .get("default")
        .and_then(|node| number(node, "`default`", report));
    let most = fields
        .get("max")
        .and_then(|node| number(node, "`max`", report));
    let most = most.unwrap_or_else(|| limit.unwrap_or(PAGE_LIMIT).max(MAX_PAGE_LIMIT));
    let limit = limit.unwrap_or(PAGE_LIMIT.min(most));
    if limit > most {
        report
            .error(
                Code::WrongType,
                node.span,
                format!("the default page of {limit} is larger than the largest, {most}"),
            )
            .help("make `max` at least as large as `default`");
    }
    (limit, most)
}

fn list(
    fields: &Fields<'_>,
    key: &str,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Vec<Word> {
    let Some(node) = fields.get(key) else {
        return Vec::new();
    };
    let label = format!("`{key}`");
    let words = report.words(node, &label);
    let fits = |word: &Word| model.columns.check_visible(word, &label, report);
    words.into_iter().filter(fits).collect()
}

/// Reads `sort` or `search`. Each database writes floats and JSON in its own way, so a word would not find the same
/// rows, and JSON has no order.
fn comparable(
    fields: &Fields<'_>,
    key: &str,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Vec<Word> {
    let words = list(fields, key, model, report);
    for word in &words {
        let kind = match model.columns.kind(&word.text) {
            Some(kind @ ColumnType::Json) => kind,
            Some(kind @ ColumnType::Float) if key == "search" => kind,
            _ => continue,
        };
        let kind = super::column_type::written(kind);
        let message = format!("`{key}` names `{}`, which is {kind}", word.text);
        report
            .error(Code::IncomparableColumn, word.span, message)
            .help("leave it out: each database writes such values in its own way");
    }
    words
}

fn texts(words: Vec<Word>) -> Vec<String> {
    words.into_iter().map(|word| word.text).collect()
}

fn filters(
    node: Option<&Node>,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Vec<NamedFilter> {
    let Some(node) = node else { return Vec::new() };
    let entries = report
        .entries(node, "`filters`", Code::DuplicateKey)
        .unwrap_or_default();
    let mut methods = BTreeSet::new();
    for entry in &entries {
        if !methods.insert(name::field(entry.name)) {
            report
                .error(
                    Code::IllegalName,
                    entry.key.span,
                    format!(
                        "another filter has the same name as `{}` in Rust",
                        entry.name
                    ),
                )
                .help("name one of them differently");
        }
    }
    entries
        .into_iter()
        .filter_map(|entry| filter(entry, model, report))
        .collect()
}

fn filter(
    entry: MappingEntry<'_>,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Option<NamedFilter> {
    let name = entry.name.to_owned();
    let legal = name::is_column(&name) && !name.starts_with(|c: char| c.is_ascii_digit());
    if !legal || PARAMETERS.contains(&name.as_str()) {
        report
            .error(
                Code::IllegalName,
                entry.key.span,
                format!("a filter cannot be called `{name}`"),
            )
            .help(format!(
                "use letters, digits and `_`; taken are {}",
                PARAMETERS.join(", ")
            ));
        return None;
    }
    let label = format!("the filter `{name}`");
    if let Value::Scalar(_) = entry.value.value {
        report.one_of(entry.value, &label, &["custom"])?;
        return Some(NamedFilter {
            name,
            kind: FilterKind::Custom,
            default: None,
        });
    }
    let fields = report.fields(entry.value, &label, &["where", "default"])?;
    let Some(node) = fields.get("where") else {
        if !fields.damaged {
            report
                .error(
                    Code::Missing,
                    entry.key.span,
                    format!("{label} names no column to compare"),
                )
                .help("add `where: column`, or write `custom` for a method of your own");
        }
        return None;
    };
    let word = report.word(node, "`where`")?;
    if !model.columns.check_visible(&word, &label, report) {
        return None;
    }
    let default = fields
        .get("default")
        .and_then(|node| filter_default(node, &word, model, report));
    Some(NamedFilter {
        name,
        kind: FilterKind::Column(word.text),
        default,
    })
}

fn filter_default(
    node: &Node,
    column: &Word,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Option<String> {
    let text = report.text(node, "the default of a filter")?;
    let misfit = model
        .columns
        .kind(&column.text)
        .filter(|kind| !is_value(text, kind));
    if let Some(kind) = misfit {
        let kind = super::column_type::written(kind);
        report
            .error(
                Code::LiteralMisfit,
                node.span,
                format!(
                    "the default `{text}` is not a value of `{}`, which is {kind}",
                    column.text
                ),
            )
            .help("write a value the column can hold");
    }
    Some(text.to_owned())
}

fn owner(node: Option<&Node>, model: ModelNames<'_>, report: &mut Report<'_>) -> Option<String> {
    let word = report.word(node?, "`owner`")?;
    model
        .columns
        .check(&word, "`owner`", report)
        .then_some(word.text)
}

fn location(
    node: Option<&Node>,
    model: ModelNames<'_>,
    report: &mut Report<'_>,
) -> Option<LocationScope> {
    let node = node?;
    let fields = report.fields(node, "`location`", &["relation", "or_none"])?;
    let Some(relation) = fields.get("relation") else {
        if !fields.damaged {
            report
                .error(
                    Code::Missing,
                    node.span,
                    "`location` does not name its relation",
                )
                .help("write `location: { relation: locations, or_none: true }`");
        }
        return None;
    };
    let word = report.word(relation, "`relation`")?;
    let or_none = fields
        .get("or_none")
        .and_then(|node| report.boolean(node, "`or_none`"));
    located(&word, model, report)?;
    Some(LocationScope {
        relation: word.text,
        or_none: or_none.unwrap_or(false),
    })
}

/// The relation must join this table's rows to locations.
fn located(word: &Word, model: ModelNames<'_>, report: &mut Report<'_>) -> Option<()> {
    let found = model
        .relations
        .iter()
        .find(|draft| draft.name.text == word.text);
    let Some(relation) = found else {
        let names: Vec<&str> = model
            .relations
            .iter()
            .map(|draft| draft.name.text.as_str())
            .collect();
        let message = format!(
            "`location` names the relation `{}`, which does not exist",
            word.text
        );
        report
            .error(Code::UnknownColumn, word.span, message)
            .help("declare it under `relations:`")
            .maybe_help(did_you_mean(&word.text, &names));
        return None;
    };
    if !matches!(
        relation.kind,
        "belongs_to" | "many_to_many" | "morph_many_to_many"
    ) {
        let message = format!(
            "`{}` is `{}`, which cannot lead to a location",
            word.text, relation.kind
        );
        report
            .error(Code::RelationMisfit, word.span, message)
            .help("name a relation that is `belongs_to`, `many_to_many` or `morph_many_to_many`");
        return None;
    }
    Some(())
}

fn repository(node: Option<&Node>, report: &mut Report<'_>) -> Option<String> {
    let word = report.word(node?, "`repository`")?;
    if name::is_rust_path(&word.text) {
        return Some(word.text);
    }
    report
        .error(
            Code::IllegalName,
            word.span,
            format!("`{}` is not the path of a type", word.text),
        )
        .help("write `crate::repositories::Dishes`");
    None
}
