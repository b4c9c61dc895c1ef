//! Filters of a list.

use formwork_core::{filters::NamedInfo, registry::Entry, request::Domain};
use formwork_data::{
    column::{ColumnInfo, Kind},
    decimal::MAX_DIGITS,
};

use super::{
    document::Parameter,
    rule::{TIME, decimal},
    schema::{Schema, Types},
};

/// Operators of ordered types, with their descriptions: they compare with any value of the type.
const ORDERED: [(&str, &str); 4] = [
    ("lt", "Less."),
    ("lte", "Less, or equal."),
    ("gt", "Greater."),
    ("gte", "Greater, or equal."),
];

/// Every filter of a list: those with names of their own, then those of columns. Each is described
/// once, under one of its names.
pub(super) fn parameters(entry: &Entry) -> Vec<Parameter> {
    let queries = entry.source.queries();
    let named = queries.named.iter().map(|info| named(entry, info));
    let mut all: Vec<Parameter> = named.collect();
    let is_named = |name: &str| queries.named.iter().any(|info| info.name == name);
    for (name, column) in names(entry, queries.filter) {
        // A filter with a name of its own comes first.
        if let Some(info) = entry.source.schema().column(column)
            && !is_named(name)
            && name != "search"
            && info.kind != Kind::Json
        {
            all.extend(column_filters(entry, name, info));
        }
    }
    all
}

/// Returns the names that columns are described by, with the columns: their own, and `id` for the key.
pub(super) fn names(
    entry: &Entry,
    allowed: &[&'static str],
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let key = entry.source.schema().key;
    let others = allowed
        .iter()
        .filter(move |column| **column != key && **column != "id");
    [("id", key)]
        .into_iter()
        .chain(others.map(|column| (*column, *column)))
}

/// A filter the repository names. Its default is only in the description: a client that sent it
/// beside the filter's other name would get a 400.
fn named(entry: &Entry, info: &NamedInfo) -> Parameter {
    let described = match info.column.and_then(|it| entry.source.schema().column(it)) {
        None => custom(info),
        Some(column) if column.kind == Kind::Boolean => truth(info),
        Some(column) => compared(entry, info, column),
    };
    let Some(default) = info.default else {
        return described;
    };
    Parameter {
        description: format!("{} Default: `{default}`.", described.description),
        ..described
    }
}

fn custom(info: &NamedInfo) -> Parameter {
    let text = format!(
        "A filter of this resource. A member is written `{0}[member]`; \
         a list is written with commas, or as `{0}[]` once for each item.",
        info.name
    );
    Parameter::query(info.name, text, Schema::of("string"))
}

fn truth(info: &NamedInfo) -> Parameter {
    let text = match info.default {
        Some(_) => "Only administrators may send a value other than the default; `all` for both.",
        None => "`all` for both.",
    };
    let options = ["true", "false", "1", "0", "all"];
    Parameter::query(info.name, text, Schema::one_of(options))
}

fn compared(entry: &Entry, info: &NamedInfo, column: &ColumnInfo) -> Parameter {
    let text = format!(
        "Compares `{}` with a value or a list, \
         written with commas, or as `{}[]` once for each item; `all` for no comparison.",
        column.name, info.name
    );
    let items = Schema::any_of(vec![one(entry, column), Schema::constant("all")]);
    filled(Parameter::list(info.name, text, items))
}

/// `filter[attribute]`, and with every operator for its type.
fn column_filters(entry: &Entry, name: &str, column: &ColumnInfo) -> Vec<Parameter> {
    let value = || one(entry, column);
    let mut all = vec![Parameter::query(
        format!("filter[{name}]"),
        "Equal.",
        value(),
    )];
    let with = |op: &str| format!("filter[{name}][{op}]");
    let unequal = "Not equal, or null.";
    all.push(Parameter::query(with("ne"), unequal, value()));
    if column.kind != Kind::Boolean {
        let limit = || written(column.kind, domain(entry, column).digits);
        all.extend(ORDERED.map(|(op, text)| Parameter::query(with(op), text, limit())));
        all.push(filled(Parameter::list(
            with("in"),
            "One of these.",
            value(),
        )));
    }
    if column.kind == Kind::Text {
        let text = "Matches this pattern: `%` is any text, `_` any character; case-insensitive.";
        all.push(Parameter::query(with("like"), text, Schema::of("string")));
    }
    if column.nullable {
        let text = "`true`: null; `false`: not null.";
        all.push(Parameter::query(with("null"), text, Schema::of("boolean")));
    }
    all
}

/// A list needs at least one item.
fn filled(mut list: Parameter) -> Parameter {
    list.schema.min_items = Some(1);
    list
}

/// The limits of a column by the rules of bodies.
fn domain(entry: &Entry, column: &ColumnInfo) -> Domain {
    let resource = entry.resource.as_ref();
    resource.map_or_else(Domain::default, |resource| {
        Domain::of(resource.controller.attributes(), column.name)
    })
}

/// A value that a row may have in a column, as a parameter writes it.
fn one(entry: &Entry, column: &ColumnInfo) -> Schema {
    let domain = domain(entry, column);
    match domain.words {
        Some(words) if column.kind == Kind::Text => Schema::one_of(words.iter().copied()),
        _ => written(column.kind, domain.digits),
    }
}

/// A value of a kind of column, as a parameter writes it; `digits`: of a decimal, and of them those
/// after the point.
fn written(kind: Kind, digits: Option<(u32, u32)>) -> Schema {
    match kind {
        Kind::Decimal(scale) => {
            let (digits, less) = digits.unwrap_or((MAX_DIGITS, scale));
            let whole = digits.saturating_sub(less);
            Schema {
                types: Types::One("string"),
                exclusive_minimum: None,
                exclusive_maximum: None,
                ..decimal(whole, scale.min(less), false)
            }
        }
        Kind::Time => Schema::matching(TIME),
        Kind::Integer => Schema {
            minimum: Some(i32::MIN.into()),
            maximum: Some(i32::MAX.into()),
            ..Schema::small()
        },
        other => Schema::shown(other),
    }
}
