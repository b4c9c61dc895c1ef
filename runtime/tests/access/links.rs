//! Relationship writes: a caller links to what he reaches, and the answer does not tell what is
//! there beyond.

use formwork::testing::{Client, Service};
use serde_json::{Value as Json, json};

use super::{MEDIA, alice_and_bob, create, house};

/// Stores letter 1 of Alice, and 2 and 3 of Bob, whose client is returned.
fn written(service: &Service) -> Client<'_> {
    let (alice, bob) = alice_and_bob(service);
    for client in [&alice, &bob, &bob] {
        create(client, "/api/letters", json!({"title": "Dear"}));
    }
    bob
}

/// The same body with another letter in the place of Alice's.
fn about(id: i64) -> [(Json, &'static str); 3] {
    [
        (json!({"reply_to_id": id}), "reply_to_id"),
        (json!({"about_type": "letters", "about_id": id}), "about_id"),
        (json!({"copies": [3, id]}), "copies"),
    ]
}

#[test]
fn data_bodies_reach_ones_own_rows_only() {
    let service = house();
    let bob = written(&service);
    let foreign = about(1).into_iter().zip(about(99));
    for ((body, field), (missing, _)) in foreign {
        let refused = bob.patch("/api/letters/2", body.clone());
        assert_eq!(refused.status, 422, "{field}: {refused}");
        assert!(refused.json["errors"][field].is_array(), "{refused}");
        let mut new = body;
        new["title"] = json!("New");
        assert_eq!(bob.post("/api/letters", new).status, 422, "{field}");
        let missing = bob.patch("/api/letters/2", missing);
        // A polymorphic key has no foreign key: a missing row there is not refused.
        if field != "about_id" {
            assert_eq!(refused.body, missing.body, "the two look alike");
        }
    }
    for (body, field) in about(3) {
        let linked = bob.patch("/api/letters/2", body);
        assert_eq!(linked.status, 200, "{field}: {linked}");
    }
}

#[test]
fn documents_reach_ones_own_rows_only() {
    let service = house();
    let bob = written(&service);
    let media = MEDIA[1];
    let bob = bob.header("Accept", media).header("Content-Type", media);
    let linkages = |id: &str| {
        let letter = json!({"type": "letters", "id": id});
        [
            json!({"reply_to": {"data": letter}}),
            json!({"about": {"data": letter}}),
            json!({"copies": {"data": [letter]}}),
        ]
    };
    let document = |relationships: Json| {
        let data = json!({"type": "letters", "id": "2", "relationships": relationships});
        json!({"data": data})
    };
    for relationships in linkages("1") {
        let refused = bob.patch("/api/letters/2", document(relationships.clone()));
        assert_eq!(refused.status, 422, "{relationships}: {refused}");
    }
    for relationships in linkages("3") {
        let linked = bob.patch("/api/letters/2", document(relationships));
        assert_eq!(linked.status, 200, "{linked}");
    }
}

/// An administrator's link stays, although the owner does not see it; he may send it back.
#[test]
fn an_update_keeps_links_that_the_caller_may_not_see() {
    let service = house();
    let bob = written(&service);
    let linked = json!({"reply_to_id": 1, "copies": [1]});
    let linked = service.admin().patch("/api/letters/2", linked);
    assert_eq!(linked.status, 200, "{linked}");
    let body = json!({"title": "Still", "reply_to_id": 1, "copies": [3]});
    let kept = bob.put("/api/letters/2", body);
    assert_eq!(kept.status, 200, "{kept}");
    let seen = service
        .admin()
        .get("/api/letters/2?include=copies,reply_to");
    let copies = seen.json["data"]["copies"].as_array().map(Vec::len);
    assert_eq!(copies, Some(2), "{seen}");
    assert_eq!(seen.json["data"]["reply_to"]["id"], 1, "{seen}");
}
