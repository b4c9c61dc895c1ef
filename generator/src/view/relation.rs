//! Relations: one line each of a model.

use super::{code::Code, request::local};
use crate::column;
use crate::project::{
    ColumnType, Context, Include, Literal, Morph, Pivot, Project, Relation, RelationKind, Resource,
};

/// `to.belongs_to_one("status", "statuses", "status_id").include();`
pub(crate) fn line(project: &Project, resource: &Resource, relation: &Relation) -> String {
    let first = declared(relation);
    let methods = methods(project, resource, relation);
    let code = if methods.is_empty() {
        first
    } else {
        Code::Chain(Box::new(first), methods)
    };
    format!("{};", code.lay_out(8, 8, 1))
}

fn declared(relation: &Relation) -> Code {
    let name = Code::text(&relation.name);
    let target = Code::text(&relation.target);
    match &relation.kind {
        RelationKind::BelongsTo { column, .. } => {
            Code::call("to.belongs_to_one", [name, target, Code::text(column)])
        }
        RelationKind::HasOne { column } => {
            Code::call("to.has_one", [name, target, Code::text(column)])
        }
        RelationKind::HasMany { column } => {
            Code::call("to.has_many", [name, target, Code::text(column)])
        }
        RelationKind::ManyToMany(by) => Code::call("to.belongs_to_many", [name, target, pivot(by)]),
        RelationKind::MorphOne(by) => Code::call("to.morph_one", [name, target, morph(by)]),
        RelationKind::MorphMany(by) => Code::call("to.morph_many", [name, target, morph(by)]),
        RelationKind::MorphTo { morph, targets } => morph_to(name, morph, targets),
        RelationKind::MorphManyToMany {
            pivot: by,
            morph: as_,
        } => Code::call("to.morph_to_many", [name, target, pivot(by), morph(as_)]),
    }
}

fn morph_to(name: Code, morph: &str, targets: &[(String, String)]) -> Code {
    let pairs = targets
        .iter()
        .map(|(value, key)| Code::Call(String::new(), vec![Code::text(value), Code::text(key)]));
    let kind = Code::text(&format!("{morph}_type"));
    let id = Code::text(&format!("{morph}_id"));
    Code::call(
        "to.morph_to_one",
        [name, Code::List(pairs.collect()), kind, id],
    )
}

fn methods(project: &Project, resource: &Resource, relation: &Relation) -> Vec<Code> {
    let mut methods = Vec::new();
    if let RelationKind::BelongsTo { column, target_key } = &relation.kind
        && !is_primary(project, resource, relation, column, target_key)
    {
        methods.push(Code::call("target_key", [Code::text(target_key)]));
    }
    for (column, value) in &relation.conditions {
        methods.push(Code::call(
            "condition",
            [Code::text(column), compared(value)],
        ));
    }
    for order in &relation.order {
        methods.push(Code::call("order", [Code::text(order)]));
    }
    if relation.first {
        methods.push(Code::call("first", []));
    }
    methods.extend(include(relation.include));
    if relation.load_always {
        methods.push(Code::call("load_always", []));
    }
    if relation.sync {
        methods.push(Code::call("sync", []));
    }
    if let Some(kind) = &relation.json_type {
        methods.push(Code::call("json_type", [Code::text(kind)]));
    }
    methods
}

fn include(include: Include) -> Option<Code> {
    let allow = |caller: &str| Code::call("include_for", [Code::word(format!("Allow::{caller}"))]);
    match include {
        Include::Never => None,
        Include::Default => Some(Code::call("include_default", [])),
        Include::Allowed(Context::Users) => Some(allow("Users")),
        Include::Allowed(Context::Customer) => Some(allow("Customer")),
        Include::Allowed(Context::Admin) => Some(allow("Admin")),
        Include::Allowed(Context::All | Context::Guest) => Some(Code::call("include", [])),
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
fn compared(value: &Literal) -> Code {
    match value {
        Literal::Null => Code::word("Value::Null"),
        Literal::Bool(value) => Code::word(value.to_string()),
        Literal::Int(value) => Code::word(column::rust(&ColumnType::BigInt, &Literal::Int(*value))),
        Literal::Number(text) | Literal::Text(text) | Literal::Json(text) => Code::text(text),
    }
}

fn pivot(pivot: &Pivot) -> Code {
    let args = [&pivot.table, &pivot.column, &pivot.other_column].map(|text| Code::text(text));
    Code::call("pivot", args)
}

fn morph(morph: &Morph) -> Code {
    Code::call("morph", [Code::text(&morph.name), Code::text(&morph.value)])
}
