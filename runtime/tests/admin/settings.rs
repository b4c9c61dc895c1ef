//! Decisions act at once: on routes, on `Allow`, on includes, on links.

use axum::{body::Body, http::Request};
use formwork::{app::Statements, prelude::*, testing::Service};
use tower::ServiceExt;

use super::{change, service, signed_in};

#[test]
fn an_action_switched_off_behaves_as_if_it_were_not_registered() {
    let service = service();
    let browser = signed_in(&service);
    let (guest, admin) = (service.guest(), service.admin());
    admin.post("/api/dishes", json!({"title": "Soup"}));
    let id = browser.row("dishes");
    let described = || {
        let document = guest.get("/api/openapi.json").json;
        let methods = document["paths"]["/api/dishes"].as_object().cloned();
        let methods = methods.unwrap_or_default();
        ["get", "post"].map(|method| methods.contains_key(method))
    };
    assert_eq!(described(), [true, true]);
    assert_eq!(browser.save(&id, &[("on_index", "")]).status, 303);
    assert_eq!(described(), [false, true]);
    let answer = guest.get("/api/dishes");
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("POST")),
        "{answer}"
    );
    let answer = admin
        .header("Accept", "application/vnd.api+json")
        .get("/api/dishes");
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("POST")),
        "{answer}"
    );

    let admin = service.admin();
    assert_eq!(browser.save(&id, &[("on_store", "")]).status, 303);
    for method in ["GET", "POST", "PUT"] {
        let answer = admin.send(method, "/api/dishes", None);
        let unknown = admin.send(method, "/api/nothing", None);
        assert_eq!(
            (answer.status, &answer.body),
            (404, &unknown.body),
            "{method}: {answer}"
        );
    }
    assert_eq!(guest.get("/api/dishes/1").status, 200);
    assert_eq!(
        browser
            .save(&id, &[("on_show", ""), ("on_update", "")])
            .status,
        303
    );
    let answer = guest.get("/api/dishes/1");
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("DELETE")),
        "{answer}"
    );

    // Without its action, `create` is an id at the path of records.
    assert_eq!(admin.get("/api/dishes/create").status, 200);
    assert_eq!(
        browser
            .save(&id, &[("on_create", ""), ("on_edit", "")])
            .status,
        303
    );
    let answer = admin.get("/api/dishes/create");
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("DELETE")),
        "{answer}"
    );
    assert_eq!(admin.delete("/api/dishes/create").status, 404);
    assert_eq!(admin.get("/api/dishes/1/edit").status, 404);
    assert_eq!(browser.save(&id, &[("on_destroy", "")]).status, 303);
    let answer = admin.delete("/api/dishes/1");
    assert_eq!(
        (answer.status, &answer.body),
        (404, &admin.get("/api/nothing").body),
        "{answer}"
    );

    let on = [
        "index", "show", "store", "update", "destroy", "create", "edit",
    ]
    .map(|action| format!("on_{action}"));
    let on: Vec<(&str, &str)> = on.iter().map(|name| (name.as_str(), "1")).collect();
    assert_eq!(browser.save(&id, &on).status, 303);
    assert_eq!(
        guest.get("/api/dishes").json["meta"]["pagination"]["total"],
        1
    );
    assert_eq!(admin.get("/api/dishes/create").status, 200);
    assert!(
        browser
            .page("/resources")
            .contains("index <small>All</small>")
    );
}

#[test]
fn the_context_of_an_action_can_be_changed() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let (guest, customer, admin) = (service.guest(), service.customer(), service.admin());
    let statuses = || [&guest, &customer, &admin].map(|client| client.get("/api/dishes").status);
    for (context, expected) in [
        ("admin", [401, 403, 200]),
        ("customer", [401, 200, 403]),
        ("users", [401, 200, 200]),
        ("guest", [200, 403, 403]),
        ("all", [200, 200, 200]),
    ] {
        assert_eq!(browser.save(&id, &[("allow_index", context)]).status, 303);
        assert_eq!(statuses(), expected, "{context}");
        let page = browser.page(&format!("/resources/{id}/edit"));
        let chosen = format!("<option value=\"{context}\" selected>");
        assert!(page.contains(&chosen), "{context}: {page}");
    }
}

#[test]
fn includes_obey_the_settings() {
    let service = service();
    let browser = signed_in(&service);
    let (customer, admin) = (service.customer(), service.admin());
    admin.post("/api/dishes", json!({"title": "Soup"}));
    customer.post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    let included =
        |client: &formwork::testing::Client<'_>| client.get("/api/dishes/1?include=notes").status;
    assert_eq!(included(&customer), 200);
    let id = browser.row("notes");
    browser.save(&id, &[("allow_index", "admin"), ("allow_show", "admin")]);
    let refused = customer.get("/api/dishes/1?include=notes");
    assert_eq!(refused.status, 403, "{refused}");
    assert!(refused.body.contains("notes"), "{refused}");
    assert_eq!(included(&admin), 200);
    // Off is for nobody.
    browser.save(&id, &[("on_index", ""), ("on_show", "")]);
    assert_eq!(included(&admin), 403);
    browser.save(&id, &[("on_show", "1"), ("allow_show", "users")]);
    assert_eq!([included(&customer), included(&admin)], [200, 200]);
    let done = browser.reset(&id);
    assert_eq!(
        done.header("location"),
        Some("/admin/resources?notice=reset")
    );
    assert_eq!(included(&customer), 200);
}

#[test]
fn documents_link_only_to_enabled_actions() {
    let service = service();
    let browser = signed_in(&service);
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    let customer = service
        .customer()
        .header("Accept", "application/vnd.api+json");
    let note = json!({"data": {"type": "notes", "attributes": {"dish_id": 1, "text": "good"}}});
    let client = customer
        .clone()
        .header("Content-Type", "application/vnd.api+json");
    assert_eq!(client.post("/api/notes", note).status, 201);
    let link = || customer.get("/api/notes").json["data"][0]["links"]["self"].clone();
    assert_eq!(link(), "/api/notes/1");
    browser.save(&browser.row("notes"), &[("on_show", "")]);
    assert_eq!(link(), Json::Null);
}

#[test]
fn deleting_settings_restores_the_registered_actions() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", ""), ("name", "Meals")]);
    assert_eq!(service.guest().get("/api/dishes").status, 405);
    assert!(browser.page("/resources").contains(">Changed<"));
    let sure = browser.page(&format!("/resources/delete?ids={id}"));
    assert!(sure.contains("<bdi>Meals</bdi> (dishes)"), "{sure}");
    assert_eq!(
        service.guest().get("/api/dishes").status,
        405,
        "nothing is done yet"
    );
    browser.reset(&id);
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    let list = browser.page("/resources");
    assert!(
        list.contains(">Dishes<") && !list.contains("Meals"),
        "{list}"
    );
    assert_ne!(browser.row("dishes"), id);
}

#[test]
fn broken_rules_are_shown_beside_their_fields_and_settings_are_not_saved() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let long = "é".repeat(256);
    for (field, value, told) in [
        ("name", "", "The name field is required."),
        (
            "name",
            " x ",
            "The name field must be between 2 and 128 characters.",
        ),
        (
            "name",
            &long[..258],
            "The name field must be between 2 and 128 characters.",
        ),
        ("name", "a\0b", "The name field must not contain U+0000."),
        ("description", "", "The description field is required."),
        (
            "description",
            &long,
            "The description field must be between 2 and 255 characters.",
        ),
        ("allow_show", "everybody", "Choose who may use show."),
        ("allow_show", "", "Choose who may use show."),
    ] {
        let answer = browser.save(
            &id,
            &[(field, value), ("on_index", ""), ("allow_store", "users")],
        );
        assert_eq!(answer.status, 422, "{field}: {answer}");
        let beside = format!("id=\"{field}-error\">{told}");
        assert!(answer.body.contains(&beside), "{beside} in {answer}");
        // The form keeps the sent values.
        assert!(
            !answer
                .body
                .contains("name=\"on_index\" value=\"1\" checked"),
            "{answer}"
        );
        assert!(
            answer.body.contains("name=\"on_show\" value=\"1\" checked"),
            "{answer}"
        );
        let store = answer
            .body
            .split("name=\"allow_store\"")
            .nth(1)
            .unwrap_or_default();
        let store = store.split("</select>").next().unwrap_or_default();
        assert!(store.contains("value=\"users\" selected"), "{store}");
        if field == "description" {
            assert!(
                answer.body.contains(&format!(">{value}</textarea>")),
                "{answer}"
            );
        }
    }
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    assert_eq!(browser.save(&id, &[("name", &"é".repeat(128))]).status, 303);
}

#[test]
fn actions_open_to_everyone_show_a_warning() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    assert!(!browser.page("/resources").contains("warning"));
    browser.save(&id, &[("allow_destroy", "all"), ("allow_store", "guest")]);
    let page = browser.page(&format!("/resources/{id}/edit"));
    assert!(
        page.contains("Everybody may delete records here."),
        "{page}"
    );
    assert!(
        page.contains("Every guest may create records here."),
        "{page}"
    );
    assert!(browser.page("/resources").contains("2 warnings"));
    // Off is shut.
    browser.save(&id, &[("on_destroy", ""), ("on_store", "")]);
    assert!(
        !browser
            .page(&format!("/resources/{id}/edit"))
            .contains("Everybody may")
    );
    let notes = browser.row("notes");
    browser.save(&notes, &[("allow_index", "all")]);
    let page = browser.page(&format!("/resources/{notes}"));
    assert!(
        page.contains("Anyone on the internet can read every customer&#39;s notes."),
        "{page}"
    );
}

#[test]
fn an_unregistered_action_cannot_be_switched_on() {
    let service = service();
    let browser = signed_in(&service);
    change(
        &service,
        "UPDATE api_resources SET meta = '{\"actions\": [\"index\", \"create\", \"edit\"], \
         \"authorization\": {\"index\": \"all\", \"create\": \"all\", \"edit\": \"all\"}}' \
         WHERE endpoint = 'notes'",
    );
    browser.page("/resources");
    assert_eq!(service.guest().get("/api/notes").status, 200);
    assert_eq!(service.guest().get("/api/notes/create").status, 404);
    let id = browser.row("notes");
    browser.save(&id, &[("on_edit", "1"), ("allow_edit", "all")]);
    assert_eq!(service.guest().get("/api/notes/1/edit").status, 404);
}

#[test]
fn requests_cost_no_statement_more() {
    let service = service();
    let browser = signed_in(&service);
    browser.save(&browser.row("notes"), &[("allow_index", "all")]);
    let statements = |service: &Service, path: &str| {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        let answer = service.block_on(service.app().router().oneshot(request));
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        answer.extensions().get::<Statements>().expect("a count").0
    };
    assert_eq!(statements(&service, "/api/notes"), 1);
    assert_eq!(statements(&service, "/api/dishes"), 1);
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(statements(&service, "/api/dishes"), 1);
    assert_eq!(
        statements(&service.replica(super::extensions()), "/api/dishes"),
        1
    );
}
