//! Settings act at once: on routes, on `Allow`, on includes, on links.

use axum::{body::Body, http::Request};
use formwork::{
    prelude::*,
    testing::{Answer, Client},
};

use super::{Page, area, browser::assert_redirect, browser::between, change, cost, extensions};

const JSON_API: &str = "application/vnd.api+json";

#[track_caller]
fn assert_allowed(answer: &Answer, allow: &str) {
    let allowed = (answer.status, answer.header("allow"));
    assert_eq!(allowed, (405, Some(allow)), "{answer}");
}

#[test]
fn an_action_switched_off_behaves_as_if_it_were_not_registered() {
    let (service, browser) = area();
    let (guest, admin) = (service.guest(), service.admin());
    admin.post("/api/dishes", json!({"title": "Soup"}));
    let switch_off = |actions: &[&str]| {
        let boxes: Vec<String> = actions
            .iter()
            .map(|action| format!("on_{action}"))
            .collect();
        let boxes: Vec<(&str, &str)> = boxes.iter().map(|name| (name.as_str(), "")).collect();
        browser.save("dishes", &boxes);
    };
    let described = || {
        let document = guest.get("/api/openapi.json").json;
        let methods = &document["paths"]["/api/dishes"];
        ["get", "post"].map(|method| methods[method].is_object())
    };
    let unknown = admin.get("/api/nothing").body;
    let assert_unknown = |answer: Answer| {
        assert_eq!((answer.status, &answer.body), (404, &unknown), "{answer}");
    };
    assert_eq!(described(), [true, true]);
    switch_off(&["index"]);
    assert_eq!(described(), [false, true]);
    assert_allowed(&guest.get("/api/dishes"), "POST");
    let documents = service.admin().header("Accept", JSON_API);
    assert_allowed(&documents.get("/api/dishes"), "POST");

    switch_off(&["store"]);
    for method in ["GET", "POST", "PUT"] {
        assert_unknown(admin.send(method, "/api/dishes", None));
    }
    assert_eq!(guest.get("/api/dishes/1").status, 200);
    switch_off(&["show", "update"]);
    assert_allowed(&guest.get("/api/dishes/1"), "DELETE");

    // Without its action, `create` is an id at the path of records.
    assert_eq!(admin.get("/api/dishes/create").status, 200);
    switch_off(&["create", "edit"]);
    assert_allowed(&admin.get("/api/dishes/create"), "DELETE");
    assert_eq!(admin.delete("/api/dishes/create").status, 404);
    assert_eq!(admin.get("/api/dishes/1/edit").status, 404);
    switch_off(&["destroy"]);
    assert_unknown(admin.delete("/api/dishes/1"));

    let on = "on_index on_show on_store on_update on_destroy on_create on_edit";
    let on: Vec<(&str, &str)> = on.split(' ').map(|name| (name, "1")).collect();
    browser.save("dishes", &on);
    let list = guest.get("/api/dishes").json;
    assert_eq!(list["meta"]["pagination"]["total"], 1);
    assert_eq!(admin.get("/api/dishes/create").status, 200);
    browser.must_show("/resources", ["index <small>All</small>"]);
}

#[test]
fn the_context_of_an_action_can_be_changed() {
    let (service, browser) = area();
    let clients = [service.guest(), service.customer(), service.admin()];
    for (context, expected) in [
        ("admin", [401, 403, 200]),
        ("customer", [401, 200, 403]),
        ("users", [401, 200, 200]),
        ("guest", [200, 403, 403]),
        ("all", [200, 200, 200]),
    ] {
        browser.save("dishes", &[("allow_index", context)]);
        let statuses = clients
            .each_ref()
            .map(|client| client.get("/api/dishes").status);
        assert_eq!(statuses, expected, "{context}");
        let selected = format!("<option value=\"{context}\" selected>");
        browser.edit("dishes").must_contain([selected]);
    }
}

#[test]
fn includes_obey_the_settings() {
    let (service, browser) = area();
    let (customer, admin) = (service.customer(), service.admin());
    admin.post("/api/dishes", json!({"title": "Soup"}));
    customer.post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    let include = |client: &Client<'_>| client.get("/api/dishes/1?include=notes");
    let statuses = || [&customer, &admin].map(|client| include(client).status);
    assert_eq!(statuses()[0], 200);
    browser.save(
        "notes",
        &[("allow_index", "admin"), ("allow_show", "admin")],
    );
    assert_eq!(statuses(), [403, 200]);
    include(&customer).body.must_contain(["notes"]);
    // An action that is off is off for every caller.
    browser.save("notes", &[("on_index", ""), ("on_show", "")]);
    assert_eq!(statuses(), [403, 403]);
    browser.save("notes", &[("on_show", "1"), ("allow_show", "users")]);
    assert_eq!(statuses(), [200, 200]);
    let done = browser.reset(&browser.row("notes"));
    assert_redirect(&done, "/admin/resources?notice=reset");
    assert_eq!(statuses()[0], 200);
}

#[test]
fn documents_link_only_to_enabled_actions() {
    let (service, browser) = area();
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    let customer = service.customer();
    let stored = customer.post("/api/notes", json!({"dish_id": 1, "text": "good"}));
    assert_eq!(stored.status, 201, "{stored}");
    let customer = customer.header("Accept", JSON_API);
    let link = || customer.get("/api/notes").json["data"][0]["links"]["self"].clone();
    assert_eq!(link(), "/api/notes/1");
    browser.save("notes", &[("on_show", "")]);
    assert_eq!(link(), Json::Null);
}

#[test]
fn deleting_settings_restores_the_registered_actions() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", ""), ("name", "Meals")]);
    let status = || service.guest().get("/api/dishes").status;
    assert_eq!(status(), 405);
    browser.must_show("/resources", [">Changed<"]);
    let question = browser.page(&format!("/resources/delete?ids={id}"));
    question.must_contain(["<bdi>Meals</bdi> (dishes)"]);
    assert_eq!(status(), 405, "not confirmed yet");
    browser.reset(&id);
    assert_eq!(status(), 200);
    let list = browser.page("/resources");
    list.must_contain([">Dishes<"]);
    list.must_lack(["Meals"]);
    assert_ne!(browser.row("dishes"), id);
}

#[test]
fn broken_rules_are_shown_beside_their_fields_and_settings_are_not_saved() {
    let (service, browser) = area();
    let opened = browser.edit("dishes");
    let long = "é".repeat(256);
    let name_length = "The name field must be between 2 and 128 characters.";
    let length = "The description field must be between 2 and 255 characters.";
    for (field, value, message) in [
        ("name", "", "The name field is required."),
        ("name", " x ", name_length),
        ("name", &long[..258], name_length),
        ("name", "a\0b", "The name field must not contain U+0000."),
        ("description", "", "The description field is required."),
        ("description", &long, length),
        ("allow_show", "everybody", "Choose who may use show."),
        ("allow_show", "", "Choose who may use show."),
    ] {
        let changes = [(field, value), ("on_index", ""), ("allow_store", "users")];
        let answer = browser.submit(&opened, "dishes", &changes);
        assert_eq!(answer.status, 422, "{field}: {answer}");
        answer
            .body
            .must_contain([format!("id=\"{field}-error\">{message}")]);
        // The form keeps its input.
        answer
            .body
            .must_lack(["name=\"on_index\" value=\"1\" checked"]);
        answer
            .body
            .must_contain(["name=\"on_show\" value=\"1\" checked"]);
        let store = between(&answer.body, "name=\"allow_store\"", "</select>");
        store
            .expect("a list")
            .must_contain(["value=\"users\" selected"]);
        if field == "description" {
            answer.body.must_contain([format!(">{value}</textarea>")]);
        }
    }
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    browser.save("dishes", &[("name", &"é".repeat(128))]);
}

#[test]
fn actions_open_to_everyone_show_a_warning() {
    let (_, browser) = area();
    browser.page("/resources").must_lack(["warning"]);
    let open = [("allow_destroy", "all"), ("allow_store", "guest")];
    browser.save("dishes", &open);
    let page = browser.edit("dishes");
    page.must_contain(["Anyone on the internet can delete all dishes."]);
    page.must_contain(["Anyone on the internet can create dishes."]);
    browser.must_show("/resources", ["2 warnings"]);
    // An action that is off needs no warning.
    browser.save("dishes", &[("on_destroy", ""), ("on_store", "")]);
    browser.edit("dishes").must_lack(["Anyone on the internet"]);
    browser.save("notes", &[("allow_index", "all")]);
    let warning = "Anyone on the internet can read every customer&#39;s notes.";
    browser.must_show("/resources/notes", [warning]);
}

#[test]
fn an_unregistered_action_cannot_be_switched_on() {
    let (service, browser) = area();
    change(
        &service,
        "UPDATE api_resources SET meta = '{\"actions\": [\"index\", \"create\", \"edit\"], \
         \"authorization\": {\"index\": \"all\", \"create\": \"all\", \"edit\": \"all\"}}' \
         WHERE endpoint = 'notes'",
    );
    browser.page("/resources");
    assert_eq!(service.guest().get("/api/notes").status, 200);
    assert_eq!(service.guest().get("/api/notes/create").status, 404);
    browser.save("notes", &[("on_edit", "1"), ("allow_edit", "all")]);
    assert_eq!(service.guest().get("/api/notes/1/edit").status, 404);
}

#[test]
fn requests_cost_no_statement_more() {
    let (service, browser) = area();
    browser.save("notes", &[("allow_index", "all")]);
    service
        .admin()
        .post("/api/dishes", json!({"title": "Soup"}));
    let replica = service.replica(extensions());
    for (service, path) in [
        (&*service, "/api/notes"),
        (&service, "/api/dishes"),
        (&replica, "/api/dishes"),
    ] {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        assert_eq!(cost(service, service.app(), request), (200, 1), "{path}");
    }
}
