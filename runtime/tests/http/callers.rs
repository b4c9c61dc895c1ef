//! Access to actions.

use formwork::{auth::AccountKind, prelude::*};

use super::kitchen;

#[test]
fn contexts_admit_and_refuse_callers() {
    let service = kitchen();
    let (guest, customer, admin) = (service.guest(), service.customer(), service.admin());
    let dish = json!({"title": "Soup"});
    let refused = guest.post("/api/dishes", dish.clone());
    assert_eq!(refused.status, 401, "{refused}");
    assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    assert_eq!(customer.post("/api/dishes", dish.clone()).status, 403);
    assert_eq!(admin.post("/api/dishes", dish).status, 201);
    assert_eq!(guest.get("/api/dishes").status, 200);
    assert_eq!(guest.get("/api/notes").status, 401);
    assert_eq!(customer.get("/api/notes").status, 200);
    assert_eq!(admin.delete("/api/notes/1").status, 403, "customers only");
}

#[test]
fn an_invalid_token_is_401_on_every_action() {
    let service = kitchen();
    for token in ["nonsense", "1|nonsense", "|"] {
        assert_eq!(
            service.with_token(token).get("/api/dishes").status,
            401,
            "{token}"
        );
    }
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    let chef = service.with_token(token);
    assert_eq!(chef.get("/api/dishes").status, 200);
    assert_eq!(chef.delete("/api/token").status, 204);
    assert_eq!(
        chef.get("/api/dishes").status,
        401,
        "revoked is revoked at once"
    );
}

#[test]
fn abilities_cover_actions() {
    let service = kitchen();
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let reader = service.token(AccountKind::Admin, id, &["dishes:read"]);
    let reader = service.with_token(reader);
    assert_eq!(reader.get("/api/dishes").status, 200);
    assert_eq!(
        reader.post("/api/dishes", json!({"title": "Soup"})).status,
        403
    );
    assert_eq!(
        reader.get("/api/dishes?include=notes").status,
        403,
        "not those of notes"
    );
    let other = service.token(AccountKind::Admin, id, &["notes.*"]);
    assert_eq!(
        service.with_token(other).get("/api/dishes").status,
        403,
        "public routes too"
    );
}

#[test]
fn customers_reach_their_own_rows_only() {
    let service = kitchen();
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    let bob = service.account(AccountKind::Customer, "bob@example.com");
    let bob_token = service.token(AccountKind::Customer, bob, &["*"]);
    let (alice, bob_client) = (service.customer(), service.with_token(bob_token));
    // The body names another owner: it does not count.
    let stored = alice.post(
        "/api/notes",
        json!({"dish_id": 1, "text": "mine", "customer_id": bob}),
    );
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.json["data"]["customer_id"], service.customer_id());

    for answer in [
        bob_client.get("/api/notes/1"),
        bob_client.patch("/api/notes/1", json!({"text": "his"})),
        bob_client.delete("/api/notes/1"),
    ] {
        assert_eq!(answer.status, 404, "{answer}");
    }
    assert_eq!(bob_client.get("/api/notes").json["data"], json!([]));
    let included = bob_client.get("/api/dishes/1?include=notes");
    assert_eq!(included.json["data"]["notes"], json!([]), "{included}");
    assert_eq!(
        service.guest().get("/api/dishes/1?include=notes").status,
        403
    );
    let moved = alice.patch(
        "/api/notes/1",
        json!({"customer_id": bob, "text": "still mine"}),
    );
    assert_eq!(moved.json["data"]["customer_id"], service.customer_id());
    assert_eq!(
        service.admin().get("/api/notes").json["meta"]["pagination"]["total"],
        1
    );
    assert_eq!(alice.delete("/api/notes/1").status, 204);
}

#[test]
fn tokens_are_issued_over_http() {
    let service = kitchen();
    service.account(AccountKind::Customer, "alice@example.com");
    let body = json!({"email": "alice@example.com", "password": "formwork", "device_name": "test"});
    let issued = service.guest().post("/api/token", body);
    assert_eq!(
        (issued.status, &issued.json["status_code"]),
        (201, &json!(201)),
        "{issued}"
    );
    let token = issued.json["token"].as_str().unwrap_or_default();
    let user = service.with_token(token).get("/api/token/user");
    assert_eq!(user.json["user"]["email"], "alice@example.com", "{user}");
    let form = "email=alice%40example.com&password=formwork&device_name=form".to_owned();
    let by_form = service
        .guest()
        .header("Content-Type", "application/x-www-form-urlencoded")
        .send("POST", "/api/token", Some(form));
    assert_eq!(by_form.status, 201, "{by_form}");
    assert_eq!(service.guest().get("/api/token/user").status, 401);
    let put = service.guest().put("/api/token", json!({}));
    assert_eq!(
        (put.status, put.header("allow")),
        (405, Some("POST, DELETE"))
    );
}
