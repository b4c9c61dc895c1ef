//! Requirements of a relation on its target: columns, polymorphic columns, names of keys.

use formwork_vocabulary::inflect::{plural, singular};

use crate::diagnostic::Code;
use crate::project::{ColumnType, FormerPivot, Morph, Pivot, Resource};
use crate::suggestion::did_you_mean;

use super::draft::RelationDraft;
use super::registry::Registered;
use super::report::{Report, Word};

/// Whether the target has a column; reports it where it does not.
pub fn has_column(target: &Registered, word: &Word, label: &str, report: &mut Report<'_>) -> bool {
    if target.columns.contains_key(&word.text) || target.partial {
        return true;
    }
    let names: Vec<&str> = target.columns.keys().map(String::as_str).collect();
    report
        .error(
            Code::UnknownColumn,
            word.span,
            format!(
                "{label} needs the column `{}` of the table `{}`, which does not exist",
                word.text, target.table
            ),
        )
        .help("name a column of that table")
        .maybe_help(did_you_mean(&word.text, &names))
        .label("no such column there");
    false
}

/// The polymorphic columns of a relation, if the target has them.
pub fn morphed(
    morph: Morph,
    draft: &RelationDraft,
    target: &Registered,
    report: &mut Report<'_>,
) -> Option<Morph> {
    let name = draft.morph.as_ref()?;
    has_morph(target, name, "there", report).then_some(morph)
}

/// Whether a table has the columns of a polymorphic relation.
pub fn has_morph(side: &Registered, morph: &Word, place: &str, report: &mut Report<'_>) -> bool {
    let missing = ["type", "id"]
        .map(|part| format!("{}_{part}", morph.text))
        .into_iter()
        .find(|column| !side.columns.contains_key(column) && !side.partial);
    let Some(column) = missing else { return true };
    report
        .error(
            Code::UnknownColumn,
            morph.span,
            format!(
                "`{0}` needs `{0}_type` and `{0}_id`, and `{column}` does not exist {place}",
                morph.text
            ),
        )
        .help(format!(
            "declare `{0}_type: string` and `{0}_id: bigint` in the table `{1}`",
            morph.text, side.table
        ));
    false
}

/// The pivot of a polymorphic relation.
pub fn morph_pivot(morph: &Morph, draft: &RelationDraft, target: &Registered) -> Pivot {
    let other = draft
        .targets
        .first()
        .map(|(_, word)| word.text.as_str())
        .unwrap_or_default();
    let text = |word: &Option<Word>| word.as_ref().map(|word| word.text.clone());
    let pivot = Pivot {
        table: text(&draft.pivot).unwrap_or_else(|| plural(&morph.name)),
        column: format!("{}_id", morph.name),
        other_column: text(&draft.other_column).unwrap_or_else(|| key_column(&target.key, other)),
        owned: false,
        was: None,
    };
    let was = FormerPivot {
        table: text(&draft.pivot_was).unwrap_or_else(|| pivot.table.clone()),
        column: pivot.column.clone(),
        other_column: text(&draft.other_column).unwrap_or_else(|| former_key(target, other)),
    };
    pivot.renamed_from(was)
}

/// `menu_tag`: both sides in the singular, in the order of the alphabet.
pub fn pivot_table(one: &str, other: &str) -> String {
    let mut sides = [singular(one), singular(other)];
    sides.sort();
    sides.join("_")
}

/// The names of a pivot before `was:` gave resources and keys their present ones.
pub fn former_pivot(
    resource: &Resource,
    draft: &RelationDraft,
    target: &Registered,
) -> FormerPivot {
    let own = resource.was.as_ref().unwrap_or(&resource.key);
    let key = &resource.model.key;
    let other = draft.targets.first().map_or("", |(_, word)| &word.text);
    let former = target.was.as_deref().unwrap_or(other);
    let text = |word: &Option<Word>| word.as_ref().map(|word| word.text.clone());
    FormerPivot {
        table: text(&draft.pivot_was)
            .or_else(|| text(&draft.pivot))
            .unwrap_or_else(|| pivot_table(own, former)),
        column: text(&draft.column)
            .unwrap_or_else(|| key_column(key.was.as_ref().unwrap_or(&key.name), own)),
        other_column: text(&draft.other_column).unwrap_or_else(|| former_key(target, other)),
    }
}

/// The column that held a target's key before it was renamed.
fn former_key(target: &Registered, key: &str) -> String {
    let column = target.key_was.as_deref().unwrap_or(&target.key);
    key_column(column, target.was.as_deref().unwrap_or(key))
}

impl Pivot {
    /// With the names it had before, where they are others.
    pub fn renamed_from(mut self, was: FormerPivot) -> Self {
        let now = [&self.table, &self.column, &self.other_column];
        self.was = ([&was.table, &was.column, &was.other_column] != now).then_some(was);
        self
    }
}

/// The column that holds a key elsewhere: its own name, or `menu_id` if that is `id`.
pub fn key_column(key: &str, resource: &str) -> String {
    if key == "id" {
        format!("{}_id", singular(resource))
    } else {
        key.to_owned()
    }
}

/// Whether one column can hold the other's values.
pub fn same_kind(one: &ColumnType, other: &ColumnType) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}
