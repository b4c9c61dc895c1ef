//! Sentences of docs/contract.md that hold in both renderings.

use formwork::{
    config::Config,
    prelude::*,
    testing::{Answer, Client, Service},
};

use super::kitchen;

const JSON_API: &str = "application/vnd.api+json";

/// Both renderings: whether it is JSON:API.
const RENDERINGS: [bool; 2] = [false, true];

fn speaking(client: Client<'_>, json_api: bool) -> Client<'_> {
    let media = if json_api {
        JSON_API
    } else {
        "application/json"
    };
    client.header("Accept", media).header("Content-Type", media)
}

fn body(json_api: bool, attributes: Json) -> Json {
    match json_api {
        true => json!({"data": {"type": "dishes", "attributes": attributes}}),
        false => attributes,
    }
}

/// The attributes of the only record of an answer.
fn attributes(answer: &Answer, json_api: bool) -> &Json {
    match json_api {
        true => &answer.json["data"]["attributes"],
        false => &answer.json["data"],
    }
}

fn ids(answer: &Answer) -> Vec<String> {
    let records = answer.json["data"].as_array().expect("a list");
    records
        .iter()
        .map(|record| record["id"].to_string().replace('"', ""))
        .collect()
}

/// "Prefix `/api` by default. Links and `Location` are paths, prefixed with `api.base_url`."
#[test]
fn addresses_have_the_prefix_and_the_base_that_are_configured() {
    let yaml = "api: { prefix: /v1, base_url: 'https://bistro.example/x' }";
    let config = Config::from_sources(yaml, []).expect("a configuration");
    let service = Service::with_config(config, vec![Box::new(kitchen::Kitchen)]);
    let here = |path: &str| format!("https://bistro.example/x/v1{path}");
    for (json_api, id) in RENDERINGS.into_iter().zip(1..) {
        let client = speaking(service.admin(), json_api);
        assert_eq!(client.get("/api/dishes").status, 404);
        assert_eq!(client.get("/v1/token/user").status, 200);
        let stored = client.post("/v1/dishes", body(json_api, json!({"title": "Soup"})));
        let own = here(&format!("/dishes/{id}"));
        assert_eq!(stored.header("location"), Some(own.as_str()), "{stored}");
        let links = match json_api {
            true => json!({"self": own}),
            false => json!([{"rel": "self", "uri": own}]),
        };
        assert_eq!(stored.json["data"]["links"], links, "{stored}");
        let list = client.get("/v1/dishes?sort=-id");
        let first = list.json["links"]["first"].as_str().unwrap_or_default();
        assert!(first.starts_with(&here("/dishes?sort=-id&page")), "{list}");
    }
}

/// "The key's column name is accepted in sort, filter and fields as well, and the key is always
/// sortable and filterable."
#[test]
fn the_key_has_two_names() {
    let service = kitchen();
    for title in ["Soup", "Stew", "Cake"] {
        assert_eq!(
            service
                .admin()
                .post("/api/dishes", json!({"title": title}))
                .status,
            201
        );
    }
    for json_api in RENDERINGS {
        let client = speaking(service.guest(), json_api);
        for key in ["id", "dish_id"] {
            let list = |query: String| ids(&client.get(&format!("/api/dishes?{query}")));
            assert_eq!(list(format!("sort=-{key}")), ["3", "2", "1"]);
            assert_eq!(
                list(format!("sort={key} desc").replace(' ', "+")),
                ["3", "2", "1"]
            );
            assert_eq!(list(format!("filter[{key}]=2")), ["2"]);
            assert_eq!(list(format!("filter[{key}][in]=1,3")), ["1", "3"]);
            assert_eq!(list(format!("filter[{key}][gt]=1")), ["2", "3"]);
            let shown = client.get(&format!("/api/dishes/1?fields[dishes]=title,{key}"));
            assert_eq!(shown.status, 200, "{shown}");
            assert_eq!(attributes(&shown, json_api)["title"], "Soup");
            assert_eq!(
                attributes(&shown, json_api).get("portions"),
                None,
                "{shown}"
            );
            assert_eq!(shown.json["data"]["id"].to_string().replace('"', ""), "1");
        }
    }
}

/// "Members of a body that are unknown, or that the caller may not write, are ignored." "Key,
/// owner, timestamps and `read_only` attributes never come from a body."
#[test]
fn unknown_and_unwritable_members_are_ignored() {
    let service = kitchen();
    for (json_api, id) in RENDERINGS.into_iter().zip(1..) {
        let sent = json!({
            "title": "Soup", "nothing": 1, "dish_id": 77, "secret": "x",
            "created_at": "2001-01-01T00:00:00Z", "updated_at": "2001-01-01T00:00:00Z",
        });
        let client = speaking(service.admin(), json_api);
        let stored = client.post("/api/dishes", body(json_api, sent));
        assert_eq!(stored.status, 201, "{stored}");
        let location = format!("/api/dishes/{id}");
        assert_eq!(stored.header("location"), Some(location.as_str()));
        let shown = attributes(&stored, json_api);
        for unknown in ["nothing", "secret", "dish_id"] {
            assert_eq!(shown.get(unknown), None, "{stored}");
        }
        for stamp in ["created_at", "updated_at"] {
            assert!(
                !shown[stamp].as_str().unwrap_or("2001").starts_with("2001"),
                "{stored}"
            );
        }
    }
}

/// "`create` and `edit` take no part in a resource unless its record registers them."
#[test]
fn forms_are_there_where_they_are_registered() {
    let service = kitchen();
    let admin = service.admin();
    assert_eq!(
        admin.post("/api/dishes", json!({"title": "Soup"})).status,
        201
    );
    let note = json!({"dish_id": 1, "text": "good"});
    assert_eq!(admin.post("/api/notes", note).status, 201);
    for json_api in RENDERINGS {
        let client = speaking(service.admin(), json_api);
        assert_eq!(client.get("/api/notes/1").status, 200);
        assert_eq!(client.get("/api/notes/create").status, 404);
        assert_eq!(client.get("/api/notes/1/edit").status, 404);
        assert_eq!(client.get("/api/dishes/9/edit").status, 404);
    }
}

/// "`null` for a NOT NULL attribute takes its default"; "PUT: attributes that are not sent keep
/// their value".
#[test]
fn null_sets_the_default_and_a_missing_member_keeps_its_value() {
    let service = kitchen();
    for (json_api, id) in RENDERINGS.into_iter().zip(1..) {
        let client = speaking(service.admin(), json_api);
        let full = json!({"title": "Soup", "price": 7, "portions": 3, "served_from": "09:30"});
        assert_eq!(client.post("/api/dishes", body(json_api, full)).status, 201);
        let path = format!("/api/dishes/{id}");
        let change = |method: &str, members: Json| {
            let mut sent = body(json_api, members);
            if json_api {
                sent["data"]["id"] = json!(id.to_string());
            }
            let answer = client.send(method, &path, Some(sent.to_string()));
            assert_eq!(answer.status, 200, "{answer}");
            attributes(&answer, json_api).clone()
        };
        for method in ["PUT", "PATCH"] {
            let kept = change(method, json!({"title": "Stew"}));
            assert_eq!(
                (&kept["price"], &kept["portions"], &kept["served_from"]),
                (&json!("7.0000"), &json!(3), &json!("09:30:00"))
            );
        }
        let reset = change(
            "PATCH",
            json!({"price": null, "portions": null, "served_from": null}),
        );
        assert_eq!(
            (&reset["price"], &reset["portions"], &reset["served_from"]),
            (&json!("4.9900"), &json!(1), &json!(null))
        );
    }
}

/// "An unknown or forbidden member of these …: 400 naming the parameter", for every action, and
/// before any change.
#[test]
fn no_action_takes_a_parameter_it_does_not_know() {
    let service = kitchen();
    let admin = service.admin();
    let stored = admin.post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(stored.status, 201, "{stored}");
    let new = json!({"title": "New"});
    for json_api in RENDERINGS {
        let client = speaking(service.admin(), json_api);
        let mut change = body(json_api, new.clone());
        let store = change.to_string();
        if json_api {
            change["data"]["id"] = json!("1");
        }
        let change = change.to_string();
        for (method, path, sent) in [
            ("GET", "/api/dishes", None),
            ("GET", "/api/dishes/create", None),
            ("POST", "/api/dishes", Some(&store)),
            ("GET", "/api/dishes/1", None),
            ("GET", "/api/dishes/1/edit", None),
            ("PUT", "/api/dishes/1", Some(&change)),
            ("PATCH", "/api/dishes/1", Some(&change)),
            ("DELETE", "/api/dishes/1", None),
        ] {
            for (parameter, value) in [
                ("colour", "red"),
                ("include", "cooks"),
                ("exclude", "cooks"),
                ("fields[dishes]", "colour"),
                ("fields[cooks]", "name"),
                ("filter[colour]", "red"),
            ] {
                let asked = format!("{method} {path}?{parameter}={value}");
                let address = format!("{path}?{parameter}={value}");
                let answer = client.send(method, &address, sent.cloned());
                assert_eq!(answer.status, 400, "{asked}: {answer}");
                let named = match json_api {
                    true => answer.json["errors"][0]["source"]["parameter"] == parameter,
                    false => answer.body.contains(&format!("`{parameter}`")),
                };
                assert!(named, "{asked}: {answer}");
            }
        }
    }
    let list = admin.get("/api/dishes");
    assert_eq!(list.json["meta"]["pagination"]["total"], 1, "{list}");
    assert_eq!(list.json["data"][0]["title"], "Soup", "{list}");
}
