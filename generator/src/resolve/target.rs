//! Requirements of a relation on its target: columns, polymorphic columns, names of keys.

use std::collections::{BTreeMap, BTreeSet};

use formwork_vocabulary::inflect::{plural, singular};

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::project::{ColumnType, FormerPivot, Morph, Resource};
use crate::suggestion::did_you_mean;

use super::draft::RelationDraft;
use super::registry::{Registered, Registry};
use super::report::{Report, Word};

/// The side of a resource whose relations are linked.
pub struct RelationSide<'a> {
    /// The resource.
    pub resource: &'a mut Resource,
    /// Place of each attribute.
    pub places: &'a BTreeMap<String, Span>,
    /// Attributes that could not be read.
    pub unread: &'a BTreeSet<String>,
    /// All keys.
    pub registry: &'a Registry,
    /// The report of the resource's manifest.
    pub report: Report<'a>,
}

/// Checks that the target has a column, and reports it if not.
pub fn has_column(target: &Registered, word: &Word, label: &str, report: Report<'_>) -> Option<()> {
    let (column, table) = (&word.text, &target.table);
    if target.columns.contains_key(column) || target.partial {
        return Some(());
    }
    let names: Vec<&str> = target.columns.keys().map(String::as_str).collect();
    let message =
        format!("{label} needs the column `{column}` of the table `{table}`, which does not exist");
    let mut error = report.error(Code::UnknownColumn, word.span, message);
    error.label("no such column there");
    error.help("name a column of that table");
    error.maybe_help(did_you_mean(column, &names));
    None
}

/// Checks that a table has the columns of a polymorphic relation.
pub fn has_morph(side: &Registered, morph: &Word, place: &str, report: Report<'_>) -> Option<()> {
    let (name, table) = (&morph.text, &side.table);
    let mut columns = ["type", "id"]
        .into_iter()
        .map(|part| format!("{name}_{part}"));
    let missing = columns.find(|column| !side.columns.contains_key(column) && !side.partial);
    let Some(column) = missing else {
        return Some(());
    };
    let message = format!(
        "`{name}` needs `{name}_type` and `{name}_id`, and `{column}` does not exist {place}"
    );
    let help =
        format!("declare `{name}_type: string` and `{name}_id: bigint` in the table `{table}`");
    report.reject(Code::UnknownColumn, morph.span, message, help);
    None
}

/// Returns the names of a pivot as they follow from both sides: the key of a resource, and its key's column.
/// `morph` names the columns of this side if it is polymorphic.
pub fn pivot_names(
    draft: &RelationDraft,
    table: Option<&Word>,
    morph: Option<&Morph>,
    own: (&str, &str),
    other: (&str, &str),
) -> FormerPivot {
    let default_table = || {
        let mut sides = [singular(own.0), singular(other.0)];
        sides.sort();
        morph.map_or_else(|| sides.join("_"), |morph| plural(&morph.name))
    };
    let text = |word: &Word| word.text.clone();
    let column = draft.column.as_ref().filter(|_| morph.is_none());
    let default_column = || match morph {
        Some(morph) => format!("{}_id", morph.name),
        None => key_column(own.1, own.0),
    };
    let other_column = draft.other_column.as_ref();
    FormerPivot {
        table: table.map_or_else(default_table, text),
        column: column.map_or_else(default_column, text),
        other_column: other_column.map_or_else(|| key_column(other.1, other.0), text),
    }
}

/// The column that holds a key elsewhere: its own name, or `menu_id` if that is `id`.
pub fn key_column(key: &str, resource: &str) -> String {
    match key {
        "id" => format!("{}_id", singular(resource)),
        key => key.to_owned(),
    }
}

/// Whether one column can hold the other's values.
pub fn same_kind(one: &ColumnType, other: &ColumnType) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}
