//! Registrations, brought to their table.

use formwork::{prelude::*, testing::Service};

use super::{Browser, change, extensions, kitchen, service, signed_in};

/// The kitchen without its notes: the next version, or the one before.
struct Smaller;

impl Extension for Smaller {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = kitchen::Kitchen.register_api_resources();
        resources.retain(|resource| resource.key == "dishes");
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<kitchen::Tag>("tags"),
            SupportingModel::of::<kitchen::Note>("notes"),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        kitchen::Kitchen.migrations()
    }
}

/// The kitchen after a rename: `dishes` are `plates` now.
struct Renamed;

impl Extension for Renamed {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = kitchen::Kitchen.register_api_resources();
        let dishes = resources.iter_mut().find(|one| one.key == "dishes");
        let dishes = dishes.expect("the dishes");
        dishes.key = "plates";
        dishes.name = "Plates";
        dishes.controller = Box::new(Plates);
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        // Relations name the key that was.
        let dishes = SupportingModel::of::<kitchen::Dish>("dishes");
        let mut models = kitchen::Kitchen.register_models();
        models.push(dishes);
        models
    }

    fn migrations(&self) -> &'static [Migration] {
        kitchen::Kitchen.migrations()
    }
}

struct Plates;

impl RestController for Plates {
    type Model = <kitchen::Dishes as RestController>::Model;
    type Repository = <kitchen::Dishes as RestController>::Repository;
    type Request = <kitchen::Dishes as RestController>::Request;
    type Transformer = <kitchen::Dishes as RestController>::Transformer;

    const ACTIONS: &'static [ActionConfig] = kitchen::Dishes::ACTIONS;
    const FORMER_KEYS: &'static [&'static str] = &["dishes"];
}

fn rows(service: &Service) -> Vec<String> {
    let sql = "SELECT endpoint || ' ' || name || ' ' || coalesce(description, '') || ' ' \
               || coalesce(meta, 'null') || ' ' || CASE WHEN is_custom THEN 1 ELSE 0 END FROM api_resources ORDER BY endpoint";
    let rows = service.block_on(service.app().db().rows(sql, []));
    rows.expect("rows")
        .iter()
        .map(|row| row[0].to_string())
        .collect()
}

#[test]
fn every_resource_has_a_row_from_the_start() {
    let service = service();
    let expected = [
        "dishes Dishes What is cooked null 0",
        "notes Notes What guests say about dishes null 0",
    ];
    assert_eq!(rows(&service), expected);
}

#[test]
fn a_row_that_is_missing_is_written_when_the_list_is_opened() {
    let service = service();
    let browser = signed_in(&service);
    change(
        &service,
        "DELETE FROM api_resources WHERE endpoint = 'notes'",
    );
    assert_eq!(rows(&service).len(), 1);
    assert!(browser.page("/resources").contains("/api/notes"));
    assert_eq!(rows(&service).len(), 2);
}

#[test]
fn an_older_replica_deletes_nothing() {
    let service = service();
    let browser = signed_in(&service);
    let (dishes, notes) = (browser.row("dishes"), browser.row("notes"));
    browser.save(&notes, &[("allow_index", "admin"), ("on_store", "")]);
    let before = rows(&service);
    let older = service.replica(vec![Box::new(Smaller)]);
    assert_eq!(rows(&service), before, "when it starts");
    let there = Browser::new(&older);
    there.sign_in("chef", "formwork");
    let list = there.page("/resources");
    assert!(
        list.contains("/api/notes") && list.contains("Not registered"),
        "{list}"
    );
    assert_eq!(rows(&service), before, "when its list is opened");
    for id in [&dishes, &notes] {
        assert_eq!(there.save(id, &[]).status, 303);
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
    assert!(
        before.contains(&"dishes Mine  broken 0".to_owned()),
        "{before:?}"
    );
    drop(service.replica(extensions()));
    signed_in(&service).page("/resources");
    assert_eq!(rows(&service), before);
}

#[test]
fn a_decision_made_before_the_next_version_holds_in_it() {
    let service = Service::with_config(super::config(""), vec![Box::new(Smaller)]);
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    browser.save(&id, &[("on_index", "")]);
    let next = service.replica(extensions());
    assert_eq!(next.guest().get("/api/dishes").status, 405);
    assert_eq!(
        next.guest().get("/api/notes").status,
        401,
        "nobody decided about it"
    );
    browser.save(&id, &[("on_index", "1")]);
    // A row that equals its registration is no decision: a registration that changes is followed.
    let meta = rows(&service).remove(0);
    assert_eq!(meta, "dishes Dishes What is cooked null 0");
}

#[test]
fn actions_switched_off_stay_off_after_a_rename() {
    let service = service();
    let browser = signed_in(&service);
    browser.save(&browser.row("dishes"), &[("on_index", "")]);
    let renamed = service.replica(vec![Box::new(Renamed)]);
    assert_eq!(renamed.guest().get("/api/plates").status, 405);
    // A replica of the version before still acts upon its row.
    assert_eq!(service.guest().get("/api/dishes").status, 405);
    // Decisions under the new key count from then on.
    let there = Browser::new(&renamed);
    there.sign_in("chef", "formwork");
    there.save(&there.row("plates"), &[("on_index", "1")]);
    let next = service.replica(vec![Box::new(Renamed)]);
    assert_eq!(next.guest().get("/api/plates").status, 200);
    // A deleted row restores the defaults, and they stay.
    there.save(&there.row("plates"), &[("on_index", "")]);
    change(
        &service,
        "DELETE FROM api_resources WHERE endpoint = 'plates'",
    );
    there.page("/resources");
    let next = service.replica(vec![Box::new(Renamed)]);
    assert_eq!(next.guest().get("/api/plates").status, 200);
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
