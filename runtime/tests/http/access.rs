//! Contexts, abilities, owners, and the order of checks: docs/contract.md, "Access".

use formwork::{
    auth::AccountKind,
    testing::{Client, Service},
};

use super::{
    kitchen, library,
    support::{JSON, JSON_API, check, check_as},
};

#[test]
fn contexts_admit_the_callers_they_name() {
    let service = library();
    let own = format!("/api/members/{}", service.customer_id());
    for (request, statuses) in [
        ("GET    /api/books", [200, 200, 200]),
        ("GET    /api/books/1", [200, 200, 200]),
        ("GET    /api/loans", [401, 200, 200]),
        ("GET    /api/members", [401, 403, 200]),
        ("GET    OWN", [200, 403, 403]),
        ("DELETE /api/books/2", [401, 403, 204]),
        ("DELETE /api/loans/99", [401, 403, 404]),
        // Authentication comes first, and validation last.
        (r#"POST /api/books    {"title": "x"}"#, [401, 403, 422]),
        (r#"PUT  /api/books/99 {"title": "x"}"#, [401, 403, 404]),
    ] {
        let request = request.replace("OWN", &own);
        for (caller, status) in ["guest", "customer", "admin"].into_iter().zip(statuses) {
            check(&service, &format!("{caller} {request} => {status}"));
        }
    }
    let lines = r#"
        guest GET  /api/loans => 401 www-authenticate: "Bearer"
        admin POST /api/books {"title": "x"} => 422 ~ "\"title\":[" ~ "\"price\":["
        admin POST /api/books {"title": "End.", "price": 1} => 422 /errors/title ["A title has no full stop."]"#;
    check(&service, lines);
}

/// A client of an account with these abilities.
fn with<'s>(service: &'s Service, account: (AccountKind, i64), ability: &str) -> Client<'s> {
    service.with_token(service.token(account.0, account.1, &[ability]))
}

#[test]
fn abilities_allow_the_actions_they_name() {
    let service = library();
    let admin = (
        AccountKind::Admin,
        service.account(AccountKind::Admin, "second@example.com"),
    );
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
        let holder = with(&service, admin, ability);
        let lines = format!(
            r#"holder GET   /api/books => {reads}
               holder PATCH /api/books/1 {{"title": "Stone Bread"}} => {writes}"#
        );
        check_as(&service, &[("holder", &holder)], &lines);
    }
    // The ability for a record does not include its relations.
    let reader = with(&service, admin, "books:read");
    let line = "reader GET /api/books?include=loans => 403";
    check_as(&service, &[("reader", &reader)], line);
}

/// 401, context 403, ability 403, record 404, validation 422: whatever is wrong with the rest.
#[test]
fn the_first_check_that_fails_answers() {
    let service = kitchen();
    check(
        &service,
        r#"admin POST /api/dishes {"title": "Soup"} => 201"#,
    );
    let chef = (
        AccountKind::Admin,
        service.account(AccountKind::Admin, "chef@example.com"),
    );
    let stranger = service.with_token("1|guess");
    let (reader, writer) = (
        with(&service, chef, "dishes:read"),
        with(&service, chef, "dishes:write"),
    );
    let callers = [
        ("stranger", &stranger),
        ("reader", &reader),
        ("writer", &writer),
    ];
    for (request, allowed) in [
        (r#"9 @Accept=MEDIA {"title": ""}"#, "404"),
        (r#"9 @Accept=MEDIA {"title": "Stew"}"#, "404"),
        (r#"1 @Accept=MEDIA {"title": ""}"#, "422"),
        (r#"1 @Accept=MEDIA {"title": "Stew"}"#, "200"),
    ] {
        let lines = r#"
            stranger PATCH /api/dishes/REQUEST => 401
            guest    PATCH /api/dishes/REQUEST => 401
            customer PATCH /api/dishes/REQUEST => 403
            reader   PATCH /api/dishes/REQUEST => 403
            writer   PATCH /api/dishes/REQUEST => ALLOWED"#;
        let lines = lines
            .replace("REQUEST", request)
            .replace("ALLOWED", allowed);
        for media in [JSON, JSON_API] {
            check_as(&service, &callers, &lines.replace("MEDIA", media));
        }
    }
}

#[test]
fn an_invalid_token_is_401_and_a_revoked_one_at_once() {
    let service = kitchen();
    let [a, b, c] = ["nonsense", "1|nonsense", "|"].map(|token| service.with_token(token));
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let chef = with(&service, (AccountKind::Admin, id), "*");
    let lines = "
        a    GET    /api/dishes => 401
        b    GET    /api/dishes => 401
        c    GET    /api/dishes => 401
        chef GET    /api/dishes => 200
        chef DELETE /api/token  => 204
        chef GET    /api/dishes => 401";
    check_as(
        &service,
        &[("a", &a), ("b", &b), ("c", &c), ("chef", &chef)],
        lines,
    );
}

#[test]
fn customers_reach_their_own_rows_only() {
    let service = library();
    let customer = |email| {
        (
            AccountKind::Customer,
            service.account(AccountKind::Customer, email),
        )
    };
    let (alice, bob) = (customer("alice@example.com"), customer("bob@example.com"));
    let clients = [with(&service, alice, "*"), with(&service, bob, "*")];
    let callers = [("alice", &clients[0]), ("bob", &clients[1])];
    // A customer is the owner of what she stores, whatever the body says; an administrator chooses.
    let lines = r#"
        alice  POST   /api/loans {"book_id": 1, "member_id": BOB} => 201 /data/member_id ALICE
        admin  POST   /api/loans {"book_id": 1, "member_id": BOB} => 201 /data/member_id BOB
        alice  GET    /api/loans/1                => 200
        alice  GET    /api/loans/2                => 404
        alice  GET    /api/loans                  => 200 /meta/pagination/total 1 /data/0/id 1
        alice  GET    /api/loans?filter[id]=2     => 200 /data []
        alice  GET    /api/books/1?include=loans  => 200 /data/loans/0/id 1 /data/loans/1 null
        admin  GET    /api/books/1?include=loans  => 200 /data/loans/1/id 2
        guest  GET    /api/books?include=loans    => 403 ~ "loans"
        guest  GET    /api/books?include=loans @Accept=application/vnd.api+json => 403 /errors/0/source/parameter "include"
        guest  GET    /api/books?include=shelf    => 200 /data/0/shelf null
        alice  GET    /api/loans/1?include=member => 403
        admin  GET    /api/loans/1?include=member => 200 /data/member/email "alice@example.com"
        alice  PATCH  /api/members/ALICE {"first_name": " Al ", "status": false, "id": 999, "password": "x"} => 200 /data/first_name "Al" /data/status true /data/id ALICE
        alice  PATCH  /api/members/BOB   {"first_name": "Mallory"}     => 404
        alice  PATCH  /api/members/ALICE {"email": "bob@example.com"}  => 422
        admin  DELETE /api/books/1       => 409
        alice  POST   /api/loans {"book_id": 404} => 422 ~ "\"book_id\":[""#;
    let lines = lines.replace("ALICE", &alice.1.to_string());
    check_as(
        &service,
        &callers,
        &lines.replace("BOB", &bob.1.to_string()),
    );
    let member = service.admin().get("/api/loans/1?include=member");
    assert!(!member.body.contains("argon2"), "{member}");
}

#[test]
fn rows_of_other_customers_are_not_changed_and_keep_their_owner() {
    let service = kitchen();
    let id = service.account(AccountKind::Customer, "bob@example.com");
    let bob = with(&service, (AccountKind::Customer, id), "*");
    // A row of another owner is 404 before its body is validated.
    let lines = r#"
        admin    POST   /api/dishes  {"title": "Soup"}                 => 201
        customer POST   /api/notes   {"dish_id": 1, "text": "mine"}    => 201 /data/customer_id ID
        bob      GET    /api/notes/1                                   => 404
        bob      PATCH  /api/notes/1 {"text": "his"}                   => 404
        bob      PATCH  /api/notes/1 {"text": 7, "dish_id": "x"}       => 404
        bob      PATCH  /api/notes/1 @If-Match=* {"text": 7}           => 404
        bob      DELETE /api/notes/1                                   => 404
        customer PATCH  /api/notes/1 {"text": 7, "dish_id": "x"}       => 422
        customer PATCH  /api/notes/1 {"customer_id": 77, "text": "x"}  => 200 /data/customer_id ID
        customer DELETE /api/notes/1                                   => 204"#;
    let lines = lines.replace("ID", &service.customer_id().to_string());
    check_as(&service, &[("bob", &bob)], &lines);
}

#[test]
fn hidden_and_unlisted_attributes_are_never_sent() {
    let service = library();
    let lines = r#"
        guest GET /api/books?sort=supplier           => 400
        guest GET /api/books?filter[supplier]=secret => 400
        guest GET /api/books?include=supplier        => 400
        guest GET /api/books?colour=red              => 400
        admin POST /api/books {"title": "Ink", "price": "3", "supplier": "secret", "id": 77} => 201 /data/id 3 location: "/api/books/3""#;
    let stored = check(&service, lines);
    assert!(!stored.body.contains("secret"), "{stored}");
}
