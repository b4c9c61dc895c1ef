//! Accounts of tests and of the console in a table of customers that demands values of every type.

use formwork::{
    auth::{AccountKind, NewAccount},
    config::Config,
    prelude::*,
    rules::*,
    testing::Service,
};
use serde::Serialize;

/// A patient, who is a customer, and a ward that the patient must belong to.
struct Clinic;

impl Extension for Clinic {
    fn name(&self) -> &'static str {
        "clinic"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let resource = |key, controller| ApiResource {
            key,
            name: key,
            description: "",
            controller,
            actions: formwork::prelude::actions!["index:admin", "show:users"],
        };
        vec![
            resource("patients", Box::new(Patients) as _),
            resource("wards", Box::new(Wards) as _),
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

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Ward {
    id: i64,
    opened_on: Date,
}

impl Model for Ward {
    type Key = i64;

    const TABLE: &'static str = "wards";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("opened_on", &mut self.opened_on)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Patient {
    id: i64,
    email: String,
    #[serde(skip)]
    password: Option<String>,
    born_on: Date,
    wakes_at: Time,
    admitted_at: DateTime,
    code: Uuid,
    chart: Json,
    insured: bool,
    weight: Decimal<4>,
    age: i64,
    score: f64,
    blood: String,
    phone: String,
    contact: String,
    ward_id: i64,
}

impl Model for Patient {
    type Key = i64;

    const TABLE: &'static str = "patients";
    const KEY: &'static str = "id";
    const HIDDEN: &'static [&'static str] = &["password"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("email", &mut self.email)?;
        to.column("password", &mut self.password)?;
        to.column("born_on", &mut self.born_on)?;
        to.column("wakes_at", &mut self.wakes_at)?;
        to.column("admitted_at", &mut self.admitted_at)?;
        to.column("code", &mut self.code)?;
        to.column("chart", &mut self.chart)?;
        to.column("insured", &mut self.insured)?;
        to.column("weight", &mut self.weight)?;
        to.column("age", &mut self.age)?;
        to.column("score", &mut self.score)?;
        to.column("blood", &mut self.blood)?;
        to.column("phone", &mut self.phone)?;
        to.column("contact", &mut self.contact)?;
        to.column("ward_id", &mut self.ward_id)
    }
}

/// A resource that shows its rows as they are.
macro_rules! resource {
    ($controller:ident, $model:ident, $attributes:expr) => {
        struct $controller;

        impl RestController for $controller {
            type Model = $model;
            type Repository = Self;
            type Request = Self;
            type Transformer = Self;
        }

        impl Repository for $controller {
            type Model = $model;
        }

        impl ResourceRequest for $controller {
            type Model = $model;

            const ATTRIBUTES: &'static [Attribute] = $attributes;
        }

        impl Transformer for $controller {
            type Model = $model;

            fn transform<'a>(it: &'a Loaded<$model>, _ctx: &'a Context) -> impl Serialize + 'a {
                it.record()
            }

            fn shape(to: &mut Shape) {
                to.flatten::<$model>();
            }
        }
    };
}

const PATIENT: &[Attribute] = &[
    attribute("born_on", &[required(), date(), before("1980-05-01")]),
    attribute("admitted_at", &[required(), datetime()]),
    attribute("weight", &[required(), numeric(), min(3)]),
    attribute("age", &[required(), integer(), between(18, 120)]),
    attribute("blood", &[required(), string(), one_of(&["a", "b"])]),
    attribute("phone", &[required(), string(), unique()]),
    attribute("contact", &[required(), email()]),
];

resource!(Patients, Patient, PATIENT);
resource!(Wards, Ward, &[]);

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
