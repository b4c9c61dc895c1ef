//! The document itself: valid, whole, and of what is routed alone.

use std::collections::BTreeSet;

use formwork::{config::Config, resource::action::Action, testing::Service};
use serde_json::{Value as Json, json};

use crate::{
    described,
    described::{is_schema, walk},
    magazine, plain, with,
};

const OFFICIAL: &str = include_str!("openapi-3.1.schema.json");

fn sound(service: &Service, prefix: &str) {
    let described = described(service, prefix);
    let official: Json = serde_json::from_str(OFFICIAL).expect("JSON");
    let official = jsonschema::validator_for(&official).expect("a schema");
    let faults: Vec<String> = official
        .iter_errors(&described.document)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert_eq!(faults, [""; 0]);
    oas3::from_json(described.document.to_string()).expect("others read it");
    assert_eq!(described.nameless(), [""; 0]);
    walk(&described.document, "", &mut |place, value| {
        if let Some(preset) = value.get("default").filter(|_| is_schema(place)) {
            assert!(!place.contains("/parameters/"), "{place}");
            assert_eq!(described.faults(value, preset), [""; 0], "{place}");
        }
    });
    let mut schemas = 0;
    walk(&described.document, "", &mut |place, value| {
        if let Some(reference) = value["$ref"].as_str() {
            assert!(
                described.resolved(value).is_object(),
                "{place}: {reference}"
            );
        }
        let in_components =
            place.starts_with("/components/schemas/") && place.matches('/').count() == 3;
        if in_components || place.ends_with("/schema") {
            schemas += 1;
            if let Err(fault) = jsonschema::draft202012::meta::validate(value) {
                panic!("{place}: {fault}");
            }
        }
    });
    assert!(schemas > 50, "{schemas}");
    let text = described.document.to_string();
    for family in ["schemas", "responses", "parameters", "headers"] {
        let parts = described.document["components"][family].as_object();
        for name in parts.expect("components").keys() {
            let place = format!("\"#/components/{family}/{name}\"");
            assert!(text.contains(&place), "nothing leads to {place}");
        }
    }
}

#[test]
fn the_description_is_an_openapi_document_with_every_configuration() {
    sound(&magazine(), "/api");
    sound(&with(plain()), "/api");
    let mut config = Config::default();
    config.api.prefix = "/v1/shop".to_owned();
    config.api.base_url = Some("https://example.com/here".to_owned());
    config.api.rate_limit = 0;
    let service = with(config);
    sound(&service, "/v1/shop");
    let document = described(&service, "/v1/shop").document;
    assert_eq!(
        document["servers"],
        json!([{"url": "https://example.com/here"}])
    );
    let mut config = Config::default();
    config.api.prefix = String::new();
    sound(&with(config), "");
}

#[test]
fn title_and_version_of_the_description_are_configured() {
    let said = |service: &Service, prefix: &str| {
        let document = described(service, prefix).document;
        let scheme = document["components"]["securitySchemes"]["bearer"]["description"].to_string();
        let info = &document["info"];
        (info["title"].clone(), info["version"].clone(), scheme)
    };
    let (title, version, scheme) = said(&magazine(), "/api");
    assert_eq!((title, version), (json!("REST API"), json!("1")));
    assert!(scheme.contains("`POST /api/token`"), "{scheme}");
    let mut config = Config::default();
    config.api.title = "The \"Bistro\"".to_owned();
    config.api.version = "2.1".to_owned();
    config.api.prefix = "/v1".to_owned();
    let (title, version, scheme) = said(&with(config), "/v1");
    assert_eq!((title, version), (json!("The \"Bistro\""), json!("2.1")));
    assert!(scheme.contains("`POST /v1/token`"), "{scheme}");
}

#[test]
fn the_description_names_exactly_the_routed_actions() {
    let service = magazine();
    let described = described(&service, "/api");
    let seen: BTreeSet<String> = described
        .operations()
        .iter()
        .map(|one| format!("{} {}", one.method.to_uppercase(), one.path))
        .collect();
    let mut routed: BTreeSet<String> = [
        "POST /api/token",
        "DELETE /api/token",
        "GET /api/token/user",
        "GET /health/live",
        "GET /health/ready",
    ]
    .map(str::to_owned)
    .into();
    for (_, entry) in service.app().registry().entries() {
        let Some(resource) = &entry.resource else {
            continue;
        };
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
                    .map(|method| format!("{method} /api/{}{tail}", entry.key)),
            );
        }
    }
    for route in service.app().registry().routes() {
        routed.insert(format!("{} /api{}", route.method(), route.path()));
    }
    assert_eq!(seen, routed);
    assert!(
        !seen.contains("GET /api/people/create"),
        "registered, and not configured"
    );
    assert!(
        !seen.contains("DELETE /api/rides/{id}"),
        "configured, and not registered"
    );
}

#[cfg(feature = "admin")]
#[test]
fn actions_switched_off_in_the_admin_area_are_not_described() {
    let service = magazine();
    service.block_on(service.app().settle());
    let before = service.guest().get("/api/openapi.json");
    let sql = "UPDATE api_resources SET meta = \
        '{\"actions\": [\"show\"], \"authorization\": {\"show\": \"users\"}}' \
        WHERE endpoint = 'people'";
    let changed = service.block_on(service.app().db().execute(sql, []));
    assert_eq!(changed.expect("a row"), 1);
    service.block_on(service.app().look_up());
    assert_eq!(service.guest().get("/api/people").status, 404);
    let described = described(&service, "/api");
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
    service.block_on(service.app().settle());
    let seen = || {
        let described = described(&service, "/api");
        let include = &described.document["components"]["parameters"]["include.articles"];
        let paths = described.resolved(&include["schema"]["items"])["enum"].to_string();
        let known = &described.document["components"]["schemas"];
        let member = &known["articles.record"]["properties"]["author"];
        (
            paths.contains("\"author\""),
            member.is_object(),
            known["people.record"].is_object(),
        )
    };
    assert_eq!(seen(), (true, true, true));
    let sql = "UPDATE api_resources SET meta = '{\"actions\": [\"store\"], \"authorization\": \
        {\"store\": \"admin\"}}' WHERE endpoint = 'people'";
    let changed = service.block_on(service.app().db().execute(sql, []));
    assert_eq!(changed.expect("a row"), 1);
    service.block_on(service.app().look_up());
    let refused = service.guest().get("/api/articles?include=author");
    assert_eq!(refused.status, 403, "{refused}");
    // A stored record is answered: its schema is described still.
    assert_eq!(seen(), (false, false, true));
}

#[test]
fn operations_have_distinct_names_and_described_tags() {
    let service = magazine();
    let described = described(&service, "/api");
    let mut ids = BTreeSet::new();
    let tags = described.document["tags"].as_array().expect("tags");
    let tags: Vec<&Json> = tags.iter().map(|tag| &tag["name"]).collect();
    for one in described.operations() {
        let id = one.operation["operationId"].as_str().expect("an id");
        assert!(ids.insert(id.to_owned()), "{id} stands twice");
        for tag in one.operation["tags"].as_array().expect("tags") {
            assert!(tags.contains(&tag), "{id}: {tag}");
        }
        for part in one
            .path
            .split('/')
            .filter_map(|part| part.strip_prefix('{'))
        {
            let name = part.trim_end_matches('}');
            let parameters = described.parameters(one);
            let known = |it: &&Json| it["name"] == name && it["in"] == "path";
            assert!(parameters.iter().any(known), "{id}: {name}");
        }
        let names: Vec<_> = described
            .parameters(one)
            .iter()
            .map(|it| it["name"].to_string())
            .collect();
        assert_eq!(
            names.iter().collect::<BTreeSet<_>>().len(),
            names.len(),
            "{id}: {names:?}"
        );
    }
    assert!(
        ids.contains("articles.index") && ids.contains("routes.get.tours.day.2"),
        "{ids:?}"
    );
    assert!(tags.contains(&&json!("Rides")) && tags.contains(&&json!("Others")));
}

#[test]
fn the_description_names_the_callers_of_each_action() {
    let service = magazine();
    let described = described(&service, "/api");
    let seen = |id: &str| {
        let operation = described.operation(id).operation;
        (
            operation["security"].clone(),
            operation["x-context"].clone(),
            operation["x-abilities"].clone(),
        )
    };
    let (nobody, bearer) = (json!({}), json!({"bearer": []}));
    let abilities = |action: &str| json!([format!("rides:{action}"), "tours:lend"]);
    assert_eq!(
        seen("rides.index"),
        (json!([nobody, bearer]), json!("all"), abilities("index"))
    );
    assert_eq!(
        seen("rides.show"),
        (json!([nobody]), json!("guest"), abilities("show"))
    );
    assert_eq!(
        seen("rides.store"),
        (json!([bearer]), json!("users"), abilities("store"))
    );
    assert_eq!(
        seen("rides.put"),
        (json!([bearer]), json!("customer"), abilities("update"))
    );
    let lend = (json!([bearer]), json!("admin"), json!(["rides:lend"]));
    assert_eq!(seen("routes.post.rides.id.lend"), lend);
    assert_eq!(
        seen("articles.show"),
        (json!([nobody, bearer]), json!("all"), Json::Null)
    );
}

#[test]
fn hidden_attributes_are_not_described() {
    let service = magazine();
    let document = described(&service, "/api").document;
    let schemas = &document["components"]["schemas"];
    assert!(schemas["articles.record"]["properties"]["secret"].is_null());
    assert!(
        schemas["articles.attributes"]["properties"]
            .get("title")
            .is_some()
    );
    assert!(schemas["rides.record"]["properties"]["code"].is_null());
    assert_eq!(
        schemas["rides.store"]["properties"]["code"]["x-admin"],
        true
    );
    assert!(
        schemas["rides.update"]["properties"]["code"].is_null(),
        "customers alone update"
    );
    let names = &schemas["rides.field"]["enum"];
    assert!(names.is_array(), "{names}");
    assert!(!names.to_string().contains("code"), "{names}");
    // A transformer that counts on a real record is not guessed at.
    let comments = &schemas["comments.record"];
    assert_eq!(
        comments["properties"].as_object().map(serde_json::Map::len),
        Some(2),
        "{comments}"
    );
    assert!(comments["description"].is_string() && comments["required"].is_null());
}

#[test]
fn a_small_resource_whole() {
    let service = magazine();
    let document = described(&service, "/api").document;
    let is_rides = |name: &&String| name.starts_with("rides") || name.starts_with("/api/rides");
    let pick = |value: &Json| -> Json {
        let members = value.as_object().expect("an object").iter();
        members
            .filter(|(name, _)| is_rides(name))
            .map(|(name, part)| (name.clone(), part.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let shown = json!({
        "paths": pick(&document["paths"]),
        "schemas": pick(&document["components"]["schemas"]),
    });
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).expect("JSON"));
}

#[test]
fn requests_may_be_named() {
    let service = magazine();
    let described = described(&service, "/api");
    let takes = |id: &str| {
        let parameters = described.parameters(described.operation(id));
        parameters
            .iter()
            .any(|it| it["name"] == "Idempotency-Key" && it["in"] == "header")
    };
    assert!(takes("rides.store") && !takes("rides.update"));
    let stored = &described.operation("rides.store").operation["responses"]["201"];
    assert!(stored["headers"]["Idempotency-Replayed"].is_object());
    let people = service.admin().header("Idempotency-Key", "once");
    let first = people.post("/api/people", json!({"name": "Ann"}));
    let again = people.post("/api/people", json!({"name": "Ann"}));
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}
