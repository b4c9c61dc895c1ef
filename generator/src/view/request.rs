//! The request: what a body may hold.

use serde::Serialize;

use super::code::{self, Code};
use super::rule;
use crate::name;
use crate::project::{Access, Api, Attribute, ColumnType, Project, Relation, Resource, Rule};

/// Parts of `request.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RequestView {
    /// `const ATTRIBUTES: … = …;`
    attributes: String,
    /// Whether any rule is named.
    rules: bool,
}

impl RequestView {
    pub(crate) fn new(project: &Project, resource: &Resource, api: &Api) -> Self {
        let model = &resource.model;
        let key = key(resource);
        let columns = model
            .attributes
            .iter()
            .filter(|attribute| is_written(attribute));
        let columns = columns.flat_map(|attribute| column(attribute, is_admins(attribute, api)));
        let synced = model.relations.iter().filter(|relation| relation.sync);
        let synced = synced.flat_map(|relation| ids(project, relation));
        let attributes: Vec<Code> = key.into_iter().chain(columns).chain(synced).collect();
        Self {
            rules: attributes.iter().any(has_rules),
            attributes: code::constant(
                "const ATTRIBUTES: &'static [Attribute]",
                &Code::List(attributes),
            ),
        }
    }
}

/// Whether some body may write the attribute (http.md "Mass assignment").
pub(crate) fn is_written(attribute: &Attribute) -> bool {
    let open = !matches!(attribute.access, Access::ReadOnly | Access::Hidden);
    open && !attribute.set_by_hook
}

/// Whether only administrators write it. The owner is one of these: for a customer, store sets it.
pub(crate) fn is_admins(attribute: &Attribute, api: &Api) -> bool {
    let owner = api.owner.as_ref() == Some(&attribute.name);
    attribute.access == Access::AdminWrite || owner
}

/// A key that the client sends.
fn key(resource: &Resource) -> Option<Code> {
    let ColumnType::String(length) = resource.model.key.kind else {
        return None;
    };
    let rules = [Rule::String, Rule::Max(length.to_string())];
    let once = Code::call("on_store", [rules_of(&[Rule::Required, Rule::Unique])]);
    Some(chain(
        attribute(&resource.model.key.name, &rules),
        vec![once],
    ))
}

fn column(of: &Attribute, admin: bool) -> Vec<Code> {
    let mut all = of.rules.all.clone();
    let json = of.kind == ColumnType::Json && !all.contains(&Rule::Array);
    let list = all.drain(..).map(|one| rule::call(&one));
    let list: Vec<Code> = list.chain(json.then(|| Code::call("json", []))).collect();
    let mut methods = Vec::new();
    for (name, rules) in [
        ("on_store", &of.rules.store),
        ("on_update", &of.rules.update),
    ] {
        if !rules.is_empty() {
            methods.push(Code::call(name, [rules_of(rules)]));
        }
    }
    if admin {
        methods.push(Code::call("admin", []));
    }
    let own = Code::call("attribute", [Code::text(&of.name), Code::List(list)]);
    let mut lines = vec![chain(own, methods)];
    if !of.rules.items.is_empty() {
        let items = attribute(&format!("{}.*", of.name), &of.rules.items);
        let admin = admin.then(|| Code::call("admin", []));
        lines.push(chain(items, admin.into_iter().collect()));
    }
    lines
}

/// The ids a relation with `write: sync` takes.
fn ids(project: &Project, relation: &Relation) -> [Code; 2] {
    let key = project
        .find(&relation.target)
        .map(|(_, target)| &target.model.key.kind);
    let rule = match key {
        Some(ColumnType::Uuid) => Rule::Uuid,
        Some(ColumnType::String(_)) => Rule::String,
        _ => Rule::Integer,
    };
    [
        attribute(&relation.name, &[Rule::Nullable, Rule::Array]),
        attribute(&format!("{}.*", relation.name), &[rule]),
    ]
}

fn attribute(name: &str, rules: &[Rule]) -> Code {
    Code::call("attribute", [Code::text(name), rules_of(rules)])
}

fn rules_of(rules: &[Rule]) -> Code {
    Code::List(rules.iter().map(rule::call).collect())
}

fn chain(first: Code, methods: Vec<Code>) -> Code {
    if methods.is_empty() {
        first
    } else {
        Code::Chain(Box::new(first), methods)
    }
}

/// Whether a list in it names a rule.
fn has_rules(code: &Code) -> bool {
    match code {
        Code::List(rules) => !rules.is_empty(),
        Code::Call(_, args) => args.iter().any(has_rules),
        Code::Chain(first, rest) => has_rules(first) || rest.iter().any(has_rules),
        _ => false,
    }
}

/// The field and Rust code of a `belongs_to` or `morph_to` column.
pub(crate) fn local<'r>(resource: &'r Resource, column: &str) -> (String, Option<&'r Attribute>) {
    let attribute = resource
        .model
        .attributes
        .iter()
        .find(|attribute| attribute.name == column);
    let field = attribute.map_or_else(|| name::field(column), |attribute| attribute.field.clone());
    (field, attribute)
}
