//! Contexts, abilities and their order: docs/contract.md, "Access".

use formwork::auth::AccountKind;
use serde_json::json;

use super::library;

#[test]
fn contexts_admit_the_callers_they_name() {
    let service = library();
    let (guest, customer, admin) = (service.guest(), service.customer(), service.admin());
    let own = format!("/api/members/{}", service.customer_id());
    let table = [
        ("GET", "/api/books", [200, 200, 200]),
        ("GET", "/api/books/1", [200, 200, 200]),
        ("GET", "/api/loans", [401, 200, 200]),
        ("GET", "/api/members", [401, 403, 200]),
        ("GET", own.as_str(), [200, 403, 403]),
        ("DELETE", "/api/books/2", [401, 403, 204]),
        ("DELETE", "/api/loans/99", [401, 403, 404]),
    ];
    for (method, path, statuses) in table {
        for (client, expected) in [&guest, &customer, &admin].into_iter().zip(statuses) {
            let answer = client.send(method, path, None);
            assert_eq!(answer.status, expected, "{method} {path}: {answer}");
        }
    }
    assert_eq!(
        guest.get("/api/loans").header("www-authenticate"),
        Some("Bearer")
    );
}

#[test]
fn abilities_allow_the_actions_they_name() {
    let service = library();
    let id = service.account(AccountKind::Admin, "second@example.com");
    let with =
        |ability: &str| service.with_token(service.token(AccountKind::Admin, id, &[ability]));
    let change = json!({"title": "Stone Bread"});
    for (ability, reads, writes) in [
        ("*", 200, 200),
        ("books:*", 200, 200),
        ("books.*", 200, 200),
        ("books:read", 200, 403),
        ("books:write", 403, 200),
        ("books:update", 403, 200),
        ("books:index", 200, 403),
        ("loans:*", 403, 403),
    ] {
        assert_eq!(
            with(ability).get("/api/books").status,
            reads,
            "{ability} reads"
        );
        let answer = with(ability).patch("/api/books/1", change.clone());
        assert_eq!(answer.status, writes, "{ability} writes: {answer}");
    }
}

#[test]
fn authentication_comes_first_and_validation_last() {
    let service = library();
    let broken = json!({"title": "x"});
    assert_eq!(
        service.guest().post("/api/books", broken.clone()).status,
        401
    );
    assert_eq!(
        service.customer().post("/api/books", broken.clone()).status,
        403
    );
    assert_eq!(
        service.admin().put("/api/books/99", broken.clone()).status,
        404
    );
    let answer = service.admin().post("/api/books", broken);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(answer.json["errors"]["title"].is_array() && answer.json["errors"]["price"].is_array());
    let stopped = service
        .admin()
        .post("/api/books", json!({"title": "End.", "price": 1}));
    assert_eq!(
        stopped.json["errors"]["title"][0], "A title ends without a full stop.",
        "{stopped}"
    );
}

#[test]
fn hidden_and_unlisted_attributes_never_leave() {
    let service = library();
    let body = json!({"title": "Ink", "price": "3", "supplier": "secret", "id": 77});
    let answer = service.admin().post("/api/books", body);
    assert_eq!(answer.status, 201, "{answer}");
    assert!(!answer.body.contains("secret"), "{answer}");
    assert_ne!(answer.json["data"]["id"], json!(77));
    assert_eq!(
        answer.header("location"),
        answer.json["data"]["links"][0]["uri"].as_str()
    );
    for query in [
        "sort=supplier",
        "filter[supplier]=secret",
        "include=supplier",
        "colour=red",
    ] {
        let answer = service.guest().get(&format!("/api/books?{query}"));
        assert_eq!(answer.status, 400, "{query}: {answer}");
    }
}

#[test]
fn a_list_is_paged_sorted_and_searched() {
    let service = library();
    let guest = service.guest();
    let list = guest.get("/api/books?sort=-price&pageLimit=1");
    assert_eq!(list.json["data"][0]["title"], "Stone Bread", "{list}");
    assert_eq!(list.json["data"][0]["price"], "12.50");
    assert_eq!(list.json["meta"]["pagination"]["total"], 2);
    assert_eq!(
        guest.get("/api/books?search=RIVER").json["meta"]["pagination"]["total"],
        1
    );
    assert_eq!(
        guest.get("/api/books?filter[price]=7").json["data"][0]["title"],
        "A River"
    );
    assert_eq!(guest.get("/api/books/abc").status, 404);
}
