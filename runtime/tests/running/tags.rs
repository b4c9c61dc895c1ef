//! `ETag`, `If-None-Match`, `If-Match`.

use axum::{body::Body, http::Request};
use formwork::{
    prelude::*,
    testing::{Answer, Client, Service},
};
use tower::ServiceExt;

use super::kitchen;

fn soup(service: &Service) -> Client<'_> {
    let admin = service.admin();
    let stored = admin.post("/api/dishes", json!({"title": "Soup", "price": "3"}));
    assert_eq!(stored.status, 201, "{stored}");
    admin
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_default().to_owned()
}

/// The part of a tag that depends on the row.
fn row(tag: &str) -> String {
    let parts = tag.trim_matches('"').split_once('-');
    parts.expect("two parts").0.to_owned()
}

#[test]
fn a_matching_if_none_match_is_304() {
    let service = kitchen();
    let admin = soup(&service);
    let shown = admin.get("/api/dishes/1");
    let tag = tag(&shown);
    assert!(tag.starts_with('"') && tag.ends_with('"'), "strong: {tag}");
    for known in [
        tag.clone(),
        "*".to_owned(),
        format!("\"other\", {tag}"),
        format!("W/{tag}"),
        format!("\"a,b\",W/\"c\" , {tag}"),
    ] {
        let answer = admin
            .clone()
            .header("If-None-Match", &known)
            .get("/api/dishes/1");
        assert_eq!((answer.status, answer.body.as_str()), (304, ""), "{known}");
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
        assert_eq!(answer.header("content-type"), None);
        assert!(answer.header("vary").is_some() && answer.header("cache-control").is_some());
    }
    for other in ["\"other\"", "", "nonsense", "W/\"other\""] {
        let answer = admin
            .clone()
            .header("If-None-Match", other)
            .get("/api/dishes/1");
        assert_eq!(answer.status, 200, "{other}");
    }
    let head = admin.header("If-None-Match", &tag);
    let head = head.send("HEAD", "/api/dishes/1", None);
    assert_eq!(head.status, 304);
    // It would have to be the length of what is not sent (RFC 9110, section 8.6).
    assert_eq!(head.header("content-length"), None, "{head}");
}

#[test]
fn an_entity_tag_begins_with_a_part_for_the_row_alone() {
    let service = kitchen();
    let admin = soup(&service);
    let get = |path: &str| tag(&admin.get(path));
    let plain = get("/api/dishes/1");
    let included = get("/api/dishes/1?include=notes");
    assert_ne!(plain, included);
    assert_eq!(row(&plain), row(&included));
    let note = admin.post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    assert_eq!(note.status, 201, "{note}");
    assert_eq!(get("/api/dishes/1"), plain, "its notes are no part of it");
    let more = get("/api/dishes/1?include=notes");
    assert_ne!(more, included);
    assert_eq!(row(&more), row(&plain));
    let fewer = get("/api/dishes/1?fields[dishes]=title");
    assert_ne!(fewer, plain);
    assert_eq!(row(&fewer), row(&plain));
    admin.patch("/api/dishes/1", json!({"portions": 2}));
    assert_ne!(row(&get("/api/dishes/1")), row(&plain));
    let hidden = get("/api/dishes/1");
    service.block_on(async {
        let sql = "UPDATE \"dishes\" SET \"secret\" = 'other' WHERE \"dish_id\" = 1";
        service
            .app()
            .db()
            .execute(sql, [])
            .await
            .expect("an update");
    });
    assert_eq!(
        get("/api/dishes/1"),
        hidden,
        "a hidden column cannot be guessed by it"
    );
}

/// Both renderings tag the same row, and not the same text.
#[test]
fn each_rendering_has_a_tag_of_its_own() {
    let service = kitchen();
    let admin = soup(&service);
    let media = "application/vnd.api+json";
    let document = admin.clone().header("Accept", media);
    for path in ["/api/dishes/1", "/api/dishes"] {
        let (data, objects) = (tag(&admin.get(path)), tag(&document.get(path)));
        assert_ne!(data, objects, "{path}");
        for (client, own, other) in [(&admin, &data, &objects), (&document, &objects, &data)] {
            let known = |tag: &str| client.clone().header("If-None-Match", tag).get(path);
            assert_eq!(known(own).status, 304, "{path}");
            assert_eq!(known(other).status, 200, "{path}: it has another text");
        }
    }
    let (data, objects) = (admin.get("/api/dishes/1"), document.get("/api/dishes/1"));
    assert_eq!(row(&tag(&data)), row(&tag(&objects)));
    // Whichever rendering was read, it guards a change in either.
    let change = json!({"data": {"type": "dishes", "id": "1", "attributes": {"price": "4"}}});
    let guarded = document.clone().header("Content-Type", media);
    let guarded = guarded.header("If-Match", &tag(&data));
    assert_eq!(guarded.patch("/api/dishes/1", change.clone()).status, 200);
    let late = guarded.patch("/api/dishes/1", change);
    assert_eq!(late.json["errors"][0]["status"], "412", "{late}");
    let late = guarded.delete("/api/dishes/1");
    assert_eq!(late.json["errors"][0]["status"], "412", "{late}");
}

#[test]
fn a_list_has_an_entity_tag() {
    let service = kitchen();
    let admin = soup(&service);
    let list = admin.get("/api/dishes");
    let known = admin.clone().header("If-None-Match", &tag(&list));
    assert_eq!(known.get("/api/dishes").status, 304);
    assert_eq!(known.get("/api/dishes?sort=-price").status, 200);
    admin.post("/api/dishes", json!({"title": "Bread"}));
    assert_eq!(known.get("/api/dishes").status, 200);
}

#[test]
fn a_change_with_an_outdated_if_match_is_412() {
    let service = kitchen();
    let admin = soup(&service);
    let read = tag(&admin.get("/api/dishes/1?include=tags"));
    let guarded = |tag: &str| admin.clone().header("If-Match", tag);
    let price = |price: &str| json!({"price": price});
    let first = guarded(&read).patch("/api/dishes/1", price("4"));
    assert_eq!(first.status, 200, "whatever was included: {first}");
    let late = guarded(&read).patch("/api/dishes/1", price("5"));
    assert_eq!(late.status, 412, "{late}");
    assert_eq!(admin.get("/api/dishes/1").json["data"]["price"], "4.0000");
    assert_eq!(guarded(&read).delete("/api/dishes/1").status, 412);
    // A missing record is refused as such; the body is looked at after the tag.
    assert_eq!(
        guarded(&read).patch("/api/dishes/9", price("5")).status,
        404
    );
    assert_eq!(
        guarded(&read).patch("/api/dishes/1", price("x")).status,
        412
    );

    let now = tag(&admin.get("/api/dishes/1"));
    assert_eq!(
        guarded(&format!("W/{now}"))
            .put("/api/dishes/1", json!({"title": "Stew"}))
            .status,
        412,
        "comparison is strong"
    );
    let several = format!("{read}, {now}");
    let put = guarded(&several).put("/api/dishes/1", json!({"title": "Stew"}));
    assert_eq!(put.status, 200, "{put}");
    assert_eq!(guarded("nonsense").delete("/api/dishes/1").status, 412);
    assert_eq!(guarded("*").delete("/api/dishes/1").status, 204);
    assert_eq!(guarded("*").delete("/api/dishes/1").status, 404);
}

/// RFC 9110, section 13.1.2: 412 where a change finds what it must not find.
#[test]
fn a_change_is_prevented_by_a_state_it_must_not_find() {
    let service = kitchen();
    let admin = soup(&service);
    let tag = tag(&admin.get("/api/dishes/1"));
    let unless = |known: &str| admin.clone().header("If-None-Match", known);
    for known in ["*", &tag, &format!("W/{tag}"), &format!("\"other\", {tag}")] {
        for rendering in ["application/json", "application/vnd.api+json"] {
            let unless = unless(known).header("Accept", rendering);
            let patched = unless.patch("/api/dishes/1", json!({"price": "7"}));
            assert_eq!(patched.status, 412, "{known} {patched}");
            assert_eq!(unless.delete("/api/dishes/1").status, 412, "{known}");
        }
    }
    let price = admin.get("/api/dishes/1").json["data"]["price"].clone();
    assert_eq!(price, "3.0000");
    for other in ["\"other\"", "", "nonsense"] {
        let patched = unless(other).patch("/api/dishes/1", json!({"price": "7"}));
        assert_eq!(patched.status, 200, "{other} {patched}");
    }
    // A missing record has no further checks.
    let stored = unless("*").post("/api/dishes", json!({"title": "Stew", "price": "4"}));
    assert_eq!(stored.status, 201, "{stored}");
}

#[test]
fn one_of_several_concurrent_changes_wins() {
    let service = kitchen();
    let admin = soup(&service);
    let read = tag(&admin.get("/api/dishes/1"));
    let change = |portions: usize| {
        let client = admin.clone().header("If-Match", &read);
        client
            .patch("/api/dishes/1", json!({"portions": portions + 2}))
            .status
    };
    let mut answers: Vec<u16> = std::thread::scope(|scope| {
        let change = &change;
        let running: Vec<_> = (0..8).map(|n| scope.spawn(move || change(n))).collect();
        running
            .into_iter()
            .map(|it| it.join().expect("an answer"))
            .collect()
    });
    answers.sort_unstable();
    assert_eq!(answers, [200, 412, 412, 412, 412, 412, 412, 412]);
}

/// The answer of another process on the same database.
fn of_a_replica(service: &Service, path: &str) -> String {
    let config = service.app().config().clone();
    service.block_on(async {
        let replica = formwork::service(super::extensions()).start(config).await;
        let router = replica.expect("a replica").router();
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let answer = router.oneshot(request).await.expect("an answer");
        let tag = answer.headers().get("etag").expect("a tag");
        tag.to_str().expect("text").to_owned()
    })
}

#[test]
fn replicas_share_the_key_of_entity_tags_and_other_services_do_not() {
    let service = kitchen();
    soup(&service);
    for path in ["/api/dishes/1", "/api/dishes"] {
        let read = service.guest().get(path);
        assert_eq!(tag(&read), of_a_replica(&service, path), "{path}");
    }
    let empty = || kitchen().guest().get("/api/dishes");
    let (one, other) = (empty(), empty());
    assert_eq!(one.body, other.body);
    assert_ne!(tag(&one), tag(&other), "another database, another key");
}

#[test]
fn before_its_migration_has_run_a_service_has_a_key_of_its_own() {
    let service = kitchen();
    let sql = "DROP TABLE \"formwork_secrets\"";
    let dropped = service.block_on(service.app().db().execute(sql, []));
    dropped.expect("no table");
    let admin = soup(&service);
    let read = tag(&admin.get("/api/dishes/1"));
    assert_eq!(tag(&admin.get("/api/dishes/1")), read);
    let guarded = admin.clone().header("If-Match", &read);
    let change = || guarded.patch("/api/dishes/1", json!({"price": "4"})).status;
    assert_eq!((change(), change()), (200, 412));
}
