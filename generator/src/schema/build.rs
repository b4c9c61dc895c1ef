//! Tables of a project.

use std::collections::BTreeMap;

use super::table::{Column, ForeignKey, Index, Schema, Table, canonical};
use crate::project::{
    Attribute, ColumnType, Extension, Literal, Morph, Pivot, Project, Relation, RelationKind,
    Resource, Rule,
};

impl Schema {
    /// The tables Formwork manages for a project, pivots included.
    pub fn of(project: &Project) -> Self {
        let keys = primary_keys(project);
        let mut tables = BTreeMap::new();
        for (extension, resource) in managed(project) {
            let table = table(extension, resource, &keys);
            tables.insert(table.name.clone(), table);
        }
        for (extension, resource) in project.registered() {
            for relation in &resource.model.relations {
                let pivot = pivot(project, extension, resource, relation, &keys);
                tables.extend(pivot.map(|table| (table.name.clone(), table)));
            }
        }
        for (_, resource) in project.registered() {
            for relation in &resource.model.relations {
                index_target(project, relation, &mut tables);
            }
        }
        tables.values_mut().for_each(leave_out_redundant);
        Self { tables }
    }
}

/// Leaves out indexes whose columns begin another index: that one serves the same queries and foreign keys.
fn leave_out_redundant(table: &mut Table) {
    let all = table.indexes.clone();
    let is_longer = |index: &Index, other: &Index| {
        other.columns.len() > index.columns.len() && other.columns.starts_with(&index.columns)
    };
    table
        .indexes
        .retain(|index| index.unique || !all.iter().any(|other| is_longer(index, other)));
}

/// Primary keys of managed tables.
type Keys = BTreeMap<String, String>;

fn primary_keys(project: &Project) -> Keys {
    let key = |resource: &Resource| {
        (
            resource.model.table.clone(),
            resource.model.key.name.clone(),
        )
    };
    managed(project)
        .map(|(_, resource)| key(resource))
        .collect()
}

fn managed(project: &Project) -> impl Iterator<Item = (&Extension, &Resource)> {
    project
        .registered()
        .filter(|(_, resource)| resource.model.managed)
}

fn unit(extension: &Extension, resource: &Resource) -> String {
    format!("{}.{}", extension.folder, resource.key)
}

fn table(extension: &Extension, resource: &Resource, keys: &Keys) -> Table {
    let model = &resource.model;
    let mut columns = vec![Column::new(&model.key.name, &model.key.kind)];
    columns.extend(
        model
            .attributes
            .iter()
            .map(|attribute| column(attribute, keys)),
    );
    if model.timestamps {
        let stamp = |name| Column {
            nullable: true,
            ..Column::new(name, &ColumnType::DateTime)
        };
        columns.extend(["created_at", "updated_at"].map(stamp));
    }
    let mut table = Table {
        name: model.table.clone(),
        unit: unit(extension, resource),
        primary: vec![model.key.name.clone()],
        counted: model.key.kind == ColumnType::BigInt,
        columns,
        ..Table::default()
    };
    index(&mut table, resource);
    table
}

fn column(attribute: &Attribute, keys: &Keys) -> Column {
    let points = attribute.references.as_ref();
    // No row has the key 0: on such a column it means no row.
    let nothing = Some(Literal::Int(0));
    let default = attribute
        .default
        .as_ref()
        .filter(|_| points.is_none() || attribute.default != nothing);
    let references = points
        .filter(|to| attribute.constraint && to.is_primary)
        .filter(|to| keys.get(&to.table) == Some(&to.column))
        .map(|to| ForeignKey {
            table: to.table.clone(),
            column: to.column.clone(),
        });
    Column {
        native: attribute.native_storage,
        nullable: attribute.nullable,
        default: default.and_then(|value| canonical(&attribute.kind, value)),
        references,
        ..Column::new(&attribute.name, &attribute.kind)
    }
}

fn index(table: &mut Table, resource: &Resource) {
    for attribute in &resource.model.attributes {
        let name = vec![attribute.name.clone()];
        let rules = &attribute.rules;
        let mut rules = rules.all.iter().chain(&rules.store).chain(&rules.update);
        if attribute.unique || rules.any(|rule| *rule == Rule::Unique) {
            table.index(name, true);
        } else if attribute.index || attribute.references.is_some() {
            table.index(name, false);
        }
    }
    let owner = resource.api.as_ref().and_then(|api| api.owner.clone());
    table.index(owner.into_iter().collect(), false);
    for columns in &resource.model.indexes {
        table.index(columns.clone(), false);
    }
    for relation in &resource.model.relations {
        if let RelationKind::MorphTo { morph, .. } = &relation.kind {
            table.index(morphed(morph), false);
        }
    }
}

fn morphed(morph: &str) -> Vec<String> {
    vec![format!("{morph}_type"), format!("{morph}_id")]
}

/// The columns by which a relation finds rows of another table.
fn index_target(project: &Project, relation: &Relation, tables: &mut BTreeMap<String, Table>) {
    let columns = match &relation.kind {
        RelationKind::HasOne { column } | RelationKind::HasMany { column } => vec![column.clone()],
        RelationKind::MorphOne(Morph { name, .. })
        | RelationKind::MorphMany(Morph { name, .. }) => morphed(name),
        _ => return,
    };
    let target = project
        .find(&relation.target)
        .map(|(_, target)| target.model.table.as_str());
    if let Some(table) = target.and_then(|name| tables.get_mut(name)) {
        table.index(columns, false);
    }
}

/// A pivot: its primary key serves one side, an index the other.
fn pivot(
    project: &Project,
    extension: &Extension,
    resource: &Resource,
    relation: &Relation,
    keys: &Keys,
) -> Option<Table> {
    let (pivot, morph) = match &relation.kind {
        RelationKind::ManyToMany(pivot) => (pivot, None),
        RelationKind::MorphManyToMany { pivot, morph } => (pivot, Some(morph)),
        _ => return None,
    };
    if !pivot.owned {
        return None;
    }
    let target = project.find(&relation.target).map(|(_, target)| target);
    let own = match morph {
        Some(_) => Column::new(&pivot.column, &resource.model.key.kind),
        None => side(&pivot.column, Some(resource), keys),
    };
    let other = side(&pivot.other_column, target, keys);
    let kind =
        morph.map(|morph| Column::new(format!("{}_type", morph.name), &ColumnType::String(255)));
    Some(pivot_table(
        unit(extension, resource),
        pivot,
        kind.into_iter().chain([own, other]).collect(),
    ))
}

fn pivot_table(unit: String, pivot: &Pivot, columns: Vec<Column>) -> Table {
    let mut table = Table {
        name: pivot.table.clone(),
        unit,
        primary: columns.iter().map(|column| column.name.clone()).collect(),
        columns,
        ..Table::default()
    };
    table.index(vec![pivot.other_column.clone()], false);
    table
}

/// A column of a pivot. A target without a manifest is the runtime's own, whose keys are counted.
fn side(name: &str, resource: Option<&Resource>, keys: &Keys) -> Column {
    let Some(resource) = resource else {
        return Column::new(name, &ColumnType::BigInt);
    };
    let model = &resource.model;
    let references = keys.get(&model.table).map(|key| ForeignKey {
        table: model.table.clone(),
        column: key.clone(),
    });
    Column {
        references,
        ..Column::new(name, &model.key.kind)
    }
}
