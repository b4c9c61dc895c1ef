//! The operations of a resource.

use axum::http::Method;
use formwork_core::{
    action::{Action, Allow},
    registry::{Entry, Resource},
    routing,
};
use formwork_data::column::Kind as ColumnKind;
use formwork_vocabulary::inflect;

use super::{
    builder::Builder,
    document::{Operation, OrRef, Parameter, PathItem, RequestBody},
    operation::{add_errors, describe_callers, may_forbid},
    query,
    reach::Kind,
    record::object_name,
    request::{Bodies, Reading},
    schema::Schema,
    success::Documents,
};

/// A registered resource that is described.
pub(super) struct DescribedResource<'b, 'a> {
    pub builder: &'b mut Builder<'a>,
    pub index: usize,
    pub entry: &'a Entry,
    pub resource: &'a Resource,
    /// The name of its tag.
    pub tag: String,
}

impl<'a> DescribedResource<'_, 'a> {
    /// Adds its paths; whether there are any.
    pub fn describe(mut self) -> bool {
        for (tail, actions) in routing::paths() {
            let mut item = PathItem::default();
            for action in actions {
                let Some(allow) = self.builder.reach.effective.allow(self.index, *action) else {
                    continue;
                };
                for method in described(*action) {
                    let operation = self.operation(&method, *action, allow);
                    item.operations.insert(method, operation);
                }
            }
            if item.operations.is_empty() {
                continue;
            }
            if tail.starts_with("/{id}") {
                item.parameters.push(OrRef::Here(self.id()));
            }
            let path = format!("/{}{tail}", self.entry.key);
            self.builder.path(&path, item);
        }
        self.builder.reach.effective.is_routed(self.index)
    }

    fn operation(&mut self, method: &str, action: Action, allow: Allow) -> Operation {
        let key = self.entry.key;
        let name = if method == "put" {
            "put"
        } else {
            action.name()
        };
        let mut operation = Operation {
            operation_id: format!("{key}.{name}"),
            tags: vec![self.tag.clone()],
            summary: summary(key, name),
            parameters: self.query(action),
            ..Operation::default()
        };
        let abilities = self.resource.controller.required_abilities();
        describe_callers(&mut operation, allow, abilities, Some(action));
        for header in headers(action) {
            operation.parameters.push(OrRef::to("parameters", header));
        }
        if let Some(reading) = reading(method) {
            operation.request_body = Some(self.body(name, allow, reading));
        }
        let documents = self.documents();
        let (status, success) =
            documents.success(action, &mut self.builder.document.components.schemas);
        let responses = &mut operation.responses;
        responses.insert(status.into(), OrRef::Here(success));
        if matches!(action, Action::Index | Action::Show) {
            responses.insert("304".into(), OrRef::to("responses", "NotModified"));
        }
        add_errors(responses, &self.refusals(action, allow));
        operation
    }

    /// Its parameters. A deleted record is not shown, so it has none.
    fn query(&mut self, action: Action) -> Vec<OrRef<Parameter>> {
        if action == Action::Destroy {
            return Vec::new();
        }
        let resource = (self.index, self.entry);
        let components = &mut self.builder.document.components;
        query::parameters(self.builder.reach, resource, action, components)
    }

    /// The body, whose schemas go to the components.
    fn body(&mut self, name: &str, allow: Allow, reading: Reading) -> RequestBody {
        let bodies = Bodies {
            entry: self.entry,
            resource: self.resource,
            allow,
            reading,
        };
        let name = format!("{}.{name}", self.entry.key);
        let id = id_schema(self.entry, true);
        let schemas = &mut self.builder.document.components.schemas;
        schemas.insert(name.clone(), bodies.flat());
        schemas.insert(format!("{name}.document"), bodies.document(id));
        bodies.body(&name)
    }

    fn documents(&self) -> Documents<'a> {
        let reached = self.builder.reach.reached(self.index).into_iter();
        let name = |kind: Kind| {
            let entry = self.builder.reach.registry.get(kind.source)?;
            Some(object_name(entry.key, kind.name))
        };
        let own = self.builder.reach.registry.media_types();
        Documents {
            api: self.builder.api,
            key: self.entry.key,
            own: own.to_vec(),
            included: reached.filter_map(name).collect(),
        }
    }

    fn id(&self) -> Parameter {
        let one = words(&inflect::singular(self.entry.key));
        let text = format!("The key of the {one}.");
        Parameter::path("id", &text, id_schema(self.entry, false))
    }

    /// The statuses that refuse this action.
    fn refusals(&self, action: Action, allow: Allow) -> Vec<u16> {
        let abilities = self.resource.controller.required_abilities();
        let included = !self.documents().included.is_empty();
        let mut all = vec![400, 401, 406, 500, 503];
        if may_forbid(allow, abilities) || included {
            all.push(403);
        }
        if self.builder.api.rate_limit > 0 {
            all.push(429);
        }
        match action {
            Action::Index | Action::Create => {}
            Action::Show | Action::Edit => all.push(404),
            // A document may bring an id of its own: 403, or another type: 409.
            Action::Store => all.extend([403, 409, 413, 415, 422]),
            Action::Update => all.extend([403, 404, 409, 412, 413, 415, 422]),
            Action::Destroy => all.extend([404, 409, 412]),
        }
        all
    }
}

/// The ids that a path or a document may use: those that `Key::parse` takes.
fn id_schema(entry: &Entry, in_document: bool) -> Schema {
    let table = entry.source.schema();
    match table.column(table.key).map(|column| column.kind) {
        Some(ColumnKind::BigInt | ColumnKind::Integer) if in_document => {
            Schema::matching("^[1-9][0-9]{0,18}$")
        }
        Some(ColumnKind::BigInt | ColumnKind::Integer) => Schema::from(1),
        Some(ColumnKind::Uuid) => Schema::text("uuid"),
        _ => Schema {
            min_length: Some(1),
            ..Schema::of("string")
        },
    }
}

/// The methods of an action, as descriptions write them. `HEAD` is left out.
fn described(action: Action) -> impl Iterator<Item = String> {
    let methods = routing::methods(action).iter();
    let methods = methods.filter(|method| **method != Method::HEAD);
    methods.map(|method| method.as_str().to_ascii_lowercase())
}

fn reading(method: &str) -> Option<Reading> {
    match method {
        "post" => Some(Reading::Store),
        "put" => Some(Reading::Put),
        "patch" => Some(Reading::Patch),
        _ => None,
    }
}

fn headers(action: Action) -> &'static [&'static str] {
    match action {
        Action::Index | Action::Show => &["IfNoneMatch"],
        Action::Update | Action::Destroy => &["IfMatch"],
        Action::Store => &["IdempotencyKey"],
        _ => &[],
    }
}

/// A name as people write it.
pub(super) fn words(name: &str) -> String {
    inflect::words(name).replace('-', " ")
}

fn summary(key: &str, operation: &str) -> String {
    let one = words(&inflect::singular(key));
    let article = if one.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    match operation {
        "index" => format!("List {}", words(key)),
        "create" => format!("A blank {one}, and the form to store one with"),
        "store" => format!("Store {article} {one}"),
        "show" => format!("Show {article} {one}"),
        "edit" => format!("Show {article} {one}, and the form to change it with"),
        "put" => format!("Update {article} {one}: required attributes must be sent"),
        "update" => format!("Update the sent attributes of {article} {one}"),
        _ => format!("Delete {article} {one}"),
    }
}
