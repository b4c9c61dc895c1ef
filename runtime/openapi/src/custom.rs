//! Routes of extensions: contexts and abilities are always described, bodies and answers as far as
//! the route declares them.

use axum::http::Method;
use formwork_core::{
    rendering::{JSON, JSON_API},
    route::Route,
};
use serde_json::Value as Json;

use super::{
    builder::Builder,
    document::{Answer, Operation, OrRef, Parameter, RequestBody, content},
    operation::{add_errors, describe_callers, error_content, headers, may_forbid},
    request,
    schema::Schema,
};

/// The tag of routes without a resource.
pub(super) const OTHERS: &str = "Others";

/// Adds a route of an extension's own.
pub(super) fn describe(builder: &mut Builder<'_>, route: &Route, tag: String) {
    let operation = operation(builder, route, tag);
    let path = builder.prefixed(route.path());
    let mut item = builder
        .document
        .paths
        .shift_remove(&path)
        .unwrap_or_default();
    if item.operations.is_empty() {
        item.parameters = parts(route).map(OrRef::Here).collect();
    }
    item.operations
        .insert(route.method().as_str().to_ascii_lowercase(), operation);
    builder.document.paths.insert(path, item);
}

fn operation(builder: &mut Builder<'_>, route: &Route, tag: String) -> Operation {
    let told = route.described();
    let summary = || format!("{} {}", route.method(), route.path());
    let mut operation = Operation {
        operation_id: builder.unique_id(id(route)),
        tags: vec![tag],
        summary: told.summary.map_or_else(summary, str::to_owned),
        description: told.text.unwrap_or_default().to_owned(),
        parameters: own_parameters(route),
        ..Operation::default()
    };
    let abilities = builder.reach.registry.required_abilities(route);
    describe_callers(&mut operation, route.allow(), abilities, None);
    let reads = *route.method() == Method::GET;
    if !reads {
        operation.request_body = Some(body(route));
    }
    let answers = told.answer.iter();
    let answers = answers.map(|(media_type, schema)| (*media_type, written(schema)));
    let done = Answer {
        description: "The answer of the extension.".to_owned(),
        headers: headers(builder.api),
        content: content(answers),
    };
    operation.responses.insert("2XX".into(), OrRef::Here(done));
    let mut statuses = vec![401, 500, 503];
    statuses.extend((!route.is_handler()).then_some(406));
    statuses.extend(may_forbid(route.allow(), abilities).then_some(403));
    statuses.extend((builder.api.rate_limit > 0).then_some(429));
    statuses.extend([400, 413, 415].into_iter().filter(|_| !reads));
    statuses.extend((!route.attributes().is_empty()).then_some(422));
    add_errors(&mut operation.responses, &statuses);
    let error = Answer {
        description: "An error of the extension.".to_owned(),
        headers: headers(builder.api),
        content: error_content(builder.api),
    };
    let responses = &mut operation.responses;
    responses.insert("default".into(), OrRef::Here(error));
    operation
}

/// A schema as the route writes it.
fn written(schema: &Json) -> Schema {
    Schema {
        written: Some(schema.clone()),
        ..Schema::default()
    }
}

fn own_parameters(route: &Route) -> Vec<OrRef<Parameter>> {
    let named = route.own_parameters().iter();
    let text = |name: &&str| OrRef::Here(Parameter::query(*name, "", Schema::of("string")));
    named.map(text).collect()
}

/// The body: its media types, and its schema as the route or its rules have it.
fn body(route: &Route) -> RequestBody {
    let rules = route.attributes();
    let schema = match &route.described().body {
        Some(schema) => written(schema),
        None if !rules.is_empty() => request::of_rules(rules),
        None if route.is_handler() => Schema::default(),
        None => Schema::of("object"),
    };
    let media_types: &[&'static str] = match route.media_types() {
        [] if route.is_handler() && rules.is_empty() => &["*/*"],
        [] => &[JSON, JSON_API],
        named => named,
    };
    let required = match &schema.written {
        Some(written) => written["required"]
            .as_array()
            .is_some_and(|names| !names.is_empty()),
        None => !schema.required.is_empty(),
    };
    RequestBody {
        required,
        content: content(media_types.iter().map(|name| (*name, schema.clone()))),
    }
}

/// The parts of the path that have names.
fn parts(route: &Route) -> impl Iterator<Item = Parameter> {
    let segments = route.path().split('/');
    let named = segments.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let filled = || Schema {
        min_length: Some(1),
        ..Schema::of("string")
    };
    named.map(move |name| Parameter::path(name, "", filled()))
}

/// `routes.post.orders.id.pay`: three parts at least, where those of resources have two.
fn id(route: &Route) -> String {
    let path = route.path().replace(['{', '}'], "").replace('/', ".");
    format!(
        "routes.{}{path}",
        route.method().as_str().to_ascii_lowercase()
    )
}
