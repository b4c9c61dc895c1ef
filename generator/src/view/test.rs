//! The poured HTTP test: what holds for every resource of this shape.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{code, example, request, transformer};
use crate::column;
use crate::project::{
    Action, Api, Attribute, ColumnType, Context, FilterKind, Literal, Project, Resource, Rule,
};

/// Parts of `tests/<extension>_<key>.rs`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TestView {
    /// `bistro::service()`.
    service: String,
    path: String,
    /// Callers and the status of their list; empty where there is no list.
    list: Vec<ListView>,
    /// Caller that asks for a missing record; empty where no caller may.
    unknown: String,
    unknown_id: &'static str,
    /// Caller that stores an empty body; empty where no field is required.
    empty: String,
    /// `["menu_name", "menu_price"]`; empty where nothing is.
    missing: String,
    round: Option<RoundView>,
    json: bool,
}

#[derive(Debug, Clone, Serialize)]
struct ListView {
    caller: &'static str,
    status: u16,
}

/// Store, show, update, destroy.
#[derive(Debug, Clone, Serialize)]
struct RoundView {
    caller: &'static str,
    /// `json!({ … })`, laid out.
    body: String,
    /// The id in the answer.
    id: &'static str,
    /// An attribute that comes back as it was sent, and its value; empty where there is none.
    attribute: String,
    value: String,
    update: bool,
    destroy: bool,
}

impl TestView {
    pub(crate) fn new(project: &Project, resource: &Resource, api: &Api) -> Self {
        let callers = Callers { api };
        let missing = callers
            .of(&[Action::Store])
            .map(|caller| (caller, required(resource, api, caller)))
            .filter(|(_, fields)| !fields.is_empty());
        let round = round(resource, api);
        let empty = missing
            .as_ref()
            .map(|(caller, _)| *caller)
            .unwrap_or_default();
        Self {
            service: format!("{}::service()", project.library),
            path: format!("{}/{}", project.api_prefix, resource.key),
            list: list(api),
            unknown: callers.of(&[Action::Show]).unwrap_or_default().to_owned(),
            unknown_id: unknown_id(&resource.model.key.kind),
            json: !empty.is_empty() || round.is_some(),
            empty: empty.to_owned(),
            missing: missing
                .map(|(_, fields)| array(&fields))
                .unwrap_or_default(),
            round,
        }
    }
}

/// The array behind `    let required = `.
fn array(fields: &[String]) -> String {
    code::texts(fields).trim_start_matches('&').to_owned()
}

/// The callers that may call each action.
struct Callers<'a> {
    api: &'a Api,
}

impl Callers<'_> {
    /// The first caller that may call all these actions and is allowed most: `admin`, say.
    fn of(&self, actions: &[Action]) -> Option<&'static str> {
        let contexts: Option<Vec<Context>> = actions
            .iter()
            .map(|action| context(self.api, *action))
            .collect();
        let contexts = contexts?;
        ["admin", "customer", "guest"].into_iter().find(|caller| {
            contexts
                .iter()
                .all(|context| status(*context, caller) == 200)
        })
    }
}

fn context(api: &Api, action: Action) -> Option<Context> {
    api.actions
        .iter()
        .find(|entry| entry.action == action)
        .map(|entry| entry.context)
}

/// The status that a context gives a caller (docs/contract.md, "Access").
fn status(context: Context, caller: &str) -> u16 {
    match (context, caller) {
        (Context::All, _) | (Context::Guest, "guest") | (Context::Users, "admin" | "customer") => {
            200
        }
        (Context::Customer, "customer") | (Context::Admin, "admin") => 200,
        (_, "guest") => 401,
        _ => 403,
    }
}

fn list(api: &Api) -> Vec<ListView> {
    // A filter that applies by itself and is still to be written answers 500.
    let unfinished = api
        .filters
        .iter()
        .any(|filter| filter.kind == FilterKind::Custom && filter.default.is_some());
    match context(api, Action::Index) {
        Some(context) if !unfinished => ["guest", "customer", "admin"]
            .map(|caller| ListView {
                caller,
                status: status(context, caller),
            })
            .into(),
        _ => Vec::new(),
    }
}

fn unknown_id(key: &ColumnType) -> &'static str {
    match key {
        ColumnType::Uuid => "00000000-0000-4000-8000-000000000000",
        ColumnType::String(_) => "no-such-key",
        _ => "999999999",
    }
}

/// Attributes this caller may write.
fn writable<'r>(
    resource: &'r Resource,
    api: &'r Api,
    caller: &'r str,
) -> impl Iterator<Item = &'r Attribute> {
    resource.model.attributes.iter().filter(move |attribute| {
        let allowed = caller == "admin" || !request::is_admins(attribute, api);
        allowed && request::is_written(attribute)
    })
}

/// Fields whose absence is an error on store.
fn required(resource: &Resource, api: &Api, caller: &str) -> Vec<String> {
    let key = matches!(resource.model.key.kind, ColumnType::String(_));
    let key = key.then(|| resource.model.key.name.clone());
    let columns = writable(resource, api, caller).filter(|attribute| {
        let rules = || attribute.rules.all.iter().chain(&attribute.rules.store);
        rules().any(|rule| *rule == Rule::Required) && !rules().any(|rule| *rule == Rule::Sometimes)
    });
    key.into_iter()
        .chain(columns.map(|attribute| attribute.name.clone()))
        .collect()
}

fn round(resource: &Resource, api: &Api) -> Option<RoundView> {
    let mut actions = vec![Action::Store, Action::Show];
    let (update, destroy) = (
        context(api, Action::Update).is_some(),
        context(api, Action::Destroy).is_some(),
    );
    actions.extend(update.then_some(Action::Update));
    actions.extend(destroy.then_some(Action::Destroy));
    let caller = Callers { api }.of(&actions)?;
    if !stands_alone(resource, api, caller) {
        return None;
    }
    let body = body(resource, api, caller)?;
    let shown = shown(resource, api, &body);
    let macro_body = format!(
        "json!({})",
        column::json_tokens(&Value::Object(body.clone()))
    );
    Some(RoundView {
        caller,
        body: laid_out(&body, macro_body),
        id: if matches!(resource.model.key.kind, ColumnType::BigInt) {
            "&stored.json[\"data\"][\"id\"]"
        } else {
            "stored.json[\"data\"][\"id\"].as_str().unwrap_or_default()"
        },
        value: shown
            .as_ref()
            .map(|(_, value)| column::json_tokens(value))
            .unwrap_or_default(),
        attribute: shown.map(|(name, _)| name).unwrap_or_default(),
        update,
        destroy,
    })
}

/// Whether a record can be stored in an empty database.
fn stands_alone(resource: &Resource, api: &Api, caller: &str) -> bool {
    let owned = api
        .owner
        .as_ref()
        .is_some_and(|owner| *owner == resource.model.key.name);
    let bound = resource.model.attributes.iter().any(|attribute| {
        let default = attribute
            .default
            .as_ref()
            .is_some_and(|value| *value != Literal::Null);
        let points = attribute.references.is_some() && attribute.constraint;
        points && (!attribute.is_optional() || default)
    });
    let by_owner = owned && caller == "customer";
    !bound && !by_owner
}

/// A body with every required attribute; `None` where a value cannot be found.
fn body(resource: &Resource, api: &Api, caller: &str) -> Option<Map<String, Value>> {
    let mut body = Map::new();
    if matches!(resource.model.key.kind, ColumnType::String(_)) {
        body.insert(resource.model.key.name.clone(), Value::from("example"));
    }
    // The value of one attribute may make another one required.
    loop {
        let missing = writable(resource, api, caller)
            .find(|attribute| !body.contains_key(&attribute.name) && is_needed(attribute, &body));
        let Some(attribute) = missing else {
            return Some(body);
        };
        // An empty database has no row to point to.
        let free = attribute.references.is_none() || !attribute.constraint;
        // A rule that is still to be written answers 500.
        let unfinished = attribute
            .rules
            .every()
            .any(|rule| rule.function().is_some());
        let value = example::value(attribute).filter(|_| free && !unfinished)?;
        if attribute
            .rules
            .of_value()
            .any(|rule| *rule == Rule::Confirmed)
        {
            body.insert(format!("{}_confirmation", attribute.name), value.clone());
        }
        body.insert(attribute.name.clone(), value);
    }
}

fn is_needed(attribute: &Attribute, body: &Map<String, Value>) -> bool {
    attribute.rules.of_value().any(|rule| match rule {
        Rule::Required | Rule::Present => true,
        Rule::RequiredIf(other, values) => body.get(other).is_some_and(|sent| {
            let sent = sent
                .as_str()
                .map_or_else(|| sent.to_string(), ToOwned::to_owned);
            values.contains(&sent) || (sent == "true" && values.iter().any(|value| value == "1"))
        }),
        Rule::RequiredWithout(others) => others.iter().any(|other| !body.contains_key(other)),
        _ => false,
    })
}

/// An attribute of the body that comes back under its own name as it was sent.
fn shown(resource: &Resource, api: &Api, body: &Map<String, Value>) -> Option<(String, Value)> {
    let only = &api.transform.only;
    let visible = transformer::visible(resource);
    resource
        .model
        .attributes
        .iter()
        .filter(|attribute| !matches!(attribute.kind, ColumnType::Float | ColumnType::Json))
        .filter(|attribute| visible.iter().any(|(name, _)| *name == attribute.name))
        .filter(|attribute| only.is_empty() || only.contains(&attribute.name))
        .filter(|attribute| {
            !api.transform
                .fields
                .iter()
                .any(|(name, _)| *name == attribute.name)
        })
        .find_map(|attribute| {
            body.get(&attribute.name)
                .map(|value| (attribute.name.clone(), value.clone()))
        })
}

/// `json!({ … })` behind `let body = `, with a member a line where one line is too short.
fn laid_out(body: &Map<String, Value>, line: String) -> String {
    let start = "    let body = ".len();
    if start + line.len() < 100 {
        return line;
    }
    let members = body.iter().map(|(name, value)| {
        format!(
            "        {}: {},\n",
            column::rust_words(name),
            column::json_tokens(value)
        )
    });
    format!("json!({{\n{}    }})", members.collect::<String>())
}
