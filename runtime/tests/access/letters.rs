//! Owned resources: no way leads to another customer's rows.

use formwork::testing::{Client, Service};
use serde_json::json;

use super::{MEDIA, alice_and_bob, create, house, ids};

/// Stores Alice's letters 1 and 2, and Bob's 3, which answers and copies Alice's.
fn written(service: &Service) -> (Client<'_>, Client<'_>) {
    let (alice, bob) = alice_and_bob(service);
    for (client, title) in [
        (&alice, "Alice one"),
        (&alice, "Alice two"),
        (&bob, "Bob one"),
    ] {
        create(
            client,
            "/api/letters",
            json!({"title": title, "pin": "1234"}),
        );
    }
    // An administrator links what belongs to two.
    let linked = json!({"reply_to_id": 1, "copies": [1], "about_type": "letters", "about_id": 1});
    let linked = service.admin().patch("/api/letters/3", linked);
    assert_eq!(linked.status, 200, "{linked}");
    (alice, bob)
}

#[test]
fn records_of_others_are_hidden_by_id() {
    let service = house();
    let (_, bob) = written(&service);
    for answer in [
        bob.get("/api/letters/1"),
        bob.patch("/api/letters/1", json!({"title": "Stolen"})),
        bob.put("/api/letters/1", json!({"title": "Stolen"})),
        bob.patch("/api/letters/1", json!({"title": 5})),
        bob.delete("/api/letters/1"),
    ] {
        assert_eq!(answer.status, 404, "{answer}");
        let missing = bob.get("/api/letters/99");
        let (here, there) = (&answer.json["message"], &missing.json["message"]);
        let plain = |text: &serde_json::Value| text.to_string().replace("99", "1");
        assert_eq!(plain(here), plain(there), "as if there were none");
    }
    assert_eq!(
        service.admin().get("/api/letters/1").json["data"]["title"],
        "Alice one"
    );
}

#[test]
fn records_of_others_are_hidden_in_lists_filters_searches_sorts_and_counts() {
    let service = house();
    let (alice, bob) = written(&service);
    let queries = "?search=Alice ?filter[id]=1 ?filter[id][in]=1,2,3 \
        ?filter[title][like]=%25Alice%25 ?filter[customer_id][ne]=0 ?filter[customer_id]=1 \
        ?filter[id][lt]=3 ?sort=-customer_id ?page[after]= ?page[before]= \
        ?filter[reply_to_id][null]=true";
    for query in queries.split(' ').chain([""]) {
        let list = bob.get(&format!("/api/letters{query}"));
        assert!(ids(&list).iter().all(|id| *id == 3), "{query}: {list}");
        let total = &list.json["meta"]["pagination"]["total"];
        assert!(total.as_i64().unwrap_or_default() <= 1, "{query}: {list}");
    }
    assert_eq!(ids(&alice.get("/api/letters")), [1, 2]);
    assert_eq!(ids(&service.admin().get("/api/letters")), [1, 2, 3]);
}

#[test]
fn records_of_others_are_hidden_in_includes() {
    let service = house();
    let (alice, bob) = written(&service);
    let path = "/api/letters/3?include=reply_to,copies,about";
    let letter = bob.get(path);
    assert_eq!(letter.status, 200, "{letter}");
    let data = &letter.json["data"];
    let related = ["reply_to", "copies", "about"].map(|name| data[name].clone());
    assert_eq!(related, [json!(null), json!([]), json!(null)], "{letter}");
    assert!(!letter.body.contains("Alice"), "{letter}");
    let document = bob.header("Accept", MEDIA[1]).get(path);
    assert_eq!(document.json["included"], json!([]), "{document}");
    assert!(!document.body.contains("Alice"), "{document}");
    let replies = alice.get("/api/letters/1?include=replies,copies");
    assert_eq!(replies.json["data"]["replies"], json!([]), "{replies}");
    let all = service.admin().get(path);
    assert_eq!(all.json["data"]["reply_to"]["title"], "Alice one", "{all}");
}

/// An `If-None-Match` or `If-Match` that would match reveals no state of another customer's row.
#[test]
fn records_of_others_have_no_etag() {
    let service = house();
    let (alice, bob) = written(&service);
    let tag = alice.get("/api/letters/1");
    let tag = tag.header("etag").expect("an ETag").to_owned();
    let seen = alice.header("If-None-Match", &tag).get("/api/letters/1");
    assert_eq!(seen.status, 304);
    for name in ["If-None-Match", "If-Match"] {
        for value in [tag.as_str(), "*"] {
            let bob = bob.clone().header(name, value);
            assert_eq!(bob.get("/api/letters/1").status, 404, "{name}");
            let changed = bob.patch("/api/letters/1", json!({"title": "Stolen"}));
            assert_eq!(changed.status, 404, "{name}: {changed}");
            assert_eq!(bob.delete("/api/letters/1").status, 404, "{name}");
        }
    }
}

#[test]
fn the_owner_in_a_body_is_ignored() {
    let service = house();
    let (alice, bob) = written(&service);
    let mine = bob.get("/api/letters/3").json["data"]["customer_id"].clone();
    let theirs = alice.get("/api/letters/1").json["data"]["customer_id"].clone();
    let body = json!({"title": "New", "customer_id": theirs});
    let stored = bob.post("/api/letters", body.clone());
    assert_eq!(stored.json["data"]["customer_id"], mine, "{stored}");
    for changed in [
        bob.patch("/api/letters/3", body.clone()),
        bob.put("/api/letters/3", body),
    ] {
        assert_eq!(changed.json["data"]["customer_id"], mine, "{changed}");
    }
    let given = json!({"title": "Given", "customer_id": mine});
    let given = service.admin().patch("/api/letters/1", given);
    assert_eq!(
        given.json["data"]["customer_id"], mine,
        "an administrator may"
    );
}
