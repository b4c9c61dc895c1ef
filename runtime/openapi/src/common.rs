//! The parts that operations share.

use super::{
    document::{Header, Named, Parameter, SecurityScheme, named},
    parameter::parameter,
    schema::Schema,
};

/// Schemas without a resource: their names begin with a capital, unlike any key.
pub(super) fn schemas() -> Named<Schema> {
    named([
        ("Error", error()),
        ("ErrorDocument", error_document()),
        ("JsonApi", json_api()),
        ("Pagination", pagination()),
        ("PageLinks", page_links()),
        ("RecordLinks", record_links()),
        ("ObjectLinks", object_links()),
        ("FormField", form_field()),
        ("Relationship", relationship()),
        ("FieldName", field_name()),
    ])
}

/// The description of `code`.
const CODE: &str = "The kind of the error, if it is one of the service's own.";

fn error() -> Schema {
    let messages = Schema::list(Schema::of("string"));
    let errors = Schema {
        additional_properties: Some(Box::new(messages)),
        ..Schema::of("object")
    };
    Schema::object([
        ("message", Schema::of("string")),
        (
            "status_code",
            Schema {
                minimum: Some(400.into()),
                ..Schema::of("integer")
            },
        ),
        (
            "errors",
            errors.described("Messages by field, if fields are invalid."),
        ),
        ("code", Schema::of("string").described(CODE)),
    ])
    .with(["message", "status_code"])
}

fn error_document() -> Schema {
    let text = || Schema::of("string");
    let source = Schema::object([
        (
            "pointer",
            text().described("JSON pointer into the body (RFC 6901)."),
        ),
        (
            "parameter",
            text().described("Parameter of the query string."),
        ),
        ("header", text()),
    ]);
    let one = Schema::object([
        ("id", text().described("The request's id.")),
        ("status", Schema::matching(r"^[45]\d\d$")),
        ("code", text().described(CODE)),
        ("title", text()),
        ("detail", text()),
        ("source", source),
        ("meta", Schema::object([("field", text())])),
    ])
    .with(["status", "title", "detail"]);
    let errors = Schema {
        min_items: Some(1),
        ..Schema::list(one)
    };
    Schema::object([("jsonapi", Schema::to("JsonApi")), ("errors", errors)])
        .with(["jsonapi", "errors"])
}

fn json_api() -> Schema {
    Schema::object([("version", Schema::constant("1.1"))]).with(["version"])
}

fn pagination() -> Schema {
    let number = |text: &str| Schema::from(0).described(text);
    Schema::object([
        (
            "total",
            number("Records on all pages; not counted where pages are read by cursor."),
        ),
        ("count", number("Records on this page.")),
        ("per_page", Schema::from(1)),
        ("current_page", Schema::from(1)),
        ("total_pages", Schema::from(1)),
    ])
    .with(["count", "per_page"])
}

fn page_links() -> Schema {
    let link = || Schema::text("uri-reference");
    Schema::object([
        ("self", link()),
        ("first", link()),
        ("prev", link().or_null()),
        ("next", link().or_null()),
        ("last", link()),
    ])
    .with(["self", "first", "prev", "next", "last"])
}

fn record_links() -> Schema {
    let link = [
        ("rel", Schema::constant("self")),
        ("uri", Schema::text("uri-reference")),
    ];
    Schema::list(Schema::object(link).with(["rel", "uri"]))
}

fn object_links() -> Schema {
    let link = Schema::of_any(&["string", "object", "null"]);
    Schema {
        additional_properties: Some(Box::new(link)),
        ..Schema::object([("self", Schema::text("uri-reference"))])
    }
}

/// A relationship as a document may bring it (jsonapi.org, "Resource Linkage").
fn relationship() -> Schema {
    let members = [("type", Schema::of("string")), ("id", Schema::of("string"))];
    let one = Schema::object(members).with(["type", "id"]);
    let linkage = vec![one.clone(), Schema::list(one), Schema::of("null")];
    Schema::object([("data", Schema::any_of(linkage))]).with(["data"])
}

/// The name of an attribute or relationship in a document (jsonapi.org, "Fields", "Member Names").
fn field_name() -> Schema {
    let global = r"[^\x00-/:-@\[-`{-\x7F]";
    let inner = r"[^\x00-\x1F!-,./:-@\[-^`{-\x7F]";
    Schema {
        not: Some(Box::new(Schema::one_of(["id", "type"]))),
        ..Schema::matching(&format!("^@?{global}({inner}*{global})?$"))
    }
}

/// `meta.form`: the writable attributes with type and rules.
fn form_field() -> Schema {
    Schema::object([
        ("name", Schema::of("string")),
        ("type", Schema::of("string")),
        ("rules", Schema::list(Schema::of("string"))),
        ("options", Schema::list(Schema::of("string"))),
    ])
    .with(["name", "type", "rules"])
}

/// Headers of answers.
pub(super) fn headers() -> Named<Header> {
    let header = |description, schema| Header {
        description,
        required: false,
        schema,
    };
    let number = || Schema {
        minimum: Some(0.into()),
        ..Schema::of("integer")
    };
    let text = || Schema::of("string");
    let all = [
        (
            "X-Request-Id",
            header("The id of the request in the log.", Schema::text("uuid")),
        ),
        ("RateLimit-Limit", header("Requests a minute.", number())),
        (
            "RateLimit-Remaining",
            header("Requests that are left in this minute.", number()),
        ),
        (
            "RateLimit-Reset",
            header("Seconds to the next minute.", number()),
        ),
        ("Retry-After", header("Seconds to wait.", number())),
        (
            "WWW-Authenticate",
            header("How to authenticate: Bearer.", text()),
        ),
        (
            "ETag",
            header(
                "A strong entity tag; its first part is the tag of the row.",
                text(),
            ),
        ),
        (
            "Location",
            header("The path of the record.", Schema::text("uri-reference")),
        ),
        (
            "Idempotency-Replayed",
            header(
                "`true`: the stored answer to an earlier request with this key.",
                text(),
            ),
        ),
    ];
    named(all)
}

/// Headers of requests.
pub(super) fn parameters() -> Named<Parameter> {
    let header = |name: &str, description: &str| Parameter {
        place: "header",
        ..parameter(name, description, Schema::of("string"))
    };
    let text =
        "Names the request: a request sent again gets the stored answer and changes nothing.";
    let mut key = header("Idempotency-Key", text);
    (key.schema.min_length, key.schema.max_length) = (Some(1), Some(255));
    let all = [
        ("IdempotencyKey", key),
        (
            "IfMatch",
            header(
                "If-Match",
                "Entity tags, of which the record must have one, else 412.",
            ),
        ),
        (
            "IfNoneMatch",
            header("If-None-Match", "Entity tags the client has already: 304."),
        ),
    ];
    named(all)
}

/// The authentication of callers; `issued`: the path at which tokens are issued.
pub(super) fn security_schemes(issued: &str) -> Named<SecurityScheme> {
    let bearer = SecurityScheme {
        kind: "http",
        scheme: "bearer",
        description: format!("An access token as `POST {issued}` issues it: `<id>|<secret>`."),
    };
    named([("bearer", bearer)])
}
