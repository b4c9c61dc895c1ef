//! Former names: all `was:` of the manifests.

use std::collections::BTreeMap;

use crate::project::{Project, RelationKind, Resource};

/// Former names by present ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Former {
    /// Units.
    pub units: BTreeMap<String, String>,
    /// Tables.
    pub tables: BTreeMap<String, String>,
    /// Columns of a table, by its present name.
    pub columns: BTreeMap<String, BTreeMap<String, String>>,
    /// Values of rows that are the name of a resource.
    pub values: Vec<StoredValue>,
}

/// The name of a resource in rows of a polymorphic relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredValue {
    /// The unit whose resource it names.
    pub unit: String,
    /// Where it is stored.
    pub table: String,
    /// The column.
    pub column: String,
    /// The former name.
    pub from: String,
    /// The present one.
    pub to: String,
}

impl StoredValue {
    /// The rename back.
    pub fn reversed(&self) -> Self {
        let Self { from, to, .. } = self.clone();
        Self {
            from: to,
            to: from,
            ..self.clone()
        }
    }
}

impl Former {
    /// The former names in the manifests of a project.
    pub fn of(project: &Project) -> Self {
        let mut former = Self {
            units: project.former_units(),
            ..Self::default()
        };
        for (extension, resource) in project.registered() {
            let unit = format!("{}.{}", extension.folder, resource.key);
            former.model(resource);
            former.pivots(resource);
            former.values(project, unit, resource);
        }
        former
    }

    fn model(&mut self, resource: &Resource) {
        let model = &resource.model;
        if let Some(was) = model.table_was.as_ref().filter(|was| **was != model.table) {
            self.tables.insert(model.table.clone(), was.clone());
        }
        let attributes = model.attributes.iter();
        let columns = attributes.map(|attribute| (&attribute.name, &attribute.was));
        for (name, was) in columns.chain([(&model.key.name, &model.key.was)]) {
            if let Some(was) = was {
                self.column(&model.table, name, was);
            }
        }
    }

    fn column(&mut self, table: &str, name: &str, was: &str) {
        if name != was {
            let columns = self.columns.entry(table.to_owned()).or_default();
            columns.insert(name.to_owned(), was.to_owned());
        }
    }

    fn pivots(&mut self, resource: &Resource) {
        for relation in &resource.model.relations {
            let (RelationKind::ManyToMany(pivot) | RelationKind::MorphManyToMany { pivot, .. }) =
                &relation.kind
            else {
                continue;
            };
            let Some(was) = &pivot.was else { continue };
            if was.table != pivot.table {
                self.tables.insert(pivot.table.clone(), was.table.clone());
            }
            self.column(&pivot.table, &pivot.column, &was.column);
            self.column(&pivot.table, &pivot.other_column, &was.other_column);
        }
    }

    fn values(&mut self, project: &Project, unit: String, resource: &Resource) {
        let Some(was) = &resource.was else { return };
        for relation in &resource.model.relations {
            let target = project.find(&relation.target);
            let (morph, table) = match &relation.kind {
                RelationKind::MorphOne(morph) | RelationKind::MorphMany(morph) => {
                    (morph, target.map(|(_, target)| target.model.table.clone()))
                }
                RelationKind::MorphManyToMany { morph, pivot } => {
                    (morph, Some(pivot.table.clone()))
                }
                _ => continue,
            };
            let Some(table) = table.filter(|_| morph.value == resource.key) else {
                continue;
            };
            let value = StoredValue {
                unit: unit.clone(),
                table,
                column: format!("{}_type", morph.name),
                from: was.clone(),
                to: resource.key.clone(),
            };
            if !self.values.contains(&value) {
                self.values.push(value);
            }
        }
    }
}
