//! The resource's page in `docs/`: endpoints, attributes, includes, filters, abilities.

use serde::Serialize;

use super::{example, relation, request, rule, text};
use crate::column;
use crate::project::{
    Access, Action, Api, Attribute, Context, FilterKind, Include, Literal, Project, RelationKind,
    Resource,
};

/// Parts of `docs/<key>.md`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct DocsView {
    /// The whole description, a paragraph a line.
    description: String,
    endpoints: Vec<EndpointView>,
    attributes: Vec<AttributeView>,
    includes: Vec<IncludeView>,
    filters: Vec<FilterView>,
    /// Sentences about sort, search and filter.
    lists: Vec<String>,
    /// A list of code, empty where there are none.
    abilities: String,
    page_limit: u32,
    max_page_limit: u32,
    owner: String,
}

#[derive(Debug, Clone, Serialize)]
struct EndpointView {
    method: &'static str,
    path: String,
    who: &'static str,
    answer: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct AttributeView {
    name: String,
    kind: String,
    access: &'static str,
    rules: String,
    notes: String,
}

#[derive(Debug, Clone, Serialize)]
struct IncludeView {
    name: String,
    target: String,
    many: bool,
    note: String,
}

#[derive(Debug, Clone, Serialize)]
struct FilterView {
    name: String,
    meaning: String,
}

impl DocsView {
    pub(crate) fn new(project: &Project, resource: &Resource, api: &Api) -> Self {
        let path = format!("{}/{}", project.api_prefix, resource.key);
        Self {
            description: text::described(resource).unwrap_or_default(),
            endpoints: api
                .actions
                .iter()
                .map(|entry| endpoint(entry.action, entry.context, &path))
                .collect(),
            attributes: attributes(resource, api),
            includes: includes(resource),
            filters: api.filters.iter().map(filter).collect(),
            lists: lists(api),
            abilities: codes(&api.abilities, "or"),
            page_limit: api.page_limit,
            max_page_limit: api.max_page_limit,
            owner: api.owner.clone().unwrap_or_default(),
        }
    }
}

fn lists(api: &Api) -> Vec<String> {
    let lists = [
        ("sort", &api.sort),
        ("filter", &api.filter),
        ("search", &api.search),
    ];
    let listed = lists.iter().filter(|(_, columns)| !columns.is_empty());
    listed
        .map(|(parameter, columns)| format!("`{parameter}` by {}", codes(columns, "and")))
        .collect()
}

fn endpoint(action: Action, context: Context, path: &str) -> EndpointView {
    let one = format!("{path}/<id>");
    let (method, path, answer) = match action {
        Action::Index => ("GET", path.to_owned(), "200, a page of records"),
        Action::Create => (
            "GET",
            format!("{path}/create"),
            "200, a blank record and its form",
        ),
        Action::Store => ("POST", path.to_owned(), "201, the record"),
        Action::Show => ("GET", one, "200, the record"),
        Action::Edit => ("GET", format!("{one}/edit"), "200, the record and its form"),
        Action::Update => ("PUT, PATCH", one, "200, the record"),
        Action::Destroy => ("DELETE", one, "204"),
    };
    EndpointView {
        method,
        path,
        who: who(context),
        answer,
    }
}

fn who(context: Context) -> &'static str {
    match context {
        Context::All => "everybody",
        Context::Guest => "requests without a token",
        Context::Users => "every token",
        Context::Customer => "customers",
        Context::Admin => "administrators",
    }
}

fn attributes(resource: &Resource, api: &Api) -> Vec<AttributeView> {
    let shown = resource
        .model
        .attributes
        .iter()
        .filter(|one| one.access != Access::Hidden);
    shown.map(|one| attribute(one, api)).collect()
}

fn attribute(of: &Attribute, api: &Api) -> AttributeView {
    let kind = column::column(&of.kind).manifest;
    let rules: Vec<String> = of.rules.all.iter().map(rule::words).collect();
    let by_action = [
        ("on store", &of.rules.store),
        ("on update", &of.rules.update),
    ];
    let by_action = by_action
        .iter()
        .filter(|(_, rules)| !rules.is_empty())
        .map(|(when, rules)| {
            let rules: Vec<String> = rules.iter().map(rule::words).collect();
            format!("{when}: `{}`", rules.join("|"))
        });
    let mut parts = Vec::new();
    if !rules.is_empty() {
        parts.push(format!("`{}`", rules.join("|")));
    }
    parts.extend(by_action);
    AttributeView {
        name: of.name.clone(),
        kind: if of.nullable {
            format!("{kind}, nullable")
        } else {
            kind
        },
        access: access(of, api),
        rules: text::cell(&parts.join("; ")),
        notes: notes(of),
    }
}

fn access(of: &Attribute, api: &Api) -> &'static str {
    match of.access {
        Access::WriteOnly => "write only",
        _ if !request::is_written(of) => "read only",
        _ if request::is_admins(of, api) => "administrators write",
        _ => "read and write",
    }
}

fn notes(of: &Attribute) -> String {
    let mut notes: Vec<String> = of.description.iter().map(|text| text::line(text)).collect();
    if let Some(value) = of.default.as_ref().filter(|value| **value != Literal::Null) {
        notes.push(format!("Default `{}`.", column::json(value)));
    }
    let asked = of.example.is_some() && request::is_written(of);
    if let Some(value) = example::value(of).filter(|_| asked) {
        notes.push(format!("Example `{value}`."));
    }
    text::cell(&notes.join(" "))
}

fn includes(resource: &Resource) -> Vec<IncludeView> {
    let open = resource
        .model
        .relations
        .iter()
        .filter(|one| one.include != Include::Never);
    open.map(|relation| IncludeView {
        name: relation.name.clone(),
        target: match &relation.kind {
            RelationKind::MorphTo { targets, .. } => codes(
                &targets
                    .iter()
                    .map(|(_, key)| key.clone())
                    .collect::<Vec<_>>(),
                "or",
            ),
            _ => format!("`{}`", relation.target),
        },
        many: relation::is_many(relation),
        note: match relation.include {
            Include::Default => "shown unless excluded".to_owned(),
            Include::Allowed(Context::All) | Include::Never => String::new(),
            Include::Allowed(context) => format!("{} only", who(context)),
        },
    })
    .collect()
}

fn filter(filter: &crate::project::NamedFilter) -> FilterView {
    let meaning = match &filter.kind {
        FilterKind::Column(column) => format!("`{column}` is one of these values"),
        FilterKind::Custom => format!(
            "see `{}` in the repository",
            crate::name::field(&filter.name)
        ),
    };
    let default = filter
        .default
        .as_ref()
        .map(|value| format!("; `{value}` unless sent"));
    FilterView {
        name: filter.name.clone(),
        meaning: meaning + &default.unwrap_or_default(),
    }
}

fn codes(words: &[String], and: &str) -> String {
    let codes: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    text::listing(&codes, and)
}

/// `"index"`, `"destroy:admin"`: entries of a registration record.
pub(crate) fn entries(api: &Api) -> Vec<String> {
    let entry = |action: Action, context: Context| match context {
        Context::All => action.name().to_owned(),
        context => format!("{}:{}", action.name(), context.name()),
    };
    api.actions
        .iter()
        .map(|one| entry(one.action, one.context))
        .collect()
}
