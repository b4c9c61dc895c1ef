//! Relations as data.

use serde::Serialize;
use serde_json::Value;

use crate::column;
use crate::project::{Include, Load, Morph, Pivot, Relation, RelationKind};

#[derive(Debug, Default, Serialize)]
pub(super) struct RelationData<'p> {
    name: &'p str,
    kind: &'static str,
    /// Of a `morph_to` the first of its targets.
    target: &'p str,
    /// The targets of a `morph_to`.
    targets: Vec<TargetData<'p>>,
    /// Its type in JSON:API where it differs from the target's key.
    json_type: Option<&'p str>,
    column: Option<&'p str>,
    target_key: Option<&'p str>,
    pivot: Option<&'p str>,
    pivot_column: Option<&'p str>,
    pivot_other_column: Option<&'p str>,
    morph: Option<&'p str>,
    /// The value of `<morph>_type` that names this resource.
    morph_value: Option<&'p str>,
    conditions: Vec<ConditionData<'p>>,
    order: &'p [String],
    first: bool,
    include: &'static str,
    load_always: bool,
    load_for: &'p [String],
    sync: bool,
}

#[derive(Debug, Serialize)]
struct TargetData<'p> {
    /// The value of `<morph>_type`.
    value: &'p str,
    /// The key of the resource or model.
    target: &'p str,
}

#[derive(Debug, Serialize)]
struct ConditionData<'p> {
    column: &'p str,
    value: Value,
}

impl<'p> RelationData<'p> {
    pub(super) fn new(relation: &'p Relation) -> Self {
        let Relation {
            name,
            was: _,
            kind,
            target,
            json_type,
            conditions,
            order,
            first,
            include,
            load,
            sync,
        } = relation;
        let conditions = conditions.iter().map(|(column, value)| ConditionData {
            column,
            value: column::json(value),
        });
        Self {
            name,
            target,
            json_type: json_type.as_deref(),
            conditions: conditions.collect(),
            order,
            first: *first,
            include: include_word(*include),
            load_always: *load != Load::IfIncluded,
            load_for: match load {
                Load::For(names) => names,
                Load::IfIncluded | Load::Always => &[],
            },
            sync: *sync,
            ..Self::of_kind(kind)
        }
    }

    fn of_kind(kind: &'p RelationKind) -> Self {
        let empty = Self::default;
        match kind {
            RelationKind::BelongsTo { column, target_key } => Self {
                target_key: Some(target_key),
                ..empty().with_column("belongs_to", column)
            },
            RelationKind::HasOne { column } => empty().with_column("has_one", column),
            RelationKind::HasMany { column } => empty().with_column("has_many", column),
            RelationKind::ManyToMany(pivot) => empty().with_pivot("many_to_many", pivot),
            RelationKind::MorphOne(morph) => empty().with_morph("morph_one", morph),
            RelationKind::MorphMany(morph) => empty().with_morph("morph_many", morph),
            RelationKind::MorphTo { morph, targets } => Self {
                kind: "morph_to",
                morph: Some(morph),
                targets: TargetData::list(targets),
                ..empty()
            },
            RelationKind::MorphManyToMany { pivot, morph } => {
                let kind = "morph_many_to_many";
                empty().with_pivot(kind, pivot).with_morph(kind, morph)
            }
        }
    }

    fn with_column(self, kind: &'static str, column: &'p str) -> Self {
        Self {
            kind,
            column: Some(column),
            ..self
        }
    }

    fn with_pivot(self, kind: &'static str, pivot: &'p Pivot) -> Self {
        let Pivot {
            table,
            column,
            other_column,
            owned: _,
            was: _,
        } = pivot;
        Self {
            kind,
            pivot: Some(table),
            pivot_column: Some(column),
            pivot_other_column: Some(other_column),
            ..self
        }
    }

    fn with_morph(self, kind: &'static str, morph: &'p Morph) -> Self {
        let Morph { name, value } = morph;
        Self {
            kind,
            morph: Some(name),
            morph_value: Some(value),
            ..self
        }
    }
}

impl<'p> TargetData<'p> {
    fn list(targets: &'p [(String, String)]) -> Vec<Self> {
        let targets = targets.iter();
        let targets = targets.map(|(value, target)| Self { value, target });
        targets.collect()
    }
}

fn include_word(include: Include) -> &'static str {
    match include {
        Include::Never => "never",
        Include::Allowed(context) => context.name(),
        Include::Default => "default",
    }
}
