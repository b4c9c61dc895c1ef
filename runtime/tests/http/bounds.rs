//! Requests that are legal and immense: what they may cost.

use std::time::{Duration, Instant};

use formwork::{prelude::*, testing::Service};

use super::{
    kitchen, library,
    support::{Expect, JSON, JSON_API, check, check_as, execute},
};

/// Far more than the slowest machine takes for what is bounded, and far less than the unbounded
/// takes on any.
const PATIENCE: Duration = Duration::from_secs(20);

fn zeros(count: usize) -> Json {
    vec![Json::from(0); count].into()
}

/// An INSERT of so many equal rows. MariaDB ends a recursive query after 1000 steps.
fn insert(into: &str, row: &str, count: usize) -> String {
    format!("INSERT INTO {into} VALUES {}", vec![row; count].join(", "))
}

/// A dish and so many notes about it.
fn noted(notes: usize) -> Service {
    let service = kitchen();
    check(
        &service,
        r#"admin POST /api/dishes {"title": "Soup"} => 201"#,
    );
    let notes = insert("notes (dish_id, text)", "(1, 'good')", notes);
    execute(&service, &notes, []);
    service
}

#[test]
fn a_token_has_a_hundred_abilities_at_most() {
    let service = kitchen();
    service.account(formwork::auth::AccountKind::Customer, "a@b.c");
    let ask = |abilities: Json| {
        let body = json!({
            "email": "a@b.c", "password": "formwork", "device_name": "x", "abilities": abilities,
        });
        service.guest().post("/api/token", body)
    };
    let words = |count: usize| (0..count).map(|at| format!("a{at}")).collect::<Vec<_>>();
    ask(words(100).into()).expect(201);
    let began = Instant::now();
    for many in [words(101), vec![String::new(); 5_000]] {
        let answer = ask(many.into()).expect(422);
        let message = "The abilities field must not have more than 100 items.";
        assert_eq!(answer.json["errors"], json!({"abilities": [message]}));
    }
    ask(zeros(5_000)).expect(422);
    // The body of a sign-in has at most 16 KiB.
    ask(words(100_000).into()).expect(413);
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

#[test]
fn lists_of_a_body_have_a_length() {
    let service = kitchen();
    let store = |tags: Json| {
        let body = json!({"title": "Soup", "tags": tags});
        service.admin().post("/api/dishes", body)
    };
    let began = Instant::now();
    let message = "The tags field must not hold more than 10000 values.";
    let distinct = |count: usize| Json::from((1..=count).collect::<Vec<_>>());
    let nested: Vec<Json> = (0..20).map(|_| zeros(1_000)).collect();
    for many in [zeros(500_000), distinct(140_000), nested.into()] {
        let answer = store(many).expect(422);
        assert_eq!(answer.json["errors"], json!({"tags": [message]}));
    }
    // A list without rules may be as long as the body.
    let body = json!({"title": "Soup", "unknown": zeros(400_000)});
    service.admin().post("/api/dishes", body).expect(201);
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

#[test]
fn at_most_100_errors_are_reported() {
    let service = kitchen();
    let body = json!({"title": "S", "tags": vec!["x"; 9_000]});
    for accept in [JSON, JSON_API] {
        let admin = service.admin().header("Accept", accept);
        let answer = admin.post("/api/dishes", body.clone()).expect(422);
        let errors = &answer.json["errors"];
        let told = errors.as_object().map(serde_json::Map::len);
        assert_eq!(told.or(errors.as_array().map(Vec::len)), Some(100));
        assert!(answer.body.len() < 40_000, "{}", answer.body.len());
    }
}

#[test]
fn many_ids_are_linked_each_once() {
    let service = kitchen();
    execute(&service, &insert("tags (name)", "('tag')", 4000), []);
    let began = Instant::now();
    let admin = service.admin();
    let twice: Vec<i64> = (1..=4000).chain(1..=4000).collect();
    let dish = json!({"title": "Soup", "tags": twice});
    admin.post("/api/dishes", dish).expect(201);
    let fewer: Vec<i64> = (3..=4000).rev().collect();
    let changed = admin.patch("/api/dishes/1?include=tags", json!({"tags": fewer}));
    let linked = changed.json["data"]["tags"].as_array().map(Vec::len);
    assert_eq!(linked, Some(3998));
    check(
        &service,
        r#"admin PATCH /api/dishes/1 {"tags": [1, 4001]} => 422"#,
    );
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

#[test]
fn includes_that_multiply_are_rejected() {
    // 150 notes of a dish with 150 notes: in the data rendering, each is written under each.
    let service = noted(150);
    let lines = r#"
        admin GET /api/dishes?include=notes.dish       => 200
        admin GET /api/dishes?include=notes.dish.notes => 400 ~ "`include`" ~ "20000 related records"
        admin GET /api/dishes?include=notes.dish.notes @Accept=application/vnd.api+json => 200"#;
    let document = check(&service, lines);
    let included = document.json["included"].as_array().map(Vec::len);
    assert_eq!(included, Some(150), "each once");
}

#[test]
fn included_rows_have_a_limit() {
    let service = noted(10_001);
    // A change is committed already: it is never rejected because of its includes.
    let lines = r#"
        admin GET   /api/dishes?include=notes   => 400 ~ "10000 related records"
        admin GET   /api/dishes/1?include=notes => 400 ~ "10000 related records"
        admin GET   /api/dishes?include=notes   @Accept=application/vnd.api+json => 400 ~ "10000 related records"
        admin GET   /api/dishes/1?include=notes @Accept=application/vnd.api+json => 400 ~ "10000 related records"
        admin PATCH /api/dishes/1?include=notes {"title": "Stew"} => 200 /data/name "Stew""#;
    check(&service, lines);
    execute(&service, "DELETE FROM notes WHERE note_id = 1", []);
    check(&service, "admin GET /api/dishes/1?include=notes => 200");
}

/// A row that many records are linked to is read once, and answered with each of them: what is
/// counted is how often.
#[test]
fn rows_that_many_share_count_with_each() {
    let service = kitchen();
    let dishes = "dishes (title, price, portions, active)";
    let links = "INSERT INTO dish_tags SELECT dish_id, tag_id FROM dishes, tags";
    for sql in [
        insert(dishes, "('Soup', 1, 1, TRUE)", 5),
        insert("tags (name)", "('tag')", 2000),
        links.to_owned(),
    ] {
        execute(&service, &sql, []);
    }
    let lines = r#"
        admin GET /api/dishes?include=tags&pageLimit=5 => EXPECTED
        admin GET /api/dishes?include=tags&pageLimit=5 @Accept=application/vnd.api+json => EXPECTED"#;
    // 10,000 in 2,000 rows, and 10,001 in 2,001 rows.
    check(&service, &lines.replace("EXPECTED", "200"));
    execute(&service, "INSERT INTO tags (name) VALUES ('one more')", []);
    execute(
        &service,
        "INSERT INTO dish_tags SELECT 1, MAX(tag_id) FROM tags",
        [],
    );
    let expected = "400 ~ \"10000 related records\"";
    check(&service, &lines.replace("EXPECTED", expected));
}

/// Relations that are read at once are counted together.
#[test]
fn relations_have_one_limit_together() {
    let service = noted(5_001);
    execute(&service, &insert("tags (name)", "('tag')", 5_000), []);
    let links = "INSERT INTO dish_tags SELECT 1, tag_id FROM tags";
    execute(&service, links, []);
    let lines = r#"
        admin GET /api/dishes?include=notes      => 200
        admin GET /api/dishes?include=tags       => 200
        admin GET /api/dishes?include=notes,tags => 400 ~ "10000 related records""#;
    check(&service, lines);
    execute(&service, "DELETE FROM notes WHERE note_id = 1", []);
    check(&service, "admin GET /api/dishes?include=notes,tags => 200");
}

#[test]
fn lists_of_relations_have_a_length_and_a_depth() {
    let service = kitchen();
    let names = (0..101).map(|at| format!("r{at}")).collect::<Vec<_>>();
    let lines = r#"
        admin GET /api/dishes?exclude=notes.dish.notes => 200
        guest GET /api/dishes?exclude=notes..dish      => 400 ~ "`exclude`"
        guest GET /api/dishes?exclude=notes.dish.notes.dish => 400 ~ "`exclude`"
        guest GET /api/dishes?exclude=NAMES => 400 ~ "`exclude`"
        guest GET /api/dishes?include=NAMES => 400 ~ "`include`""#;
    let answer = check(&service, &lines.replace("NAMES", &names.join(",")));
    assert!(!answer.body.contains("did you mean"), "{answer}");
}

#[test]
fn access_is_checked_before_the_accept_header() {
    let service = kitchen();
    let stranger = service.with_token("1|x");
    for (request, customer) in [
        ("GET /api/token/user", 406),
        ("DELETE /api/dishes/1", 403),
        ("GET /api/dishes/create", 403),
        ("POST /api/dishes", 403),
        ("GET /api/notes", 406),
    ] {
        let lines = r#"
            guest    REQUEST @Accept=text/html => 401
            stranger REQUEST @Accept=text/html => 401
            customer REQUEST @Accept=text/html => CUSTOMER
            admin    REQUEST @Accept=text/html => 406"#;
        let lines = lines.replace("REQUEST", request);
        let lines = lines.replace("CUSTOMER", &customer.to_string());
        check_as(&service, &[("stranger", &stranger)], &lines);
    }
}

/// Everyone may send one, so its buffer is small, whatever `api.body_limit` is.
#[test]
fn the_body_of_a_sign_in_has_at_most_16_kib() {
    let service = library();
    let sign_in = |media_type: &str, start: &str, end: &str, length: usize| {
        let fill = "x".repeat(length - start.len() - end.len());
        let client = service.guest().header("Content-Type", media_type);
        client.send("POST", "/api/token", Some(format!("{start}{fill}{end}")))
    };
    let form = "application/x-www-form-urlencoded";
    for (media_type, start, end) in [
        ("application/json", "{\"password\":\"", "\"}"),
        (form, "password=", ""),
    ] {
        let sign_in = |length| sign_in(media_type, start, end, length);
        sign_in(16 * 1024).expect(422);
        let rejected = sign_in(16 * 1024 + 1).expect(413);
        assert_eq!(rejected.json["status_code"], 413, "{rejected}");
    }
}
