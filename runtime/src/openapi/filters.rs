//! Filters of a list (http.md, "Query parameters").

use super::{
    document::Parameter,
    query::{listed, names, parameter},
    rule::{TIME, decimal},
    schema::{Schema, Types},
};
use crate::{
    column::{ColumnInfo, Kind},
    filters::NamedInfo,
    registry::Entry,
};

/// Operators of what has an order, and what they mean.
const ORDER: [(&str, &str); 4] = [
    ("lt", "Less."),
    ("lte", "Less, or equal."),
    ("gt", "Greater."),
    ("gte", "Greater, or equal."),
];

/// Every filter of a list: those with names of their own, then those of columns. Each is described
/// once, whatever else it may be called.
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
            all.extend(column_filters(name, info));
        }
    }
    all
}

/// A filter the repository names. Its default stands in words alone: a program that sent it would
/// send it beside the filter's other name, which is 400.
fn named(entry: &Entry, info: &NamedInfo) -> Parameter {
    let described = match info.column.and_then(|it| entry.source.schema().column(it)) {
        None => custom(info),
        Some(column) if column.kind == Kind::Boolean => truth(info),
        Some(column) => compared(info, column),
    };
    let Some(default) = info.default else {
        return described;
    };
    Parameter {
        description: format!(
            "{} `{default}` where it is not sent.",
            described.description
        ),
        ..described
    }
}

fn custom(info: &NamedInfo) -> Parameter {
    let text = format!(
        "A filter of the resource's own. One of several members is written `{}[member]`.",
        info.name
    );
    parameter(info.name, text, Schema::of("string"))
}

fn truth(info: &NamedInfo) -> Parameter {
    let text = match info.default {
        Some(_) => "Another value than the default is for administrators only; `all` for both.",
        None => "`all` for both.",
    };
    let options = ["true", "false", "1", "0", "all"];
    parameter(info.name, text, Schema::one_of(options))
}

fn compared(info: &NamedInfo, column: &ColumnInfo) -> Parameter {
    let text = format!(
        "Compares `{}`: a value, or a comma list; `all` for no comparison.",
        column.name
    );
    let items = Schema::any_of(vec![written(column.kind), Schema::constant("all")]);
    filled(listed(info.name, text, items))
}

/// `filter[attribute]`, and with every operator that says something of values of its kind.
fn column_filters(name: &str, column: &ColumnInfo) -> Vec<Parameter> {
    let value = || written(column.kind);
    let mut all = vec![parameter(format!("filter[{name}]"), "Equal.", value())];
    let with = |op: &str| format!("filter[{name}][{op}]");
    let unequal = "Not equal, or without a value.";
    all.push(parameter(with("ne"), unequal, value()));
    if column.kind != Kind::Boolean {
        all.extend(ORDER.map(|(op, text)| parameter(with(op), text, value())));
        all.push(filled(listed(with("in"), "One of these.", value())));
    }
    if column.kind == Kind::Text {
        let text = "Like this pattern: `%` is any text, `_` any letter; case does not count.";
        all.push(parameter(with("like"), text, Schema::of("string")));
    }
    if column.nullable {
        let text = "`true`: without a value; `false`: with one.";
        all.push(parameter(with("null"), text, Schema::of("boolean")));
    }
    all
}

/// A list has to have something in it.
fn filled(mut list: Parameter) -> Parameter {
    list.schema.min_items = Some(1);
    list
}

/// A value of a column, as a parameter writes it.
fn written(kind: Kind) -> Schema {
    match kind {
        Kind::Decimal(scale) => Schema {
            types: Types::One("string"),
            exclusive_minimum: None,
            exclusive_maximum: None,
            ..decimal(18_u32.saturating_sub(scale), scale, false)
        },
        Kind::Time => Schema::matching(TIME),
        Kind::Integer => Schema {
            minimum: Some(i32::MIN.into()),
            maximum: Some(i32::MAX.into()),
            ..Schema::small()
        },
        other => Schema::shown(other),
    }
}
