//! Routes of extensions: their contexts and abilities are known, their answers are not
//! (docs/guide/custom-routes.md).

use axum::http::Method;
use formwork_core::{
    rendering::{JSON, JSON_API},
    route::Route,
};

use super::{
    access,
    builder::Builder,
    document::{Answer, Media, Named, Operation, OrRef, Parameter, RequestBody},
    errors,
    schema::Schema,
    success::both,
};

/// The tag of routes without a resource.
pub(super) const OTHERS: (&str, &str) = ("Others", "Routes beside those of resources.");

/// Adds a route of an extension's own.
pub(super) fn describe(builder: &mut Builder<'_>, route: &Route, tag: String) {
    let operation = operation(builder, route, tag);
    let path = builder.prefixed(route.path());
    let mut item = builder.paths.take(&path).unwrap_or_default();
    if item.operations.is_empty() {
        item.parameters = parts(route).map(OrRef::Here).collect();
    }
    item.operations
        .put(route.method().as_str().to_ascii_lowercase(), operation);
    builder.paths.put(path, item);
}

fn operation(builder: &mut Builder<'_>, route: &Route, tag: String) -> Operation {
    let mut operation = Operation {
        operation_id: builder.fresh(id(route)),
        tags: vec![tag],
        summary: format!("{} {}", route.method(), route.path()),
        ..Operation::default()
    };
    let abilities = builder.abilities(route);
    access::guard(&mut operation, route.allow(), abilities, None);
    let reads = *route.method() == Method::GET;
    if !reads {
        operation.request_body = Some(body());
    }
    let done = Answer {
        description: "The answer of the extension.".to_owned(),
        headers: errors::headers(builder.api),
        content: Named::default(),
    };
    operation.responses.put("2XX", OrRef::Here(done));
    let mut statuses = vec![401, 406, 500, 503];
    statuses.extend(access::may_forbid(route.allow(), abilities).then_some(403));
    statuses.extend((builder.api.rate_limit > 0).then_some(429));
    statuses.extend([400, 413, 415].into_iter().filter(|_| !reads));
    errors::refuse(&mut operation.responses, &statuses);
    operation
        .responses
        .put("default", OrRef::Here(refused(builder)));
    operation
}

fn refused(builder: &Builder<'_>) -> Answer {
    Answer {
        description: "An error of the extension.".to_owned(),
        headers: errors::headers(builder.api),
        content: both(
            builder.api,
            Schema::to("Error"),
            Schema::to("ErrorDocument"),
        ),
    }
}

/// A JSON object; no rules are known.
fn body() -> RequestBody {
    let media = || Media {
        schema: Schema::of("object"),
    };
    RequestBody {
        required: false,
        content: [(JSON, media()), (JSON_API, media())].into_iter().collect(),
    }
}

/// The parts of the path that have names.
fn parts(route: &Route) -> impl Iterator<Item = Parameter> {
    let segments = route.path().split('/');
    let named = segments.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    named.map(|name| Parameter {
        name: name.to_owned(),
        place: "path",
        description: String::new(),
        required: true,
        style: None,
        explode: None,
        schema: Schema {
            min_length: Some(1),
            ..Schema::of("string")
        },
    })
}

/// `routes.post.orders.id.pay`: three parts at least, where those of resources have two.
fn id(route: &Route) -> String {
    let path = route.path().replace(['{', '}'], "").replace('/', ".");
    format!(
        "routes.{}{path}",
        route.method().as_str().to_ascii_lowercase()
    )
}
