//! Rows that belong to customers: docs/contract.md, "Owned resources".

use formwork::{
    auth::AccountKind,
    testing::{Client, Service},
};
use serde_json::json;

use super::library;

struct Two {
    service: Service,
    alice: (i64, String),
    bob: (i64, String),
}

impl Two {
    fn new() -> Self {
        let service = library();
        let member = |email: &str| {
            let id = service.account(AccountKind::Customer, email);
            (id, service.token(AccountKind::Customer, id, &["*"]))
        };
        let (alice, bob) = (member("alice@example.com"), member("bob@example.com"));
        Self {
            service,
            alice,
            bob,
        }
    }

    fn alice(&self) -> Client<'_> {
        self.service.with_token(&self.alice.1)
    }

    fn bob(&self) -> Client<'_> {
        self.service.with_token(&self.bob.1)
    }

    /// A loan of this caller; its key.
    fn loan(&self, caller: &Client<'_>, book: i64) -> i64 {
        let answer = caller.post("/api/loans", json!({"book_id": book}));
        assert_eq!(answer.status, 201, "{answer}");
        answer.json["data"]["id"].as_i64().expect("id")
    }
}

#[test]
fn store_sets_the_caller_as_owner_and_ignores_the_body() {
    let two = Two::new();
    let body = json!({"book_id": 1, "member_id": two.bob.0});
    let answer = two.alice().post("/api/loans", body);
    assert_eq!(answer.status, 201, "{answer}");
    assert_eq!(answer.json["data"]["member_id"], json!(two.alice.0));
    let body = json!({"book_id": 1, "member_id": two.bob.0});
    let answer = two.service.admin().post("/api/loans", body);
    assert_eq!(
        answer.json["data"]["member_id"],
        json!(two.bob.0),
        "{answer}"
    );
}

#[test]
fn customers_cannot_reach_the_rows_of_another_customer() {
    let two = Two::new();
    let (alices, bobs) = (two.loan(&two.alice(), 1), two.loan(&two.bob(), 1));
    assert_eq!(two.alice().get(&format!("/api/loans/{alices}")).status, 200);
    assert_eq!(two.alice().get(&format!("/api/loans/{bobs}")).status, 404);
    for query in ["", "?page=1", &format!("?filter[id]={bobs}")] {
        let list = two.alice().get(&format!("/api/loans{query}"));
        assert_eq!(list.status, 200, "{list}");
        let others = list.json["data"].as_array().expect("list").iter();
        assert_eq!(
            others.filter(|loan| loan["id"] == json!(bobs)).count(),
            0,
            "{query}: {list}"
        );
    }
    let book = two.alice().get("/api/books/1?include=loans");
    let seen = book.json["data"]["loans"].as_array().expect("loans");
    assert_eq!(seen.len(), 1, "{book}");
    assert_eq!(seen[0]["id"], json!(alices));
    let all = two.service.admin().get("/api/books/1?include=loans");
    assert_eq!(
        all.json["data"]["loans"].as_array().map(Vec::len),
        Some(2),
        "{all}"
    );
}

#[test]
fn includes_obey_the_included_resource() {
    let two = Two::new();
    let answer = two.service.guest().get("/api/books?include=loans");
    let document = two
        .service
        .guest()
        .header("Accept", "application/vnd.api+json")
        .get("/api/books?include=loans");
    assert_eq!(document.status, 403, "{document}");
    let source = &document.json["errors"][0]["source"];
    assert_eq!(source["parameter"], "include", "{document}");
    assert_eq!(answer.status, 403, "{answer}");
    assert!(answer.body.contains("loans"), "{answer}");
    let shelves = two.service.guest().get("/api/books?include=shelf");
    assert_eq!(
        shelves.status, 200,
        "a supporting model is visible: {shelves}"
    );
    assert!(shelves.json["data"][0]["shelf"].is_null(), "{shelves}");
    let loan = two.loan(&two.alice(), 1);
    let path = format!("/api/loans/{loan}?include=member");
    assert_eq!(
        two.alice().get(&path).status,
        403,
        "members are for administrators"
    );
    let member = two.service.admin().get(&path);
    assert_eq!(
        member.json["data"]["member"]["email"], "alice@example.com",
        "{member}"
    );
    assert!(!member.body.contains("argon2"), "{member}");
}

#[test]
fn customers_change_their_own_record_except_attributes_of_administrators() {
    let two = Two::new();
    let own = format!("/api/members/{}", two.alice.0);
    let body = json!({"first_name": " Alice ", "status": false, "id": 999, "password": "x"});
    let answer = two.alice().patch(&own, body);
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.json["data"]["first_name"], "Alice");
    assert_eq!(answer.json["data"]["status"], json!(true));
    assert_eq!(answer.json["data"]["id"], json!(two.alice.0));
    let other = format!("/api/members/{}", two.bob.0);
    assert_eq!(
        two.alice()
            .patch(&other, json!({"first_name": "Mallory"}))
            .status,
        404
    );
    let taken = two.alice().patch(&own, json!({"email": "bob@example.com"}));
    assert_eq!(taken.status, 422, "{taken}");
}

#[test]
fn a_row_that_others_point_to_stays() {
    let two = Two::new();
    two.loan(&two.alice(), 1);
    let answer = two.service.admin().delete("/api/books/1");
    assert_eq!(answer.status, 409, "{answer}");
    let unknown = two.alice().post("/api/loans", json!({"book_id": 404}));
    assert_eq!(unknown.status, 422, "{unknown}");
    assert!(unknown.json["errors"]["book_id"].is_array(), "{unknown}");
}
