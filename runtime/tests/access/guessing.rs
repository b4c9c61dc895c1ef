//! Hidden values cannot be guessed either: not through sort, filter, search, fields, includes.

use formwork::testing::{Client, Service};
use serde_json::json;

use super::{MEDIA, alice_and_bob, create, house};

/// Stores a letter with a pin, and returns its owner.
fn with_letter(service: &Service) -> Client<'_> {
    let (alice, _) = alice_and_bob(service);
    create(
        &alice,
        "/api/letters",
        json!({"title": "Dear", "pin": "1234"}),
    );
    alice
}

#[test]
fn a_hidden_column_is_refused_in_every_query_parameter() {
    let service = house();
    let alice = with_letter(&service);
    for client in [&alice, &service.admin()] {
        let queries = "sort=pin sort=-pin sort=pin+desc filter[pin]=1234 filter[pin][like]=1%25 \
            filter[pin][null]=false pin=1234 fields[letters]=pin include=pin exclude=pin \
            page[after]=&sort=pin";
        for query in queries.split(' ') {
            let refused = client.get(&format!("/api/letters?{query}"));
            assert_eq!(refused.status, 400, "{query}: {refused}");
            let unknown = query.replace("pin", "nip");
            let unknown = client.get(&format!("/api/letters?{unknown}"));
            assert_eq!(unknown.status, 400);
            let same = unknown.body.replace("nip", "pin");
            assert_eq!(refused.body, same, "as if there were no such column");
        }
        let found = client.get("/api/letters?search=1234");
        assert_eq!(found.json["data"], json!([]), "{found}");
    }
    assert!(!alice.get("/api/letters").body.contains("1234"));
}

#[test]
fn a_hidden_column_does_not_show_in_answers() {
    let service = house();
    let alice = with_letter(&service);
    for accept in MEDIA {
        let alice = alice.clone().header("Accept", accept);
        for path in ["/api/letters/1", "/api/letters"] {
            let answer = alice.get(path);
            assert_eq!(answer.status, 200, "{answer}");
            assert!(!answer.body.contains("pin"), "{answer}");
        }
    }
}
