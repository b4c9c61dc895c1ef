//! Order of checks: 401, context 403, ability 403, record in scope 404, validation 422.

use formwork::{auth::AccountKind, prelude::*};

use super::kitchen;

#[test]
fn the_first_check_that_fails_answers() {
    let service = kitchen();
    let chef = service.account(AccountKind::Admin, "chef@example.com");
    let token = |abilities: &[&str]| service.token(AccountKind::Admin, chef, abilities);
    let (reader, writer) = (token(&["dishes:read"]), token(&["dishes:write"]));
    let stored = service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(stored.status, 201, "{stored}");
    let callers = [
        ("a token that is no good", service.with_token("1|guess")),
        ("nobody", service.guest()),
        ("the wrong kind of account", service.customer()),
        ("a token without the ability", service.with_token(reader)),
        ("one who may", service.with_token(writer)),
    ];
    // Whatever is wrong with the rest of the request, from the id to the body.
    for (id, body, allowed) in [
        (9, json!({"title": ""}), 404),
        (9, json!({"title": "Stew"}), 404),
        (1, json!({"title": ""}), 422),
        (1, json!({"title": "Stew"}), 200),
    ] {
        let path = format!("/api/dishes/{id}");
        for ((who, client), expected) in callers.iter().zip([401, 401, 403, 403, allowed]) {
            for rendering in ["application/json", "application/vnd.api+json"] {
                let client = client.clone().header("Accept", rendering);
                let answer = client.patch(&path, body.clone());
                assert_eq!(answer.status, expected, "{who}, {path}, {body}: {answer}");
            }
        }
    }
}

#[test]
fn a_row_of_another_owner_is_404_before_its_body_is_validated() {
    let service = kitchen();
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    let bob = service.account(AccountKind::Customer, "bob@example.com");
    let bob = service.with_token(service.token(AccountKind::Customer, bob, &["*"]));
    let note = json!({"dish_id": 1, "text": "mine"});
    assert_eq!(service.customer().post("/api/notes", note).status, 201);
    let wrong = json!({"text": 7, "dish_id": "x"});
    assert_eq!(bob.patch("/api/notes/1", wrong.clone()).status, 404);
    assert_eq!(
        bob.header("If-Match", "*")
            .patch("/api/notes/1", wrong.clone())
            .status,
        404
    );
    assert_eq!(service.customer().patch("/api/notes/1", wrong).status, 422);
}
