//! The service's own operations: tokens and health.

use formwork_core::rendering::{JSON, JSON_API};

use super::{
    builder::Builder,
    document::{
        Answer, Named, Operation, OrRef, PathItem, RequestBody, Requirement, content, named,
    },
    errors,
    schema::Schema,
};

/// The tag of tokens.
pub(super) const TOKENS: (&str, &str) = ("Tokens", "Issues, shows and revokes access tokens.");

/// The tag of health.
pub(super) const HEALTH: (&str, &str) = ("Health", "Health of the service; never rate-limited.");

/// Adds the routes of tokens.
pub(super) fn tokens(builder: &mut Builder<'_>) {
    let mut token = PathItem::default();
    token.operations.insert("post".into(), issue(builder));
    token.operations.insert("delete".into(), revoke(builder));
    let mut user = PathItem::default();
    user.operations.insert("get".into(), user_of_token(builder));
    let schemas = &mut builder.components.schemas;
    schemas.insert("TokenRequest".into(), fields());
    schemas.insert("Token".into(), token_schema());
    schemas.insert("Account".into(), account());
    builder.path("/token", token);
    builder.path("/token/user", user);
}

fn operation(id: &str, summary: &str, needs_token: bool) -> Operation {
    let bearer = Requirement { bearer: Some([]) };
    let security = match needs_token {
        true => vec![bearer],
        false => vec![Requirement::default(), bearer],
    };
    Operation {
        operation_id: id.to_owned(),
        tags: vec![TOKENS.0.to_owned()],
        summary: summary.to_owned(),
        security,
        ..Operation::default()
    }
}

fn issue(builder: &Builder<'_>) -> Operation {
    let schema = || Schema::to("TokenRequest");
    let mut operation = operation("token.issue", "Issue an access token", false);
    operation.request_body = Some(RequestBody {
        required: true,
        content: content([
            (JSON, schema()),
            ("application/x-www-form-urlencoded", schema()),
        ]),
    });
    let issued = answer(builder, "The token; it is shown only here.", "Token");
    let responses = &mut operation.responses;
    responses.insert("201".into(), OrRef::Here(issued));
    // Attempts are counted, whatever `api.rate_limit` says.
    errors::refuse(responses, &[400, 401, 406, 413, 415, 422, 429, 500, 503]);
    operation
}

fn revoke(builder: &Builder<'_>) -> Operation {
    let mut operation = operation("token.revoke", "Revoke the token that is sent", true);
    let revoked = Answer {
        description: "The token no longer works.".to_owned(),
        headers: errors::headers(builder.api),
        content: Named::default(),
    };
    operation
        .responses
        .insert("204".into(), OrRef::Here(revoked));
    refuse(builder, &mut operation, &[400, 401, 500, 503]);
    operation
}

fn user_of_token(builder: &Builder<'_>) -> Operation {
    let mut operation = operation(
        "token.user",
        "The account behind the token that is sent",
        true,
    );
    let user = answer(builder, "The account.", "Account");
    operation.responses.insert("200".into(), OrRef::Here(user));
    refuse(builder, &mut operation, &[400, 401, 406, 500, 503]);
    operation
}

fn refuse(builder: &Builder<'_>, operation: &mut Operation, statuses: &[u16]) {
    let mut statuses = statuses.to_vec();
    statuses.extend((builder.api.rate_limit > 0).then_some(429));
    errors::refuse(&mut operation.responses, &statuses);
}

/// In a document, a value that is not a record is in `meta`; plain JSON is the same with every
/// serializer.
fn answer(builder: &Builder<'_>, description: &str, name: &str) -> Answer {
    let members = [
        ("jsonapi", Schema::to("JsonApi")),
        ("meta", Schema::to(name)),
    ];
    let document = Schema::object(members).with(["jsonapi", "meta"]);
    Answer {
        description: description.to_owned(),
        headers: errors::headers(builder.api),
        content: content([(JSON, Schema::to(name)), (JSON_API, document)]),
    }
}

/// The body of a token request. A body that it allows may name an account: others are always 422.
fn fields() -> Schema {
    let truth =
        "`true`: an administrator, by username or e-mail address. Also written `1` and `0`.";
    let text = |pattern: &str, most| Schema {
        min_length: Some(1),
        max_length: most,
        ..Schema::matching(pattern)
    };
    let ability = text(r"^[A-Za-z0-9*.:_-]+$", Some(255));
    let abilities = Schema {
        max_items: Some(100),
        preset: Some(vec!["*"].into()),
        ..Schema::list(ability)
    };
    let email = Schema {
        format: Some("email"),
        ..text(EMAIL, None)
    };
    let password = Schema {
        format: Some("password"),
        ..text(r"^[^\x00]+$", None)
    };
    let members = [
        ("is_admin", Schema::of("boolean").described(truth)),
        (
            "username",
            text(NOT_BLANK, None).described("An administrator's login."),
        ),
        ("email", email),
        ("password", password),
        (
            "device_name",
            text(NOT_BLANK, Some(255)).described("The device the token is for."),
        ),
        (
            "abilities",
            abilities.described("The abilities of the token; all by default."),
        ),
    ];
    Schema {
        any_of: logins(),
        ..Schema::object(members).with(["password", "device_name"])
    }
}

/// A text that is not blank, without U+0000.
const NOT_BLANK: &str = r"^[^\x00]*[^\s\x00][^\x00]*$";

/// An e-mail address, as roughly as the endpoint checks it.
const EMAIL: &str = r"^[^\s\x00]+@[^@\s\x00]+$";

/// A login: an e-mail address, or the username of an administrator.
fn logins() -> Vec<Schema> {
    let admin = Schema {
        constant: Some(true.into()),
        ..Schema::of("boolean")
    };
    let by_username: Schema = Schema::object([("is_admin", admin)]).with(["username"]);
    vec![Schema::of("object").with(["email"]), by_username]
}

fn token_schema() -> Schema {
    let status = Schema {
        constant: Some(201.into()),
        ..Schema::of("integer")
    };
    Schema::object([
        ("status_code", status),
        ("token", Schema::matching(r"^\d+\|[A-Za-z0-9]{40}$")),
    ])
    .with(["status_code", "token"])
}

fn account() -> Schema {
    let status = Schema {
        constant: Some(200.into()),
        ..Schema::of("integer")
    };
    let user = Schema::object([
        ("id", Schema::whole()),
        ("is_admin", Schema::of("boolean")),
        ("name", Schema::of("string").or_null()),
        ("email", Schema::of("string").or_null()),
        ("abilities", Schema::list(Schema::of("string"))),
        (
            "username",
            Schema::of("string").described("Of administrators."),
        ),
        (
            "super_user",
            Schema::of("boolean").described("Of administrators."),
        ),
    ])
    .with(["id", "is_admin", "abilities"]);
    Schema::object([("status_code", status), ("user", user)]).with(["status_code", "user"])
}

/// Adds the health routes. They are outside of the prefix.
pub(super) fn health(builder: &mut Builder<'_>) {
    for (name, summary) in [
        ("live", "Whether the process answers"),
        (
            "ready",
            "Whether requests can be answered: database, migrations, not stopping",
        ),
    ] {
        let status = Schema::object([("status", Schema::constant(name))]).with(["status"]);
        let well = Answer {
            description: "The service is healthy.".to_owned(),
            headers: named([("X-Request-Id", OrRef::to("headers", "X-Request-Id"))]),
            content: content([(JSON, status)]),
        };
        let mut operation = Operation {
            operation_id: format!("health.{name}"),
            tags: vec![HEALTH.0.to_owned()],
            summary: summary.to_owned(),
            security: vec![Requirement::default()],
            ..Operation::default()
        };
        operation.responses.insert("200".into(), OrRef::Here(well));
        errors::refuse(&mut operation.responses, &[503]);
        let mut item = PathItem::default();
        item.operations.insert("get".into(), operation);
        builder.paths.insert(format!("/health/{name}"), item);
    }
}
