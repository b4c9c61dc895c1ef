//! Accounts of tests and of the console in a table of customers that demands values of every type.

use formwork::{
    auth::{AccountKind, NewAccount},
    config::Config,
    prelude::*,
    rules::*,
    testing::Service,
};
use serde::Serialize;

use super::kitchen::parts::resource;

/// A patient, who is a customer, and a ward that the patient must belong to.
struct Clinic;

impl Extension for Clinic {
    fn name(&self) -> &'static str {
        "clinic"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let actions = actions!["index:admin", "show:users"];
        vec![
            resource("patients", Patients, actions),
            resource("wards", Wards, actions),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260301000000,
            "create_clinic",
            "CREATE TABLE wards (id COUNTED_KEY, opened_on DATE NOT NULL);
             CREATE TABLE patients (id COUNTED_KEY, email TEXT NOT NULL, password TEXT,
             born_on DATE NOT NULL, wakes_at TIME NOT NULL, admitted_at DATETIME NOT NULL,
             code UUID NOT NULL, chart JSON NOT NULL, insured BOOLEAN NOT NULL,
             weight DECIMAL(15,4) NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL,
             blood TEXT NOT NULL CHECK (blood IN ('a', 'b')), phone TEXT_KEY NOT NULL UNIQUE,
             contact TEXT NOT NULL, ward_id INTEGER NOT NULL REFERENCES wards (id))",
        )
    }
}

model! {
    Ward "wards" { key id: i64, column opened_on: Date }
}

model! {
    Patient "patients" {
        key id: i64,
        column email: String,
        #[serde(skip)] column password: Option<String>,
        column born_on: Date,
        column wakes_at: Time,
        column admitted_at: DateTime,
        column code: Uuid,
        column chart: Json,
        column insured: bool,
        column weight: Decimal<4>,
        column age: i64,
        column score: f64,
        column blood: String,
        column phone: String,
        column contact: String,
        column ward_id: i64,
    }

    const HIDDEN: &'static [&'static str] = &["password"];
}

parts! { Ward [] }

parts! {
    Patient [
        attribute("born_on", &[required(), date(), before("1980-05-01")]),
        attribute("admitted_at", &[required(), datetime()]),
        attribute("weight", &[required(), numeric(), min(3)]),
        attribute("age", &[required(), integer(), between(18, 120)]),
        attribute("blood", &[required(), string(), one_of(&["a", "b"])]),
        attribute("phone", &[required(), string(), unique()]),
        attribute("contact", &[required(), email()]),
    ]
}

struct Wards;

impl RestController for Wards {
    parts_of!(Ward);
}

struct Patients;

impl RestController for Patients {
    parts_of!(Patient);
}

fn clinic() -> Service {
    let config = Config::from_sources("auth: { customers: patients }", []);
    Service::with_config(config.expect("a configuration"), vec![Box::new(Clinic)])
}

/// A patient as the service shows it, with values that the rules accept.
fn assert_valid(patient: &Json) {
    let text = |name: &str| {
        patient[name]
            .as_str()
            .unwrap_or_else(|| panic!("{patient}"))
    };
    assert!(text("born_on") < "1980-05-01", "{patient}");
    assert!(text("admitted_at").ends_with('Z'), "{patient}");
    assert_eq!(text("code").len(), 36, "{patient}");
    assert_eq!(text("weight"), "3.0000");
    assert_eq!(patient["age"], 18);
    assert_eq!(text("blood"), "a");
    assert!(text("contact").contains('@'), "{patient}");
}

#[test]
fn an_account_of_a_test_has_values_of_each_type_that_the_rules_accept() {
    let service = clinic();
    let (customer, id) = (service.customer(), service.customer_id());
    let shown = customer.get(&format!("/api/patients/{id}"));
    assert_eq!(shown.status, 200, "{shown}");
    assert_valid(&shown.json["data"]);
    // Another one has another telephone number, which is unique.
    service.account(AccountKind::Customer, "bob@example.com");
    let all = service.admin().get("/api/patients");
    assert_eq!(all.status, 200, "{all}");
    assert_eq!(all.json["data"].as_array().map(Vec::len), Some(2), "{all}");
    let wards = service.admin().get("/api/wards");
    assert_eq!(wards.status, 200, "the row that they belong to: {wards}");
}

#[test]
fn the_console_lists_the_values_that_it_chose() {
    let service = clinic();
    let (app, now) = (service.app(), service.app().now());
    let ward = "INSERT INTO wards (opened_on) VALUES ('2026-01-31')";
    service
        .block_on(app.db().execute(ward, []))
        .expect("a ward");
    let account = NewAccount {
        kind: AccountKind::Customer,
        email: "carla@example.com".to_owned(),
        username: None,
        name: None,
        password: "formwork".to_owned(),
    };
    let customers = app.auth().customers();
    let made = service.block_on(account.insert_and_list(app.db(), customers, now));
    let (id, filled) = made.expect("an account");
    let columns: Vec<&str> = filled.iter().map(|it| it.column.as_str()).collect();
    for column in ["born_on", "wakes_at", "weight", "blood", "ward_id"] {
        assert!(columns.contains(&column), "{column}: {columns:?}");
    }
    let shown = service.admin().get(&format!("/api/patients/{id}"));
    assert_eq!(shown.status, 200, "{shown}");
    assert_valid(&shown.json["data"]);
}
