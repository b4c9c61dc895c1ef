//! Filters of a list (http.md, "Query parameters").

use super::{
    document::Parameter,
    query::{listed, names, parameter},
    rule::{TIME, decimal},
    schema::{Schema, Types},
};
use serde_json::Value as Json;

use crate::{
    column::{ColumnInfo, Kind},
    decimal::MAX_DIGITS,
    filters::NamedInfo,
    registry::Entry,
    request::Domain,
};

/// Operators that compare with a value a row may have, and what they mean.
const EQUAL: [(&str, &str); 2] = [("eq", "Equal."), ("ne", "Not equal, or without a value.")];

/// Operators that compare with any value of the type.
const ORDERED: [(&str, &str); 4] = [
    ("lt", "Less."),
    ("lte", "Less, or equal."),
    ("gt", "Greater."),
    ("gte", "Greater, or equal."),
];

/// Every filter of a list: those with names of their own, then those of columns.
pub(super) fn parameters(entry: &Entry) -> Vec<Parameter> {
    let queries = entry.source.queries();
    let mut all = Vec::new();
    for info in &queries.named {
        let described = named(entry, info);
        let mut again = described.clone();
        again.name = format!("filter[{}]", info.name);
        again.description = format!("As `{}`.", info.name);
        again.schema.preset = None;
        let items = one_by_one(&described);
        all.push(described);
        all.push(again);
        all.extend(items);
    }
    let named = |name: &str| queries.named.iter().any(|info| info.name == name);
    for (name, column) in names(entry, queries.filter) {
        // A filter with a name of its own comes first.
        if let Some(info) = entry.source.schema().column(column)
            && !named(&name)
            && name != "search"
            && info.kind != Kind::Json
        {
            all.extend(column_filters(entry, &name, info));
        }
    }
    all
}

/// A filter the repository names.
fn named(entry: &Entry, info: &NamedInfo) -> Parameter {
    let column = info
        .column
        .and_then(|name| entry.source.schema().column(name));
    let Some(column) = column else {
        let text = format!(
            "A filter of the resource's own. One of several members is written `{0}[member]`, a list \
             with commas or as `{0}[]`, sent once for each item.",
            info.name
        );
        return parameter(info.name, text, preset(Schema::of("string"), info));
    };
    if column.kind == Kind::Boolean {
        let text = match info.default {
            Some(_) => "Another value than the default is for administrators only; `all` for both.",
            None => "`all` for both.",
        };
        let options = ["true", "false", "1", "0", "all"];
        return parameter(info.name, text, preset(Schema::one_of(options), info));
    }
    let text = format!(
        "Compares `{}`: a value, or a comma list; `all` for no comparison.",
        column.name
    );
    let items = Schema::any_of(vec![one(entry, column), Schema::constant("all")]);
    let mut described = filled(listed(info.name, text, items));
    described.schema.preset = info.default.map(|text| match serde_json::from_str(text) {
        Ok(Json::Number(number)) => vec![Json::Number(number)].into(),
        _ => vec![Json::from(text)].into(),
    });
    described
}

/// A list once more, as PHP's clients write it: `location[]=1&location[]=2`.
fn one_by_one(list: &Parameter) -> Option<Parameter> {
    list.schema.items.as_ref()?;
    let mut items = list.clone();
    items.name = format!("{}[]", list.name);
    items.description = format!("As `{}`, one item at a time; not beside it.", list.name);
    items.explode = Some(true);
    items.schema.preset = None;
    Some(items)
}

fn preset(schema: Schema, info: &NamedInfo) -> Schema {
    Schema {
        preset: info.default.map(Into::into),
        ..schema
    }
}

/// `filter[attribute]` with every operator that compares values of its kind.
fn column_filters(entry: &Entry, name: &str, column: &ColumnInfo) -> Vec<Parameter> {
    let value = || one(entry, column);
    let mut all = vec![parameter(format!("filter[{name}]"), "Equal.", value())];
    let with = |op: &str| format!("filter[{name}][{op}]");
    all.extend(EQUAL.map(|(op, text)| parameter(with(op), text, value())));
    let limit = || written(column.kind, domain(entry, column).digits);
    all.extend(ORDERED.map(|(op, text)| parameter(with(op), text, limit())));
    all.push(filled(listed(with("in"), "One of these.", value())));
    if column.kind == Kind::Text {
        let text = "Like this pattern: `%` is any text, `_` any letter; case does not count.";
        all.push(parameter(with("like"), text, Schema::of("string")));
    }
    let text = "`true`: without a value; `false`: with one.";
    all.push(parameter(with("null"), text, Schema::of("boolean")));
    all
}

/// A list has to have something in it.
fn filled(mut list: Parameter) -> Parameter {
    list.schema.min_items = Some(1);
    list
}

/// What the rules of bodies say of a column.
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
