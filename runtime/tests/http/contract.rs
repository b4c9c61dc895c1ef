//! Sentences of docs/contract.md that hold in both representations.

use formwork::{
    config::Config,
    prelude::*,
    testing::{Answer, Client, Service},
};

use super::{
    kitchen,
    support::{Expect, JSON, JSON_API, count},
};

/// Both representations: whether it is JSON:API.
const REPRESENTATIONS: [bool; 2] = [false, true];

fn speaking(client: Client<'_>, json_api: bool) -> Client<'_> {
    let media = if json_api { JSON_API } else { JSON };
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

fn ids(answer: &Answer) -> String {
    let records = answer.json["data"].as_array().expect("a list").iter();
    let ids = records.map(|record| record["id"].to_string().replace('"', ""));
    ids.collect::<Vec<_>>().join(",")
}

/// "Prefix `/api` by default. Links and `Location` are paths, prefixed with `api.base_url`."
#[test]
fn addresses_have_the_prefix_and_the_base_that_are_configured() {
    let yaml = "api: { prefix: /v1, base_url: 'https://bistro.example/x' }";
    let config = Config::from_sources(yaml, []).expect("a configuration");
    let service = Service::with_config(config, vec![Box::new(kitchen::Kitchen)]);
    let here = |path: &str| format!("https://bistro.example/x/v1{path}");
    for (json_api, id) in REPRESENTATIONS.into_iter().zip(1..) {
        let client = speaking(service.admin(), json_api);
        client.get("/api/dishes").expect(404);
        client.get("/v1/token/user").expect(200);
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
        service
            .admin()
            .post("/api/dishes", json!({"title": title}))
            .expect(201);
    }
    for (json_api, key) in [
        (false, "id"),
        (false, "dish_id"),
        (true, "id"),
        (true, "dish_id"),
    ] {
        let client = speaking(service.guest(), json_api);
        for (query, expected) in [
            ("sort=-KEY", "3,2,1"),
            ("sort=KEY+desc", "3,2,1"),
            ("filter[KEY]=2", "2"),
            ("filter[KEY][in]=1,3", "1,3"),
            ("filter[KEY][gt]=1", "2,3"),
        ] {
            let list = client.get(&format!("/api/dishes?{}", query.replace("KEY", key)));
            assert_eq!(ids(&list), expected, "{query} {key}: {list}");
        }
        let shown = client
            .get(&format!("/api/dishes/1?fields[dishes]=title,{key}"))
            .expect(200);
        assert_eq!(attributes(&shown, json_api)["title"], "Soup");
        assert_eq!(
            attributes(&shown, json_api).get("portions"),
            None,
            "{shown}"
        );
        assert_eq!(shown.json["data"]["id"].to_string().replace('"', ""), "1");
    }
}

/// "Members of a body that are unknown, or that the caller may not write, are ignored." "Key,
/// owner, timestamps and `read_only` attributes never come from a body."
#[test]
fn unknown_and_unwritable_members_are_ignored() {
    let service = kitchen();
    for (json_api, id) in REPRESENTATIONS.into_iter().zip(1..) {
        let sent = json!({
            "title": "Soup", "nothing": 1, "dish_id": 77, "secret": "x",
            "created_at": "2001-01-01T00:00:00Z", "updated_at": "2001-01-01T00:00:00Z",
        });
        let client = speaking(service.admin(), json_api);
        let stored = client.post("/api/dishes", body(json_api, sent)).expect(201);
        let location = format!("/api/dishes/{id}");
        assert_eq!(stored.header("location"), Some(location.as_str()));
        let shown = attributes(&stored, json_api);
        for unknown in ["nothing", "secret", "dish_id"] {
            assert_eq!(shown.get(unknown), None, "{stored}");
        }
        for stamp in ["created_at", "updated_at"] {
            let year = shown[stamp].as_str().and_then(|stamp| stamp.get(..4));
            assert!(year.is_some_and(|year| year != "2001"), "{stored}");
        }
    }
}

/// "`null` for a NOT NULL attribute takes its default"; "PUT: attributes that are not sent keep
/// their value".
#[test]
fn null_sets_the_default_and_a_missing_member_keeps_its_value() {
    let service = kitchen();
    for (json_api, id) in REPRESENTATIONS.into_iter().zip(1..) {
        let client = speaking(service.admin(), json_api);
        let full = json!({"title": "Soup", "price": 7, "portions": 3, "served_from": "09:30"});
        client.post("/api/dishes", body(json_api, full)).expect(201);
        let path = format!("/api/dishes/{id}");
        let change = |method: &str, members: Json| {
            let mut sent = body(json_api, members);
            if json_api {
                sent["data"]["id"] = json!(id.to_string());
            }
            let answer = client
                .send(method, &path, Some(sent.to_string()))
                .expect(200);
            let dish = attributes(&answer, json_api);
            [&dish["price"], &dish["portions"], &dish["served_from"]].map(Json::clone)
        };
        for method in ["PUT", "PATCH"] {
            let kept = change(method, json!({"title": "Stew"}));
            assert_eq!(kept, [json!("7.0000"), json!(3), json!("09:30:00")]);
        }
        let nulls = json!({"price": null, "portions": null, "served_from": null});
        assert_eq!(
            change("PATCH", nulls),
            [json!("4.9900"), json!(1), json!(null)]
        );
    }
}

/// "An unknown or forbidden member of these …: 400 naming the parameter", for every action, and
/// before any change.
#[test]
fn no_action_takes_a_parameter_it_does_not_know() {
    let service = kitchen();
    let admin = service.admin();
    admin
        .post("/api/dishes", json!({"title": "Soup"}))
        .expect(201);
    for json_api in REPRESENTATIONS {
        let client = speaking(service.admin(), json_api);
        for (method, path) in [
            ("GET", "/api/dishes"),
            ("GET", "/api/dishes/create"),
            ("POST", "/api/dishes"),
            ("GET", "/api/dishes/1"),
            ("GET", "/api/dishes/1/edit"),
            ("PUT", "/api/dishes/1"),
            ("PATCH", "/api/dishes/1"),
            ("DELETE", "/api/dishes/1"),
        ] {
            for (parameter, value) in [
                ("colour", "red"),
                ("include", "cooks"),
                ("exclude", "cooks"),
                ("fields[dishes]", "colour"),
                ("fields[cooks]", "name"),
                ("filter[colour]", "red"),
            ] {
                let address = format!("{path}?{parameter}={value}");
                let mut sent = body(json_api, json!({"title": "New"}));
                if json_api && method != "POST" {
                    sent["data"]["id"] = json!("1");
                }
                let sent = method.starts_with('P').then(|| sent.to_string());
                let answer = client.send(method, &address, sent);
                assert_eq!(answer.status, 400, "{method} {address}: {answer}");
                let named = match json_api {
                    true => answer.json["errors"][0]["source"]["parameter"] == parameter,
                    false => answer.body.contains(&format!("`{parameter}`")),
                };
                assert!(named, "{method} {address}: {answer}");
            }
        }
    }
    assert_eq!(count(&service, "dishes WHERE title = 'Soup'"), 1);
    assert_eq!(count(&service, "dishes"), 1);
}
