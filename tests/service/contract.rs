//! Statuses, headers and bodies of the errors (docs/contract.md, "Routes", "Media types", "Errors").

use formwork_tests::restaurant::{Restaurant, shared};
use serde_json::json;

#[test]
fn every_broken_rule_is_named_at_once() {
    let answer = shared().admin().post(
        "/api/menus",
        &json!({ "menu_status": "maybe", "categories": "x" }),
    );
    assert_eq!(answer.status, 422, "{answer}");
    assert_eq!(answer.json["status_code"], 422);
    assert!(answer.json["message"].is_string());
    let errors = answer.json["errors"].as_object().expect("errors");
    for field in ["menu_name", "menu_price", "menu_status", "categories"] {
        assert!(errors.contains_key(field), "{field}: {answer}");
    }
    assert_eq!(
        errors["menu_name"],
        json!(["The menu name field is required."])
    );
}

#[test]
fn put_requires_the_required_attributes_and_patch_does_not() {
    let admin = shared().admin();
    let created = admin.post(
        "/api/menus",
        &json!({ "menu_name": "Put", "menu_price": "1" }),
    );
    let path = format!("/api/menus/{}", created.json["data"]["id"]);
    assert_eq!(
        admin
            .put(&path, &json!({ "menu_description": "only" }))
            .status,
        422
    );
    assert_eq!(
        admin
            .patch(&path, &json!({ "menu_description": "only" }))
            .status,
        200
    );
    assert_eq!(
        admin.patch(&path, &json!({ "menu_name": null })).status,
        422
    );
    assert_eq!(admin.patch(&path, &json!({})).status, 200);
}

#[test]
fn an_id_that_cannot_be_a_key_is_404() {
    let guest = shared().guest();
    for id in [
        "abc",
        "-1",
        "0",
        "1.5",
        "99999999999999999999999",
        "1e3",
        "%00",
        "424242",
    ] {
        let answer = guest.get(&format!("/api/menus/{id}"));
        assert_eq!(answer.status, 404, "{id}: {answer}");
        assert_eq!(answer.json["status_code"], 404, "{id}: {answer}");
    }
}

#[test]
fn unknown_paths_are_404_and_other_methods_405_with_allow() {
    let guest = shared().guest();
    assert_eq!(guest.get("/api/nothing").status, 404);
    assert_eq!(guest.get("/nothing").status, 404);
    let answer = guest.send("DELETE", "/api/menus", &[], None);
    assert_eq!(answer.status, 405, "{answer}");
    let allow = answer.header("allow").expect("Allow");
    assert!(
        allow.contains("GET") && allow.contains("POST") && !allow.contains("DELETE"),
        "{allow}"
    );
    let answer = guest.post("/api/menus/1", &json!({}));
    assert_eq!(answer.status, 405, "{answer}");
    assert!(answer.json["message"].is_string(), "{answer}");
}

#[test]
fn head_answers_where_get_does() {
    let guest = shared().guest();
    for path in ["/api/menus", "/api/menus/1", "/health/live"] {
        let answer = guest.send("HEAD", path, &[], None);
        assert_eq!((answer.status, answer.body.as_str()), (200, ""), "{path}");
    }
    assert_eq!(guest.send("HEAD", "/api/orders", &[], None).status, 401);
}

#[test]
fn media_types_that_are_not_spoken_are_406_and_415() {
    let admin = shared().admin();
    for accept in [
        "application/json",
        "*/*",
        "application/*",
        "text/html, application/json;q=0.5",
    ] {
        let answer = admin.send("GET", "/api/menus/1", &[("Accept", accept)], None);
        assert_eq!(answer.status, 200, "{accept}: {answer}");
        assert!(
            answer
                .header("content-type")
                .is_some_and(|kind| kind.starts_with("application/json"))
        );
    }
    assert_eq!(
        admin
            .send("GET", "/api/menus/1", &[("Accept", "text/html")], None)
            .status,
        406
    );
    let body = r#"{"menu_name":"Typed","menu_price":"1"}"#;
    let post = |kind: &str| {
        admin
            .send_text("POST", "/api/menus", &[("Content-Type", kind)], body)
            .status
    };
    assert_eq!(post("application/json"), 201);
    assert_eq!(post("application/json; charset=utf-8"), 201);
    assert_eq!(post("text/plain"), 415);
    assert_eq!(post("application/x-www-form-urlencoded"), 415);
}

#[test]
fn malformed_json_is_400_and_a_large_body_413() {
    let admin = shared().admin();
    let headers = [("Content-Type", "application/json")];
    for body in ["{", "", "nul", "{\"menu_name\": }", "[1,2]", "\"text\""] {
        let answer = admin.send_text("POST", "/api/menus", &headers, body);
        assert!([400, 422].contains(&answer.status), "{body}: {answer}");
    }
    assert_eq!(
        admin.send_text("POST", "/api/menus", &headers, "{").status,
        400
    );
    let large = json!({ "menu_name": "Large", "menu_price": "1", "menu_description": "x".repeat(1_100_000) });
    assert_eq!(admin.post("/api/menus", &large).status, 413);
}

#[test]
fn a_delete_that_the_database_refuses_is_409() {
    let admin = shared().admin();
    let answer = admin.delete("/api/locations/1");
    assert_eq!(answer.status, 409, "{answer}");
    assert_eq!(admin.get("/api/locations/1").status, 200);
}

#[test]
fn a_duplicate_of_a_unique_value_is_422_on_its_field() {
    let admin = shared().admin();
    let body = crate::payloads::store("coupons", 0);
    let created = admin.post("/api/coupons", &body);
    assert_eq!(created.status, 201, "{created}");
    let again = admin.post("/api/coupons", &body);
    assert_eq!(again.status, 422, "{again}");
    assert!(again.json["errors"]["code"].is_array(), "{again}");
    let path = format!("/api/coupons/{}", created.json["data"]["id"]);
    assert_eq!(admin.put(&path, &body).status, 200);
}

#[test]
fn references_to_missing_records_are_refused() {
    let admin = shared().admin();
    let mut order = crate::payloads::store("orders", 0);
    order["location_id"] = json!(424_242);
    let answer = admin.post("/api/orders", &order);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(answer.json["errors"]["location_id"].is_array(), "{answer}");
    let menu = json!({ "menu_name": "Nowhere", "menu_price": "1", "categories": [424_242] });
    let answer = admin.post("/api/menus", &menu);
    assert_eq!(answer.status, 422, "{answer}");
    assert!(answer.body.contains("categories"), "{answer}");
    let gone = admin.get("/api/menus?search=Nowhere&enabled=all");
    assert!(
        gone.records().is_empty(),
        "the transaction was rolled back: {gone}"
    );
}

#[test]
fn health_answers_without_a_token_and_every_answer_has_a_request_id() {
    let guest = shared().guest();
    for path in [
        "/health/live",
        "/health/ready",
        "/api/menus",
        "/api/nothing",
    ] {
        let answer = guest.get(path);
        assert!(
            answer
                .header("x-request-id")
                .is_some_and(|id| !id.is_empty()),
            "{path}"
        );
    }
    assert_eq!(guest.get("/health/live").status, 200);
    assert_eq!(guest.get("/health/ready").status, 200);
}

#[test]
fn a_request_is_one_structured_log_line() {
    let restaurant = Restaurant::start();
    let answer = restaurant.guest().get("/api/menus/1");
    let id = answer
        .header("x-request-id")
        .expect("a request id")
        .to_owned();
    let line = restaurant.logged(0, |line| line.contains(&id));
    for part in ["GET", "/api/menus/1", "200"] {
        assert!(line.contains(part), "{part}: {line}");
    }
    assert!(
        serde_json::from_str::<serde_json::Value>(&line).is_ok(),
        "{line}"
    );
}

#[test]
fn sigterm_stops_the_service_after_the_requests_in_flight() {
    let restaurant = Restaurant::start();
    assert_eq!(restaurant.guest().get("/api/menus").status, 200);
    let status = std::process::Command::new("kill")
        .arg(restaurant.id().to_string())
        .status();
    assert!(status.expect("kill").success());
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let address = restaurant.base().trim_start_matches("http://");
    while std::net::TcpStream::connect(address).is_ok() {
        assert!(std::time::Instant::now() < deadline, "still listening");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
