//! The document itself: valid, complete, and of what is routed alone.

use std::{collections::BTreeSet, sync::LazyLock};

use formwork::{config::Config, resource::action::Action, testing::Service};
use jsonschema::Validator;
use serde_json::{Map, Value as Json, json};

use crate::{
    described,
    described::{Described, is_schema, walk},
    description_of, magazine, serialize_json_api, with,
};

const OFFICIAL: &str = include_str!("openapi-3.1.schema.json");

/// Asserts that a document is one of OpenAPI 3.1, and that its references and schemas are valid.
fn assert_valid(described: &Described) {
    static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
        let official: Json = serde_json::from_str(OFFICIAL).expect("JSON");
        jsonschema::validator_for(&official).expect("a schema")
    });
    let faults = VALIDATOR.iter_errors(&described.document);
    let faults: Vec<String> = faults
        .map(|it| format!("{}: {it}", it.instance_path()))
        .collect();
    assert_eq!(faults, [""; 0]);
    assert_eq!(described.nameless(), [""; 0]);
    let mut schemas = 0;
    walk(&described.document, "", &mut |pointer, value| {
        if let Some(default) = value.get("default").filter(|_| is_schema(pointer)) {
            assert!(!pointer.contains("/parameters/"), "{pointer}");
            assert_eq!(described.faults(value, default), [""; 0], "{pointer}");
        }
        if let Some(reference) = value["$ref"].as_str() {
            let target = described.resolved(value);
            assert!(target.is_object(), "{pointer}: {reference}");
        }
        let is_component =
            pointer.starts_with("/components/schemas/") && pointer.matches('/').count() == 3;
        if is_component || pointer.ends_with("/schema") {
            schemas += 1;
            if let Err(fault) = jsonschema::draft202012::meta::validate(value) {
                panic!("{pointer}: {fault}");
            }
        }
    });
    assert!(schemas > 50, "{schemas}");
    let text = described.document.to_string();
    for family in ["schemas", "responses", "parameters", "headers"] {
        let parts = described.document["components"][family].as_object();
        for name in parts.expect("components").keys() {
            let reference = format!("\"#/components/{family}/{name}\"");
            assert!(text.contains(&reference), "nothing leads to {reference}");
        }
    }
}

#[test]
fn the_description_is_an_openapi_document_with_every_configuration() {
    assert_valid(described());
    assert_valid(&description_of(&with(serialize_json_api), "/api"));
    let configured = |prefix: &str, base_url: Option<&str>| {
        let service = with(|config| {
            config.api.prefix = prefix.to_owned();
            config.api.base_url = base_url.map(str::to_owned);
            config.api.rate_limit = 0;
        });
        let described = description_of(&service, prefix);
        assert_valid(&described);
        described.document["servers"].clone()
    };
    configured("", None);
    let url = "https://example.com/here";
    assert_eq!(configured("/v1/shop", Some(url)), json!([{"url": url}]));
}

#[test]
fn title_and_version_of_the_description_are_configured() {
    let change = |config: &mut Config| {
        config.api.title = "The \"Bistro\"".to_owned();
        config.api.version = "2.1".to_owned();
        config.api.prefix = "/v1".to_owned();
    };
    let configured = description_of(&with(change), "/v1");
    for (document, title, version, login) in [
        (&described().document, "REST API", "1", "`POST /api/token`"),
        (
            &configured.document,
            "The \"Bistro\"",
            "2.1",
            "`POST /v1/token`",
        ),
    ] {
        let info = &document["info"];
        assert_eq!(
            (&info["title"], &info["version"]),
            (&json!(title), &json!(version))
        );
        let scheme = &document["components"]["securitySchemes"]["bearer"]["description"];
        assert!(scheme.to_string().contains(login), "{scheme}");
    }
}

#[test]
fn the_description_names_exactly_the_routed_actions() {
    let service = magazine();
    let operations = described().operations().into_iter();
    let operation = |method: &str, path: &str| format!("{} {path}", method.to_uppercase());
    let seen: BTreeSet<String> = operations.map(|it| operation(it.method, it.path)).collect();
    let own = [
        "POST /api/token",
        "DELETE /api/token",
        "GET /api/token/user",
        "GET /health/live",
        "GET /health/ready",
    ];
    let mut routed: BTreeSet<String> = own.map(str::to_owned).into();
    for (_, entry) in service.app().registry().entries() {
        let Some(resource) = &entry.resource else {
            continue;
        };
        let path = format!("/api/{}", entry.key);
        for action in Action::ALL {
            if resource.allow(action).is_none() {
                continue;
            }
            let (methods, tail): (&[&str], _) = match action {
                Action::Index => (&["GET"], ""),
                Action::Create => (&["GET"], "/create"),
                Action::Store => (&["POST"], ""),
                Action::Show => (&["GET"], "/{id}"),
                Action::Edit => (&["GET"], "/{id}/edit"),
                Action::Update => (&["PUT", "PATCH"], "/{id}"),
                Action::Destroy => (&["DELETE"], "/{id}"),
            };
            routed.extend(
                methods
                    .iter()
                    .map(|method| format!("{method} {path}{tail}")),
            );
        }
    }
    for route in service.app().registry().routes() {
        routed.insert(format!("{} /api{}", route.method(), route.path()));
    }
    assert_eq!(seen, routed);
    // The first is registered and not configured, the second configured and not registered.
    for unrouted in ["GET /api/people/create", "DELETE /api/rides/{id}"] {
        assert!(!seen.contains(unrouted), "{unrouted}");
    }
}

/// Saves settings of people, as the admin area does.
fn set_people(service: &Service, settings: &str) {
    service.block_on(service.app().settle());
    let sql = "UPDATE api_resources SET meta = ? WHERE endpoint = 'people'";
    let changed = service.app().db().execute(sql, [settings.into()]);
    assert_eq!(service.block_on(changed).expect("a row"), 1);
    service.block_on(service.app().look_up());
}

#[cfg(feature = "admin")]
#[test]
fn actions_switched_off_in_the_admin_area_are_not_described() {
    let service = magazine();
    let before = service.guest().get("/api/openapi.json");
    set_people(
        &service,
        r#"{"actions": ["show"], "authorization": {"show": "users"}}"#,
    );
    assert_eq!(service.guest().get("/api/people").status, 404);
    let described = description_of(&service, "/api");
    let paths = &described.document["paths"];
    assert!(paths["/api/people"].is_null(), "{}", paths["/api/people"]);
    let one = paths["/api/people/{id}"].as_object().expect("a path");
    assert_eq!(one.keys().collect::<Vec<_>>(), ["get", "parameters"]);
    assert_eq!(one["get"]["x-context"], "users");
    assert!(paths["/api/articles"]["get"].is_object());
    let after = service.guest().get("/api/openapi.json");
    assert_ne!(before.header("etag"), after.header("etag"));
}

/// Records that cannot be listed or read cannot be included (docs/contract.md, "Access").
#[test]
fn unreadable_resources_are_not_described_as_includes() {
    let service = magazine();
    let author_and_people = |described: &Described| {
        let components = &described.document["components"];
        let include = &components["parameters"]["include.articles"]["schema"]["items"];
        let paths = described.resolved(include)["enum"].to_string();
        let schemas = &components["schemas"];
        let member = &schemas["articles.record"]["properties"]["author"];
        let is_included = paths.contains("\"author\"");
        (
            is_included,
            member.is_object(),
            schemas["people.record"].is_object(),
        )
    };
    assert_eq!(author_and_people(described()), (true, true, true));
    set_people(
        &service,
        r#"{"actions": ["store"], "authorization": {"store": "admin"}}"#,
    );
    let refused = service.guest().get("/api/articles?include=author");
    assert_eq!(refused.status, 403, "{refused}");
    // A response has the stored record: its schema is still described.
    let described = description_of(&service, "/api");
    assert_eq!(author_and_people(&described), (false, false, true));
}

#[test]
fn operations_have_distinct_names_and_described_tags() {
    let mut ids = BTreeSet::new();
    let tags = described().document["tags"].as_array().expect("tags");
    let tags: Vec<&Json> = tags.iter().map(|tag| &tag["name"]).collect();
    for one in described().operations() {
        let id = one.operation["operationId"].as_str().expect("an id");
        assert!(ids.insert(id), "{id} is declared twice");
        for tag in one.operation["tags"].as_array().expect("tags") {
            assert!(tags.contains(&tag), "{id}: {tag}");
        }
        let parameters = described().parameters(one);
        let segments = one.path.split('/');
        for part in segments.filter_map(|part| part.strip_prefix('{')) {
            let name = part.trim_end_matches('}');
            let is_parameter = |it: &&Json| it["name"] == name && it["in"] == "path";
            assert!(parameters.iter().any(is_parameter), "{id}: {name}");
        }
        let names = parameters.iter().map(|it| it["name"].to_string());
        let distinct: BTreeSet<String> = names.collect();
        assert_eq!(distinct.len(), parameters.len(), "{id}: {distinct:?}");
    }
    assert!(ids.contains("routes.get.tours.day.2"), "{ids:?}");
    let show = described().operation("articles.show").operation;
    assert_eq!(
        (&show["x-context"], &show["x-abilities"]),
        (&json!("all"), &Json::Null)
    );
    assert!(tags.contains(&&json!("Rides")) && tags.contains(&&json!("Others")));
}

#[test]
fn hidden_attributes_are_not_described() {
    let schemas = &described().document["components"]["schemas"];
    assert!(schemas["articles.record"]["properties"]["secret"].is_null());
    assert!(schemas["articles.attributes"]["properties"]["title"].is_object());
    // A transformer that counts on a real record is not guessed at.
    let comments = &schemas["comments.record"];
    let members = comments["properties"].as_object().map(Map::len);
    assert_eq!(members, Some(2), "{comments}");
    assert!(comments["description"].is_string() && comments["required"].is_null());
}

/// Callers, abilities, hidden columns, rules and responses of a resource.
#[test]
fn a_small_resource_whole() {
    let document = &described().document;
    let rides = |parts: &Json| -> Json {
        let parts = parts.as_object().expect("an object").iter();
        let of_rides =
            parts.filter(|(name, _)| name.trim_start_matches("/api/").starts_with("rides"));
        let copies = of_rides.map(|(name, part)| (name.clone(), part.clone()));
        copies.collect::<Map<_, _>>().into()
    };
    let shown = json!({
        "paths": rides(&document["paths"]),
        "schemas": rides(&document["components"]["schemas"]),
    });
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).expect("JSON"));
}

#[test]
fn requests_may_be_named() {
    let has_key = |id: &str| {
        let parameters = described().parameters(described().operation(id));
        let mut parameters = parameters.iter();
        parameters.any(|it| it["name"] == "Idempotency-Key" && it["in"] == "header")
    };
    assert!(has_key("rides.store") && !has_key("rides.update"));
    let stored = &described().operation("rides.store").operation["responses"]["201"];
    assert!(stored["headers"]["Idempotency-Replayed"].is_object());
    let service = magazine();
    let admin = service.admin().header("Idempotency-Key", "once");
    let post = || admin.post("/api/people", json!({"name": "Ann"}));
    let (first, again) = (post(), post());
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}
