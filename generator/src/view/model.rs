//! The model: a row of the table.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{code, enums, relation, text};
use crate::column;
use crate::name;
use crate::project::{Access, Attribute, ColumnType, Literal, Model, Project, Resource};

/// Parts of `model.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ModelView {
    name: String,
    docs: Vec<String>,
    /// Functions of `formwork::literal` that `defaults` needs, as one `use`.
    literals: String,
    /// `Self::Key`.
    key_type: String,
    table: String,
    key: String,
    /// The constants `KEY_WITH`, `HIDDEN`, `DEFAULTED` and `COMPUTED`, each where it lists a column, and `MANAGED` where it is false.
    lists: Vec<String>,
    fields: Vec<FieldView>,
    /// `pub const MENU_ID: &'static str = "menu_id";`
    constants: Vec<String>,
    enums: Vec<enums::EnumView>,
    /// `use super::columns::{…};` where the columns have a file of their own; empty without enums.
    enum_imports: String,
    /// `use columns::{…};`, which the resource's `mod.rs` makes public.
    enum_exports: String,
    /// Calls of the column visitor.
    columns: Vec<String>,
    /// The whole literal `defaults` returns; empty where every default is its type's own.
    defaults: String,
    relations: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
struct FieldView {
    docs: Vec<String>,
    /// `#[serde(skip)]` and the like.
    attribute: String,
    name: String,
    kind: String,
}

impl ModelView {
    pub(crate) fn new(project: &Project, resource: &Resource) -> Self {
        let model = &resource.model;
        let attributes = model.attributes.iter();
        let defaults = attributes.filter_map(|attribute| default(resource, attribute));
        let enums = enums::of(resource);
        let names = enums::names(&enums);
        Self {
            name: resource.names.model.clone(),
            docs: docs(resource),
            literals: literals(&model.attributes),
            key_type: column::rust_type(&model.key.kind, false),
            table: model.table.clone(),
            key: model.key.name.clone(),
            lists: lists(model),
            fields: fields(resource),
            constants: constants(resource),
            enum_imports: imports("super::columns", &names),
            enum_exports: imports("columns", &names),
            enums,
            columns: columns(resource),
            defaults: literal(defaults.collect()),
            relations: model
                .relations
                .iter()
                .map(|relation| relation::line(project, resource, relation))
                .collect(),
        }
    }
}

fn imports(path: &str, names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("use {path}::{one};"),
        several => code::import(path, several.to_vec()),
    }
}

/// The description, or `A menu.`
fn docs(resource: &Resource) -> Vec<String> {
    match text::described(resource) {
        Some(_) => text::doc(&resource.description),
        None => vec![format!(
            "{}.",
            text::capital(&text::with_article(&resource.names.singular_words))
        )],
    }
}

fn fields(resource: &Resource) -> Vec<FieldView> {
    let model = &resource.model;
    let key_field = name::field(&model.key.name);
    let mut fields = vec![FieldView {
        docs: Vec::new(),
        attribute: renamed(&key_field, "id"),
        name: key_field,
        kind: column::rust_type(&model.key.kind, false),
    }];
    fields.extend(model.attributes.iter().map(|attribute| {
        FieldView {
            docs: attribute
                .description
                .as_deref()
                .map(text::doc)
                .unwrap_or_default(),
            attribute: serde(attribute),
            name: attribute.field.clone(),
            kind: enums::field_type(resource, attribute),
        }
    }));
    if model.timestamps {
        fields.extend(["created_at", "updated_at"].map(|name| FieldView {
            docs: Vec::new(),
            attribute: String::new(),
            name: name.to_owned(),
            kind: "Option<DateTime>".to_owned(),
        }));
    }
    fields
}

/// Constants of the columns, so that a query which names one that is not there does not compile.
fn constants(resource: &Resource) -> Vec<String> {
    let model = &resource.model;
    let key = (name::field(&model.key.name), model.key.name.clone());
    let attributes = model.attributes.iter();
    let own = attributes.map(|attribute| (attribute.field.clone(), attribute.name.clone()));
    let times = ["created_at", "updated_at"].map(|name| (name.to_owned(), name.to_owned()));
    let times = times.into_iter().filter(|_| model.timestamps);
    let all = std::iter::once(key).chain(own).chain(times);
    let mut taken = BTreeSet::from(RESERVED.map(str::to_owned));
    all.map(|(field, name)| {
        let mut constant = field.trim_start_matches("r#").to_uppercase();
        if taken.contains(&constant) {
            constant.push_str("_COLUMN");
        }
        while !taken.insert(constant.clone()) {
            constant.push('_');
        }
        format!(
            "pub const {constant}: &'static str = {};",
            code::text(&name)
        )
    })
    .collect()
}

/// Constants of the trait `Model`, which a constant of the type would hide.
const RESERVED: [&str; 7] = [
    "COMPUTED",
    "DEFAULTED",
    "HIDDEN",
    "KEY",
    "KEY_WITH",
    "MANAGED",
    "TABLE",
];

/// The serde attribute of a field. Hidden fields are skipped; serde strips `r#` by itself.
fn serde(attribute: &Attribute) -> String {
    if is_hidden(attribute) {
        return "#[serde(skip)]".to_owned();
    }
    renamed(&attribute.field, &attribute.name)
}

/// Whether the attribute never leaves.
pub(crate) fn is_hidden(attribute: &Attribute) -> bool {
    matches!(attribute.access, Access::Hidden | Access::WriteOnly)
}

/// Constants of a model; `MANAGED` only where another program makes the table.
fn lists(model: &Model) -> Vec<String> {
    let attributes = &model.attributes;
    let list = |name: &str, is_in: fn(&Attribute) -> bool| {
        let found = attributes.iter().filter(|attribute| is_in(attribute));
        let names: Vec<String> = found.map(|attribute| attribute.name.clone()).collect();
        code::list_constant(name, &names)
    };
    let lists = [
        code::list_constant("KEY_WITH", &model.key.with),
        list("HIDDEN", is_hidden),
        list("DEFAULTED", |one| one.set_by_database && !one.is_computed()),
        list("COMPUTED", Attribute::is_computed),
    ];
    let managed = (!model.managed).then(|| "const MANAGED: bool = false;".to_owned());
    let lists = lists.into_iter().filter(|list| !list.is_empty());
    lists.chain(managed).collect()
}

fn renamed(field: &str, name: &str) -> String {
    if field.trim_start_matches("r#") == name {
        return String::new();
    }
    format!("#[serde(rename = {})]", column::rust_words(name))
}

fn columns(resource: &Resource) -> Vec<String> {
    let model = &resource.model;
    let visit = |method: &str, name: &str, field: &str| {
        let args = [code::text(name), format!("&mut self.{field}")];
        code::call(&format!("to.{method}"), args)
    };
    let key = visit("key", &model.key.name, &name::field(&model.key.name));
    let own = model.attributes.iter().map(|attribute| {
        let method = if attribute.native_storage {
            "native"
        } else {
            "column"
        };
        visit(method, &attribute.name, &attribute.field)
    });
    let mut columns: Vec<String> = std::iter::once(key).chain(own).collect();
    if model.timestamps {
        columns.push("to.created_at(&mut self.created_at)".to_owned());
        columns.push("to.updated_at(&mut self.updated_at)".to_owned());
    }
    columns
}

/// Field and value of a default that is not the type's own.
fn default<'r>(resource: &Resource, attribute: &'r Attribute) -> Option<(&'r str, String)> {
    let value = own_default(attribute)?;
    let variant = match value {
        Literal::Text(text) => enums::literal(resource, attribute, text),
        _ => None,
    };
    let expression = variant.unwrap_or_else(|| column::rust(&attribute.kind, value));
    let expression = if attribute.is_optional() {
        format!("Some({expression})")
    } else {
        expression
    };
    Some((&attribute.field, expression))
}

fn own_default(attribute: &Attribute) -> Option<&Literal> {
    let value = attribute.default.as_ref()?;
    (!column::is_zero(&attribute.kind, attribute.nullable, value)).then_some(value)
}

fn literal(mut defaults: Vec<(&str, String)>) -> String {
    if defaults.is_empty() {
        return String::new();
    }
    defaults.push(("..", "Self::default()".to_owned()));
    code::record("Self", defaults)
}

fn literals(attributes: &[Attribute]) -> String {
    let used: BTreeSet<&str> = attributes
        .iter()
        .filter(|attribute| own_default(attribute).is_some())
        .filter_map(|attribute| column::column(&attribute.kind).literal)
        .collect();
    match used.iter().copied().collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        [one] => format!("use formwork::literal::{one};"),
        several => format!("use formwork::literal::{{{}}};", several.join(", ")),
    }
}

/// Whether the attribute's value is `Copy`.
pub(crate) fn is_copy(kind: &ColumnType) -> bool {
    column::column(kind).copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_the_trait_are_reserved() {
        let source = include_str!("../../../runtime/data/src/model.rs");
        let (_, model) = source.split_once("pub trait Model").expect("the trait");
        let (model, _) = model.split_once("\n}").expect("its end");
        let constants = model
            .lines()
            .filter_map(|line| line.strip_prefix("    const "));
        let names = constants.filter_map(|rest| rest.split(':').next());
        let names: Vec<&str> = names.collect();
        assert!(names.len() > 3, "{names:?}");
        for name in names {
            assert!(RESERVED.contains(&name), "{name}");
        }
    }
}
