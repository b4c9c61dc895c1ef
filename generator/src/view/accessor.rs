//! Typed accessors of a resource's relations: the trait that its transformer reads them by.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{code, relation::is_many};
use crate::name;
use crate::project::{Project, Relation, RelationKind, Resource};

/// Parts of `relations.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RelationsView {
    /// Types of the same extension that relations lead to, as `use` lines.
    imports: Vec<String>,
    accessors: Vec<AccessorView>,
}

#[derive(Debug, Clone, Serialize)]
struct AccessorView {
    /// `fn categories(&self) -> Result<Vec<&Category>>`.
    signature: String,
    /// `self.to_many("categories")`.
    body: String,
}

impl RelationsView {
    /// `None` where the resource has no relations.
    pub(crate) fn new(project: &Project, resource: &Resource) -> Option<Self> {
        let relations = &resource.model.relations;
        if relations.is_empty() {
            return None;
        }
        let types = Types::new(project, resource);
        let mut taken = BTreeSet::new();
        let accessors = relations.iter().map(|relation| {
            let mut name = name::accessor(&relation.name);
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            accessor(&name, relation, &types)
        });
        Some(Self {
            accessors: accessors.collect(),
            imports: types.imports(),
        })
    }
}

/// Extensions do not know each other's crates: what a relation leads to elsewhere is said by the caller.
fn accessor(name: &str, relation: &Relation, types: &Types<'_>) -> AccessorView {
    let known = types.of(relation);
    let generic = if known.is_some() { "" } else { "<T: Model>" };
    let kind = known.unwrap_or("T");
    let (method, kind) = match &relation.kind {
        RelationKind::MorphTo { .. } => ("morph_to", format!("Option<&{kind}>")),
        _ if is_many(relation) => ("to_many", format!("Vec<&{kind}>")),
        _ => ("to_one", format!("Option<&{kind}>")),
    };
    AccessorView {
        signature: format!("fn {name}{generic}(&self) -> Result<{kind}>"),
        body: code::call(&format!("self.{method}"), [code::text(&relation.name)]),
    }
}

/// Whether all records of a relation have one type.
fn has_one_type(relation: &Relation) -> bool {
    !matches!(relation.kind, RelationKind::MorphTo { .. })
}

/// The types of the extension that relations of a resource lead to, by key.
struct Types<'p> {
    /// Path and name of each type.
    by_key: BTreeMap<&'p str, (String, String)>,
}

impl<'p> Types<'p> {
    fn new(project: &'p Project, resource: &'p Resource) -> Self {
        let own = project
            .find(&resource.key)
            .map(|(extension, _)| &extension.folder);
        let mut by_key = BTreeMap::new();
        let relations = resource.model.relations.iter();
        for relation in relations.filter(|relation| has_one_type(relation)) {
            let Some((extension, target)) = project.find(&relation.target) else {
                continue;
            };
            if own == Some(&extension.folder) {
                by_key.insert(target.key.as_str(), path_and_name(resource, target));
            }
        }
        // Types whose names clash are written with their paths.
        let name = |(_, name): &(String, String)| name.clone();
        let names: Vec<String> = by_key.values().map(name).collect();
        let here = [&resource.names.model, &resource.names.relations];
        for (path, name) in by_key.values_mut() {
            let is_own = path == "super";
            let twice = names.iter().filter(|other| *other == name).count() > 1;
            if !is_own && (twice || here.contains(&&*name)) {
                *name = format!("{}::{name}", std::mem::take(path));
            }
        }
        Self { by_key }
    }

    /// The type of what a relation leads to; `None` where it is another extension's, or one of several.
    fn of(&self, relation: &Relation) -> Option<&str> {
        if !has_one_type(relation) {
            return None;
        }
        let found = self.by_key.get(relation.target.as_str());
        found.map(|(_, name)| name.as_str())
    }

    fn imports(&self) -> Vec<String> {
        let mut by_path: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, name) in self.by_key.values() {
            if !path.is_empty() && path != "super" {
                by_path.entry(path).or_default().push(name);
            }
        }
        let line = |(path, names): (&str, Vec<&str>)| match names[..] {
            [one] => format!("use {path}::{one};"),
            _ => code::import(path, names),
        };
        by_path.into_iter().map(line).collect()
    }
}

/// Where a type of the extension stands, and its name.
fn path_and_name(resource: &Resource, target: &Resource) -> (String, String) {
    let path = match &target.api {
        _ if target.key == resource.key => "super".to_owned(),
        Some(_) => format!("crate::api_resources::{}", target.names.module),
        None => "crate::models".to_owned(),
    };
    (path, target.names.model.clone())
}
