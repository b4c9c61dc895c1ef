//! `ETag`, `If-None-Match`, `If-Match`.

use axum::{body::Body, http::Request};
use formwork::{
    prelude::*,
    testing::{Answer, Service},
};
use tower::ServiceExt;

use super::{
    kitchen,
    support::{JSON, JSON_API, at_once, check, execute},
};

/// The kitchen with a soup.
fn soup() -> Service {
    let service = kitchen();
    check(
        &service,
        r#"admin POST /api/dishes {"title": "Soup", "price": "3"} => 201"#,
    );
    service
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").unwrap_or_default().to_owned()
}

/// The tag of a response to an administrator.
fn tag_of(service: &Service, path: &str) -> String {
    tag(&service.admin().get(path))
}

/// The part of a tag that depends on the row.
fn row(tag: &str) -> String {
    let parts = tag.trim_matches('"').split_once('-');
    parts.expect("two parts").0.to_owned()
}

#[test]
fn a_matching_if_none_match_is_304() {
    let service = soup();
    let admin = service.admin();
    let tag = tag_of(&service, "/api/dishes/1");
    assert!(tag.starts_with('"') && tag.ends_with('"'), "strong: {tag}");
    let known = |known: &str| admin.clone().header("If-None-Match", known);
    for current in [
        "TAG",
        "*",
        "\"other\", TAG",
        "W/TAG",
        "\"a,b\",W/\"c\" , TAG",
    ] {
        let current = current.replace("TAG", &tag);
        let answer = known(&current).get("/api/dishes/1");
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (304, ""),
            "{current}"
        );
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
        assert_eq!(answer.header("content-type"), None);
        assert!(answer.header("vary").is_some() && answer.header("cache-control").is_some());
    }
    for other in ["\"other\"", "", "nonsense", "W/\"other\""] {
        assert_eq!(known(other).get("/api/dishes/1").status, 200, "{other}");
    }
    // The length would have to be the one of the body that is not sent (RFC 9110, section 8.6).
    let head = known(&tag).send("HEAD", "/api/dishes/1", None);
    assert_eq!((head.status, head.header("content-length")), (304, None));
}

#[test]
fn an_entity_tag_begins_with_a_part_for_the_row_alone() {
    let service = soup();
    let get = |query: &str| tag_of(&service, &format!("/api/dishes/1{query}"));
    let plain = get("");
    let included = get("?include=notes");
    check(
        &service,
        r#"admin POST /api/notes {"dish_id": 1, "text": "good"} => 201"#,
    );
    assert_eq!(get(""), plain, "its notes are no part of it");
    let more = get("?include=notes");
    let fewer = get("?fields[dishes]=title");
    for (other, another) in [(&plain, &included), (&included, &more), (&plain, &fewer)] {
        assert_ne!(other, another);
        assert_eq!(row(other), row(another));
    }
    check(
        &service,
        r#"admin PATCH /api/dishes/1 {"portions": 2} => 200"#,
    );
    let changed = get("");
    assert_ne!(row(&changed), row(&plain));
    let hidden = "UPDATE dishes SET secret = 'other' WHERE dish_id = 1";
    execute(&service, hidden, []);
    assert_eq!(get(""), changed, "a hidden column cannot be guessed by it");
}

/// Both representations tag the same row, and not the same text.
#[test]
fn each_representation_has_a_tag_of_its_own() {
    let service = soup();
    let admin = service.admin();
    let document = admin.clone().header("Accept", JSON_API);
    for path in ["/api/dishes/1", "/api/dishes"] {
        let (data, objects) = (tag(&admin.get(path)), tag(&document.get(path)));
        let lines = r#"
            admin GET PATH @Accept=application/json @If-None-Match=DATA            => 304
            admin GET PATH @Accept=application/json @If-None-Match=OBJECTS         => 200
            admin GET PATH @Accept=application/vnd.api+json @If-None-Match=OBJECTS => 304
            admin GET PATH @Accept=application/vnd.api+json @If-None-Match=DATA    => 200"#;
        let lines = lines.replace("PATH", path).replace("DATA", &data);
        check(&service, &lines.replace("OBJECTS", &objects));
    }
    let data = tag(&admin.get("/api/dishes/1"));
    assert_eq!(row(&data), row(&tag(&document.get("/api/dishes/1"))));
    // Whichever representation was read, its tag guards a change in either.
    let guarded = document
        .header("Content-Type", JSON_API)
        .header("If-Match", &data);
    let change = json!({"data": {"type": "dishes", "id": "1", "attributes": {"price": "4"}}});
    assert_eq!(guarded.patch("/api/dishes/1", change.clone()).status, 200);
    for late in [
        guarded.patch("/api/dishes/1", change),
        guarded.delete("/api/dishes/1"),
    ] {
        assert_eq!(late.json["errors"][0]["status"], "412", "{late}");
    }
}

#[test]
fn a_list_has_an_entity_tag() {
    let service = soup();
    let lines = r#"
        admin GET  /api/dishes @If-None-Match=TAG             => 304
        admin GET  /api/dishes?sort=-price @If-None-Match=TAG => 200
        admin POST /api/dishes {"title": "Bread"}             => 201
        admin GET  /api/dishes @If-None-Match=TAG             => 200"#;
    check(
        &service,
        &lines.replace("TAG", &tag_of(&service, "/api/dishes")),
    );
}

#[test]
fn a_change_with_an_outdated_if_match_is_412() {
    let service = soup();
    // A tag with includes serves as well. A missing record is rejected as such; the body is validated
    // after the tag.
    let lines = r#"
        admin PATCH  /api/dishes/1 @If-Match=READ {"price": "4"} => 200
        admin PATCH  /api/dishes/1 @If-Match=READ {"price": "5"} => 412
        admin GET    /api/dishes/1                               => 200 /data/price "4.0000"
        admin DELETE /api/dishes/1 @If-Match=READ                => 412
        admin PATCH  /api/dishes/9 @If-Match=READ {"price": "5"} => 404
        admin PATCH  /api/dishes/1 @If-Match=READ {"price": "x"} => 412"#;
    let read = tag_of(&service, "/api/dishes/1?include=tags");
    check(&service, &lines.replace("READ", &read));
    // The comparison is strong.
    let lines = r#"
        admin PUT    /api/dishes/1 @If-Match=W/NOW    {"title": "Stew"} => 412
        admin PUT    /api/dishes/1 @If-Match=READ,NOW {"title": "Stew"} => 200
        admin DELETE /api/dishes/1 @If-Match=nonsense => 412
        admin DELETE /api/dishes/1 @If-Match=*        => 204
        admin DELETE /api/dishes/1 @If-Match=*        => 404"#;
    let lines = lines.replace("NOW", &tag_of(&service, "/api/dishes/1"));
    check(&service, &lines.replace("READ", &read));
}

/// RFC 9110, section 13.1.2: 412 if a change finds a state that it must not find.
#[test]
fn a_change_is_prevented_by_a_state_it_must_not_find() {
    let service = soup();
    let tag = tag_of(&service, "/api/dishes/1");
    for known in ["*", &tag, &format!("W/{tag}"), &format!("\"other\",{tag}")] {
        for media in [JSON, JSON_API] {
            let lines = r#"
                admin PATCH  /api/dishes/1 @Accept=MEDIA @If-None-Match=KNOWN {"price": "7"} => 412
                admin DELETE /api/dishes/1 @Accept=MEDIA @If-None-Match=KNOWN => 412"#;
            check(
                &service,
                &lines.replace("MEDIA", media).replace("KNOWN", known),
            );
        }
    }
    // A missing record has no further checks.
    let lines = r#"
        admin GET   /api/dishes/1 => 200 /data/price "3.0000"
        admin PATCH /api/dishes/1 @If-None-Match="other"  {"price": "7"} => 200
        admin PATCH /api/dishes/1 @If-None-Match=         {"price": "8"} => 200
        admin PATCH /api/dishes/1 @If-None-Match=nonsense {"price": "9"} => 200
        admin POST  /api/dishes   @If-None-Match=* {"title": "Stew"}     => 201"#;
    check(&service, lines);
}

#[test]
fn one_of_several_concurrent_changes_wins() {
    let service = soup();
    let read = tag_of(&service, "/api/dishes/1");
    let admin = service.admin().header("If-Match", &read);
    let change = |number| {
        admin
            .patch("/api/dishes/1", json!({"portions": number + 2}))
            .status
    };
    let mut statuses = at_once(8, change);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
}

/// The tag that another process on the same database sends.
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
    let service = soup();
    for path in ["/api/dishes/1", "/api/dishes"] {
        let read = service.guest().get(path);
        assert_eq!(tag(&read), of_a_replica(&service, path), "{path}");
    }
    let [one, other] = [kitchen(), kitchen()].map(|empty| empty.guest().get("/api/dishes"));
    assert_eq!(one.body, other.body);
    assert_ne!(tag(&one), tag(&other), "another database, another key");
}

#[test]
fn before_its_migration_has_run_a_service_has_a_key_of_its_own() {
    let service = kitchen();
    execute(&service, "DROP TABLE formwork_secrets", []);
    check(
        &service,
        r#"admin POST /api/dishes {"title": "Soup"} => 201"#,
    );
    let read = tag_of(&service, "/api/dishes/1");
    let lines = r#"
        admin GET   /api/dishes/1 => 200 etag: TAG
        admin PATCH /api/dishes/1 @If-Match=READ {"price": "4"} => 200
        admin PATCH /api/dishes/1 @If-Match=READ {"price": "4"} => 412"#;
    let lines = lines.replace("TAG", &json!(read).to_string());
    check(&service, &lines.replace("READ", &read));
}
