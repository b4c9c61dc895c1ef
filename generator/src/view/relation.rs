//! Relations: one line each of a model.

use super::{code, request::local};
use crate::column;
use crate::project::{
    ColumnType, Context, Include, Literal, Load, Morph, Pivot, Project, Relation, RelationKind,
    Resource,
};

/// `to.belongs_to_one("status", "statuses", "status_id").include();`
pub(crate) fn line(project: &Project, resource: &Resource, relation: &Relation) -> String {
    let first = declared(relation);
    let methods = methods(project, resource, relation);
    format!("{};", code::chain(first, methods))
}

fn declared(relation: &Relation) -> String {
    let name = code::text(&relation.name);
    let target = code::text(&relation.target);
    match &relation.kind {
        RelationKind::BelongsTo { column, .. } => {
            code::call("to.belongs_to_one", [name, target, code::text(column)])
        }
        RelationKind::HasOne { column } => {
            code::call("to.has_one", [name, target, code::text(column)])
        }
        RelationKind::HasMany { column } => {
            code::call("to.has_many", [name, target, code::text(column)])
        }
        RelationKind::ManyToMany(by) => code::call("to.belongs_to_many", [name, target, pivot(by)]),
        RelationKind::MorphOne(by) => code::call("to.morph_one", [name, target, morph(by)]),
        RelationKind::MorphMany(by) => code::call("to.morph_many", [name, target, morph(by)]),
        RelationKind::MorphTo { morph, targets } => morph_to(name, morph, targets),
        RelationKind::MorphManyToMany {
            pivot: by,
            morph: as_,
        } => code::call("to.morph_to_many", [name, target, pivot(by), morph(as_)]),
    }
}

fn morph_to(name: String, morph: &str, targets: &[(String, String)]) -> String {
    let pairs = targets
        .iter()
        .map(|(value, key)| code::call("", [code::text(value), code::text(key)]));
    let kind = code::text(&format!("{morph}_type"));
    let id = code::text(&format!("{morph}_id"));
    code::call("to.morph_to_one", [name, code::list(pairs), kind, id])
}

fn methods(project: &Project, resource: &Resource, relation: &Relation) -> Vec<String> {
    let mut methods = Vec::new();
    if let RelationKind::BelongsTo { column, target_key } = &relation.kind
        && !is_primary(project, resource, relation, column, target_key)
    {
        methods.push(code::call("target_key", [code::text(target_key)]));
    }
    for (column, value) in &relation.conditions {
        methods.push(code::call(
            "condition",
            [code::text(column), compared(value)],
        ));
    }
    for order in &relation.order {
        methods.push(code::call("order", [code::text(order)]));
    }
    if relation.first {
        methods.push(code::call("first", []));
    }
    methods.extend(include(relation.include));
    match &relation.load {
        Load::IfIncluded => {}
        Load::Always => methods.push(code::call("load_always", [])),
        Load::For(names) => {
            let names = code::list(names.iter().map(|name| code::text(name)));
            methods.push(code::call("load_for", [names]));
        }
    }
    if relation.sync {
        methods.push(code::call("sync", []));
    }
    if let Some(kind) = &relation.json_type {
        methods.push(code::call("json_type", [code::text(kind)]));
    }
    methods
}

/// Whether a relation leads to a list.
pub(crate) fn is_many(relation: &Relation) -> bool {
    let to_one = matches!(
        relation.kind,
        RelationKind::BelongsTo { .. }
            | RelationKind::HasOne { .. }
            | RelationKind::MorphOne(_)
            | RelationKind::MorphTo { .. }
    );
    !relation.first && !to_one
}

fn include(include: Include) -> Option<String> {
    let allow = |caller: &str| code::call("include_for", [format!("Allow::{caller}")]);
    match include {
        Include::Never => None,
        Include::Default => Some(code::call("include_default", [])),
        Include::Allowed(Context::Users) => Some(allow("Users")),
        Include::Allowed(Context::Customer) => Some(allow("Customer")),
        Include::Allowed(Context::Admin) => Some(allow("Admin")),
        Include::Allowed(Context::All | Context::Guest) => Some(code::call("include", [])),
    }
}

fn is_primary(
    project: &Project,
    resource: &Resource,
    relation: &Relation,
    column: &str,
    target_key: &str,
) -> bool {
    let reference = local(resource, column)
        .1
        .and_then(|attribute| attribute.references.as_ref());
    match (reference, project.find(&relation.target)) {
        (Some(reference), _) if reference.column == target_key => reference.is_primary,
        (_, Some((_, target))) => target.model.key.name == target_key,
        // A table of the runtime's own, which relations reach by its key.
        (_, None) => true,
    }
}

/// A condition's value: the runtime converts bool, integers and text.
fn compared(value: &Literal) -> String {
    match value {
        Literal::Null => "Value::Null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => column::rust(&ColumnType::BigInt, &Literal::Int(*value)),
        Literal::Number(text) | Literal::Text(text) | Literal::Json(text) => code::text(text),
    }
}

fn pivot(pivot: &Pivot) -> String {
    let args = [&pivot.table, &pivot.column, &pivot.other_column].map(|text| code::text(text));
    code::call("pivot", args)
}

fn morph(morph: &Morph) -> String {
    code::call("morph", [code::text(&morph.name), code::text(&morph.value)])
}
