//! The request: the attributes of a body, and their rules.

use serde::Serialize;

use super::code;
use super::rule;
use crate::name;
use crate::project::{
    Access, Api, Attribute, ColumnType, Project, Relation, Resource, Rule, Rules,
};

/// Parts of `request.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct RequestView {
    /// `const ATTRIBUTES: … = …;`
    attributes: String,
    /// Whether any rule is named.
    rules: bool,
    /// Lines of `fn rules`.
    own: Vec<String>,
    /// Functions for the user to fill.
    custom: Vec<UnfinishedView>,
}

impl RequestView {
    pub(crate) fn new(project: &Project, resource: &Resource, api: &Api) -> Self {
        let model = &resource.model;
        let key = key(resource);
        let columns = model
            .attributes
            .iter()
            .filter(|attribute| is_written(attribute));
        let rules = columns.clone().any(has_rules);
        let columns = columns.flat_map(|attribute| column(attribute, is_admins(attribute, api)));
        let synced = model.relations.iter().filter(|relation| relation.sync);
        let synced: Vec<String> = synced.flat_map(|relation| ids(project, relation)).collect();
        let own = own_rules(resource);
        Self {
            own: own.iter().map(|name| declared(name)).collect(),
            custom: own.iter().map(|name| unfinished(name, resource)).collect(),
            rules: rules || key.is_some() || !synced.is_empty(),
            attributes: format!(
                "const ATTRIBUTES: &'static [Attribute] = {};",
                code::table(key.into_iter().chain(columns).chain(synced))
            ),
        }
    }
}

fn unfinished(name: &str, resource: &Resource) -> UnfinishedView {
    let params = ["_ctx: &Context", "_value: &Json"].map(str::to_owned);
    let signature = code::signature(&name::field(name), &params, "Result<bool>");
    UnfinishedView::new(("rule", name), resource, format!("async {signature}"))
}

/// The names of the rules that are functions of the request, each once.
fn own_rules(resource: &Resource) -> Vec<String> {
    let attributes = resource.model.attributes.iter().filter(|it| is_written(it));
    let rules = attributes.flat_map(|attribute| attribute.rules.every());
    let mut names: Vec<String> = Vec::new();
    for name in rules.filter_map(Rule::function) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn declared(name: &str) -> String {
    let function = format!("Self::{}", name::field(name));
    let message = code::text("The :attribute field is invalid.");
    let call = code::call("to.add", [code::text(name), message, function]);
    format!("{call};")
}

/// Whether some body may write the attribute. What a hook sets is
/// written by a body too if the manifest names its writers.
pub(crate) fn is_written(attribute: &Attribute) -> bool {
    match attribute.access {
        Access::ReadOnly | Access::Hidden => false,
        Access::Write => !attribute.set_by_hook,
        Access::AdminWrite | Access::WriteOnly => true,
    }
}

/// Whether only administrators write it. The owner is one of these: for a customer, store sets it.
pub(crate) fn is_admins(attribute: &Attribute, api: &Api) -> bool {
    let owner = api.owner.as_ref() == Some(&attribute.name);
    attribute.access == Access::AdminWrite || owner
}

/// A key that the client sends.
fn key(resource: &Resource) -> Option<String> {
    let ColumnType::String(length) = resource.model.key.kind else {
        return None;
    };
    let rules = [Rule::String, Rule::Max(length.to_string())];
    let once = rules_of(&[Rule::Required, Rule::Unique]);
    let key = attribute(&resource.model.key.name, &rules);
    Some(format!("{key}.on_store({once})"))
}

fn column(of: &Attribute, admin: bool) -> Vec<String> {
    let rules = &of.rules;
    let json = of.kind == ColumnType::Json && !rules.all.contains(&Rule::Array);
    let all = rules.all.iter().map(rule::call);
    let all = code::list(all.chain(json.then(|| "json()".to_owned())));
    let mut own = code::call("attribute", [code::text(&of.name), all]);
    for (method, rules) in [("on_store", &rules.store), ("on_update", &rules.update)] {
        if !rules.is_empty() {
            own = format!("{own}.{}", code::call(method, [rules_of(rules)]));
        }
    }
    let mut lines = vec![own];
    if !rules.items.is_empty() {
        lines.push(attribute(&format!("{}.*", of.name), &rules.items));
    }
    if admin {
        lines.iter_mut().for_each(|line| line.push_str(".admin()"));
    }
    lines
}

/// Whether its lines name a rule.
fn has_rules(of: &Attribute) -> bool {
    of.kind == ColumnType::Json || of.rules != Rules::default()
}

/// The ids a relation with `write: sync` takes.
fn ids(project: &Project, relation: &Relation) -> [String; 2] {
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

fn attribute(name: &str, rules: &[Rule]) -> String {
    code::call("attribute", [code::text(name), rules_of(rules)])
}

fn rules_of(rules: &[Rule]) -> String {
    code::list(rules.iter().map(rule::call))
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

/// A function that is poured for the user to fill.
#[derive(Debug, Clone, Serialize)]
pub(super) struct UnfinishedView {
    name: String,
    signature: String,
    /// The body: an error that names the function.
    unfinished: String,
}

impl UnfinishedView {
    /// `what` is the kind of the function and its name: a rule, a filter.
    pub fn new((what, name): (&str, &str), resource: &Resource, signature: String) -> Self {
        let text = format!("the {what} `{name}` of {}", resource.names.plural_words);
        Self {
            name: name.to_owned(),
            signature,
            unfinished: format!("Err(Error::unfinished({}))", code::text(&text)),
        }
    }
}
