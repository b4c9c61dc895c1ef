//! Registrations, brought to their table.

use std::sync::Arc;

use formwork::{prelude::*, testing::Service};

use super::{
    ChangedKitchen, Extensions, area, change, column, extensions, kitchen, service, signed_in,
    signed_in_again, start,
};

/// Returns the kitchen without its notes: the next version, or the previous one.
fn smaller() -> Extensions {
    vec![Box::new(ChangedKitchen {
        change: |all| all.retain(|resource| resource.key == "dishes"),
        models: || vec![SupportingModel::of::<kitchen::Note>("notes")],
    })]
}

/// Returns the kitchen after a rename: `dishes` are `plates` now. Relations name the previous key.
fn renamed() -> Extensions {
    let rename = |all: &mut Vec<ApiResource>| {
        let dishes = all.iter_mut().find(|resource| resource.key == "dishes");
        let dishes = dishes.expect("the dishes");
        dishes.key = "plates";
        dishes.name = "Plates";
        dishes.controller = Box::new(Plates);
    };
    vec![Box::new(ChangedKitchen {
        change: rename,
        models: || vec![SupportingModel::of::<kitchen::Dish>("dishes")],
    })]
}

struct Plates;

impl RestController for Plates {
    type Model = <kitchen::Dishes as RestController>::Model;
    type Repository = <kitchen::Dishes as RestController>::Repository;
    type Request = <kitchen::Dishes as RestController>::Request;
    type Transformer = <kitchen::Dishes as RestController>::Transformer;

    const ACTIONS: &'static [Action] = kitchen::Dishes::ACTIONS;
    const FORMER_KEYS: &'static [&'static str] = &["dishes"];
}

fn rows(service: &Service) -> Vec<String> {
    let sql = "SELECT endpoint || ' ' || name || ' ' || coalesce(description, '') || ' ' \
               || coalesce(meta, 'null') || ' ' || CASE WHEN is_custom THEN 1 ELSE 0 END \
               FROM api_resources ORDER BY endpoint";
    column(service, sql)
        .iter()
        .map(ToString::to_string)
        .collect()
}

const DISHES: &str = "dishes Dishes What is cooked null 0";

#[test]
fn a_row_that_is_missing_is_written_when_the_list_is_opened() {
    let (service, browser) = area();
    let all = [DISHES, "notes Notes What guests say about dishes null 0"];
    assert_eq!(rows(&service), all, "from the start");
    change(
        &service,
        "DELETE FROM api_resources WHERE endpoint = 'notes'",
    );
    assert_eq!(rows(&service), [DISHES]);
    browser.must_show("/resources", ["/api/notes"]);
    assert_eq!(rows(&service), all);
}

#[test]
fn an_older_replica_deletes_nothing() {
    let (service, browser) = area();
    browser.save("notes", &[("allow_index", "admin"), ("on_store", "")]);
    let before = rows(&service);
    let older = Arc::new(service.replica(smaller()));
    assert_eq!(rows(&service), before, "when it starts");
    let other = signed_in_again(&older);
    other.must_show("/resources", ["/api/notes", "Not registered"]);
    assert_eq!(rows(&service), before, "when its list is opened");
    for key in ["dishes", "notes"] {
        other.save(key, &[]);
    }
    assert_eq!(rows(&service), before, "when something is saved there");
    browser.page("/resources");
    assert_eq!(service.customer().get("/api/notes").status, 403);
}

#[test]
fn a_row_that_is_there_is_never_changed() {
    let service = service();
    change(
        &service,
        "UPDATE api_resources SET name = 'Mine', description = NULL, meta = 'broken' \
         WHERE endpoint = 'dishes'",
    );
    let before = rows(&service);
    assert_eq!(before[0], "dishes Mine  broken 0");
    drop(service.replica(extensions()));
    signed_in(&service).page("/resources");
    assert_eq!(rows(&service), before);
}

#[test]
fn a_decision_made_before_the_next_version_holds_in_it() {
    let service = start("", smaller());
    let browser = signed_in(&service);
    browser.save("dishes", &[("on_index", "")]);
    let next = service.replica(extensions());
    assert_eq!(next.guest().get("/api/dishes").status, 405);
    // Notes have no settings.
    assert_eq!(next.guest().get("/api/notes").status, 401);
    browser.save("dishes", &[("on_index", "1")]);
    // A row that equals its registration has no settings: a registration that changes is followed.
    assert_eq!(rows(&service)[0], DISHES);
}

#[test]
fn actions_switched_off_stay_off_after_a_rename() {
    let (service, browser) = area();
    browser.save("dishes", &[("on_index", "")]);
    let replica = Arc::new(service.replica(renamed()));
    assert_eq!(replica.guest().get("/api/plates").status, 405);
    // A replica of the previous version still acts upon its row.
    assert_eq!(service.guest().get("/api/dishes").status, 405);
    // Settings under the new key count from then on.
    let other = signed_in_again(&replica);
    let next_status = || service.replica(renamed()).guest().get("/api/plates").status;
    other.save("plates", &[("on_index", "1")]);
    assert_eq!(next_status(), 200);
    // A deleted row restores the defaults, and they stay.
    other.save("plates", &[("on_index", "")]);
    change(
        &service,
        "DELETE FROM api_resources WHERE endpoint = 'plates'",
    );
    other.page("/resources");
    assert_eq!(next_status(), 200);
}

#[test]
fn an_empty_table_is_no_decision() {
    let service = service();
    change(&service, "DELETE FROM api_resources");
    let replica = service.replica(extensions());
    change(&service, "DELETE FROM api_resources");
    assert_eq!(replica.guest().get("/api/dishes").status, 200);
    assert_eq!(replica.admin().get("/api/notes").status, 200);
}
