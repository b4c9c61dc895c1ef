//! Requests that are legal and immense: what they may cost.

use std::time::{Duration, Instant};

use formwork::{prelude::*, testing::Service};

use super::kitchen;

/// Far more than the slowest machine takes for what is bounded, and far less than the unbounded
/// takes on any.
const PATIENCE: Duration = Duration::from_secs(20);

fn zeros(count: usize) -> Json {
    vec![Json::from(0); count].into()
}

fn run(service: &Service, sql: String) {
    let context = service.context();
    service
        .block_on(context.db().execute(sql, []))
        .expect("rows");
}

/// An INSERT of so many equal rows. MariaDB ends a recursive query after 1000 steps.
fn insert(into: &str, row: &str, count: usize) -> String {
    format!("INSERT INTO {into} VALUES {}", vec![row; count].join(", "))
}

/// A dish and so many notes about it.
fn noted(notes: usize) -> Service {
    let service = kitchen();
    let soup = service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(soup.status, 201, "{soup}");
    run(
        &service,
        insert("notes (dish_id, text)", "(1, 'good')", notes),
    );
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
    assert_eq!(ask(words(100).into()).status, 201);
    let began = Instant::now();
    for many in [words(101), words(100_000), vec![String::new(); 200_000]] {
        let answer = ask(many.into());
        assert_eq!(answer.status, 422, "{answer}");
        let message = "The abilities field must not have more than 100 items.";
        assert_eq!(answer.json["errors"], json!({"abilities": [message]}));
    }
    assert_eq!(ask(zeros(500_000)).status, 422);
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
        let answer = store(many);
        assert_eq!(answer.status, 422, "{answer}");
        assert_eq!(answer.json["errors"], json!({"tags": [message]}));
    }
    // A list without rules may be as long as the body.
    let body = json!({"title": "Soup", "unknown": zeros(400_000)});
    assert_eq!(service.admin().post("/api/dishes", body).status, 201);
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

#[test]
fn at_most_100_errors_are_reported() {
    let service = kitchen();
    let body = json!({"title": "S", "tags": vec!["x"; 9_000]});
    for accept in ["application/json", "application/vnd.api+json"] {
        let admin = service.admin().header("Accept", accept);
        let answer = admin.post("/api/dishes", body.clone());
        assert_eq!(answer.status, 422, "{answer}");
        let errors = &answer.json["errors"];
        let told = errors.as_object().map(serde_json::Map::len);
        assert_eq!(told.or(errors.as_array().map(Vec::len)), Some(100));
        assert!(answer.body.len() < 40_000, "{}", answer.body.len());
    }
}

#[test]
fn many_ids_are_linked_each_once() {
    let service = kitchen();
    run(&service, insert("tags (name)", "('tag')", 4000));
    let began = Instant::now();
    let twice: Vec<i64> = (1..=4000).chain(1..=4000).collect();
    let stored = service
        .admin()
        .post("/api/dishes", json!({"title": "Soup", "tags": twice}));
    assert_eq!(stored.status, 201, "{stored}");
    let fewer: Vec<i64> = (3..=4000).rev().collect();
    let changed = service
        .admin()
        .patch("/api/dishes/1?include=tags", json!({"tags": fewer}));
    assert_eq!(
        changed.json["data"]["tags"].as_array().map(Vec::len),
        Some(3998)
    );
    let beyond = service
        .admin()
        .patch("/api/dishes/1", json!({"tags": [1, 4001]}));
    assert_eq!(beyond.status, 422, "{beyond}");
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

#[test]
fn includes_that_multiply_are_refused() {
    // 150 notes of a dish with 150 notes: in the data rendering, each is written under each.
    let service = noted(150);
    let path = "/api/dishes?include=notes.dish.notes";
    let refused = service.admin().get(path);
    assert_eq!(refused.status, 400);
    let message = refused.json["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("`include`") && message.contains("20000 related records"),
        "{message}"
    );
    let speaking = service.admin().header("Accept", "application/vnd.api+json");
    let answer = speaking.get(path);
    assert_eq!(answer.status, 200);
    let included = answer.json["included"].as_array().map(Vec::len);
    assert_eq!(included, Some(150), "each once");
    assert_eq!(
        service.admin().get("/api/dishes?include=notes.dish").status,
        200
    );
}

#[test]
fn included_rows_have_a_limit() {
    let service = noted(10_001);
    let admin = service.admin();
    for client in [
        admin.clone(),
        admin.clone().header("Accept", "application/vnd.api+json"),
    ] {
        for path in ["/api/dishes?include=notes", "/api/dishes/1?include=notes"] {
            let answer = client.get(path);
            assert_eq!(answer.status, 400, "{path}");
            assert!(answer.body.contains("10000 related records"), "{answer}");
        }
    }
    // A change is committed already: it is never refused because of its includes.
    let path = "/api/dishes/1?include=notes";
    let changed = admin.patch(path, json!({"title": "Stew"}));
    assert_eq!(
        (changed.status, &changed.json["data"]["name"]),
        (200, &json!("Stew"))
    );
    run(&service, "DELETE FROM notes WHERE note_id = 1".to_owned());
    assert_eq!(admin.get(path).status, 200);
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
        run(&service, sql);
    }
    let path = "/api/dishes?include=tags&pageLimit=5";
    let admin = service.admin();
    let both = || {
        let document = admin.clone().header("Accept", "application/vnd.api+json");
        [admin.get(path), document.get(path)]
    };
    for answer in both() {
        assert_eq!(answer.status, 200, "10,000 in 2,000 rows");
    }
    let one = "INSERT INTO tags (name) VALUES ('one more')";
    let link = "INSERT INTO dish_tags SELECT 1, MAX(tag_id) FROM tags";
    for sql in [one, link] {
        run(&service, sql.to_owned());
    }
    for answer in both() {
        assert_eq!(answer.status, 400, "10,001 in 2,001 rows");
        assert!(answer.body.contains("10000 related records"), "{answer}");
    }
}

/// Relations that are read at once are counted together.
#[test]
fn relations_have_one_limit_together() {
    let service = noted(5_001);
    run(&service, insert("tags (name)", "('tag')", 5_000));
    let links = "INSERT INTO dish_tags SELECT 1, tag_id FROM tags";
    run(&service, links.to_owned());
    let admin = service.admin();
    for include in ["notes", "tags"] {
        let answer = admin.get(&format!("/api/dishes?include={include}"));
        assert_eq!(answer.status, 200, "{include}");
    }
    let both = "/api/dishes?include=notes,tags";
    let answer = admin.get(both);
    assert_eq!(answer.status, 400, "10,001 rows");
    assert!(answer.body.contains("10000 related records"), "{answer}");
    run(&service, "DELETE FROM notes WHERE note_id = 1".to_owned());
    assert_eq!(admin.get(both).status, 200, "10,000 rows");
}

#[test]
fn lists_of_relations_have_a_length_and_a_depth() {
    let service = kitchen();
    let names = |count: usize| {
        (0..count)
            .map(|at| format!("r{at}"))
            .collect::<Vec<_>>()
            .join(",")
    };
    for query in [
        format!("include={}", names(101)),
        format!("exclude={}", names(101)),
        "exclude=notes.dish.notes.dish".to_owned(),
        "exclude=notes..dish".to_owned(),
    ] {
        let answer = service.guest().get(&format!("/api/dishes?{query}"));
        assert_eq!(answer.status, 400, "{answer}");
        let (parameter, _) = query.split_once('=').expect("a parameter");
        let message = answer.json["message"].as_str().unwrap_or_default();
        assert!(message.contains(&format!("`{parameter}`")), "{message}");
        assert!(!message.contains("did you mean"), "{message}");
    }
    let exclude = "/api/dishes?exclude=notes.dish.notes";
    assert_eq!(service.admin().get(exclude).status, 200);
}

#[test]
fn ids_are_segments_of_a_path_and_no_form() {
    let service = kitchen();
    let admin = service.admin();
    assert_eq!(
        admin.post("/api/dishes", json!({"title": "Soup"})).status,
        201
    );
    for id in [
        "1&x", "1=x", "1&", "1=", "1%26", "1%ff", "%ff", "%F0%28", "1%00",
    ] {
        for tail in ["", "/edit"] {
            let answer = admin.get(&format!("/api/dishes/{id}{tail}"));
            assert_eq!(answer.status, 404, "{id}{tail}");
        }
        let path = format!("/api/dishes/{id}");
        assert_eq!(
            admin.patch(&path, json!({"title": "Stew"})).status,
            404,
            "{id}"
        );
        assert_eq!(admin.delete(&path).status, 404, "{id}");
    }
    let answer = admin.get("/api/dishes/%31");
    assert_eq!(
        (answer.status, &answer.json["data"]["name"]),
        (200, &json!("Soup"))
    );
}

#[test]
fn access_is_checked_before_the_accept_header() {
    let service = kitchen();
    let html = |client: formwork::testing::Client<'_>, method: &str, path: &str| {
        let client = client.header("Accept", "text/html");
        client.send(method, path, None).status
    };
    for (method, path, customer) in [
        ("GET", "/api/token/user", 406),
        ("DELETE", "/api/dishes/1", 403),
        ("GET", "/api/dishes/create", 403),
        ("POST", "/api/dishes", 403),
        ("GET", "/api/notes", 406),
    ] {
        let asked = format!("{method} {path}");
        assert_eq!(html(service.guest(), method, path), 401, "{asked}");
        assert_eq!(
            html(service.with_token("1|x"), method, path),
            401,
            "{asked}"
        );
        assert_eq!(html(service.customer(), method, path), customer, "{asked}");
        assert_eq!(html(service.admin(), method, path), 406, "{asked}");
    }
}
