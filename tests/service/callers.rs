//! Every resource, action and caller, in both renderings (docs/contract.md, "Access"): allowed and
//! refused callers, and the order of the checks.

use std::sync::OnceLock;

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::{Restaurant, shared};
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering},
};

const ACTIONS: [&str; 5] = ["index", "show", "store", "update", "destroy"];

/// He is served.
const OK: u16 = 0;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caller {
    Guest,
    /// The customer whose row it is.
    Alice,
    /// Another customer.
    Bob,
    Admin,
    /// An administrator who is assigned to the second location.
    Riverside,
    /// An administrator whose token is for other resources.
    Elsewhere,
    /// The customer, with a token for other resources.
    AliceElsewhere,
    /// An administrator whose token only reads.
    Reader,
}

use Caller::{Admin, Alice, AliceElsewhere, Bob, Elsewhere, Guest, Reader, Riverside};

/// Statuses of index, show, store, update, destroy of a row of alice's at the first location.
type Row = [u16; 5];

/// Tokens that are limited to other resources, or to reading: the same for every resource.
const LIMITED_TOKENS: [(Caller, Row); 3] = [
    (Elsewhere, [403; 5]),
    (AliceElsewhere, [403; 5]),
    (Reader, [OK, OK, 403, 403, 403]),
];

/// Administrators only: coupons.
const STAFF: [(Caller, Row); 5] = [
    (Guest, [401; 5]),
    (Alice, [403; 5]),
    (Bob, [403; 5]),
    (Admin, [OK; 5]),
    (Riverside, [OK; 5]),
];

/// Everybody reads, administrators write: categories, menus.
const OPEN: [(Caller, Row); 5] = [
    (Guest, [OK, OK, 401, 401, 401]),
    (Alice, [OK, OK, 403, 403, 403]),
    (Bob, [OK, OK, 403, 403, 403]),
    (Admin, [OK; 5]),
    (Riverside, [OK; 5]),
];

/// As [`OPEN`], bound to locations: the row is at one that is not his.
const OPEN_AND_BOUND: [(Caller, Row); 5] = with(OPEN, (Riverside, [OK, 404, OK, 404, 404]));

/// Everybody lists, the rest is the administrators': of their own locations, if they have some.
const LOCATIONS: [(Caller, Row); 5] = [
    (Guest, [OK, 401, 401, 401, 401]),
    (Alice, [OK, 403, 403, 403, 403]),
    (Bob, [OK, 403, 403, 403, 403]),
    (Admin, [OK; 5]),
    (Riverside, [OK, OK, 403, 403, 403]),
];

/// Accounts: customers change their own, and see none.
const CUSTOMERS: [(Caller, Row); 5] = [
    (Guest, [401; 5]),
    (Alice, [403, 403, 403, OK, 403]),
    (Bob, [403, 403, 403, 404, 403]),
    (Admin, [OK; 5]),
    (Riverside, [OK; 5]),
];

/// Orders, reservations, reviews: owned, and bound to the location they are at.
const OWNED: [(Caller, Row); 5] = [
    (Guest, [401; 5]),
    (Alice, [OK, OK, OK, 403, 403]),
    (Bob, [OK, 404, OK, 403, 403]),
    (Admin, [OK; 5]),
    (Riverside, [OK, 404, 422, 404, 404]),
];

const TABLE: [(&str, [(Caller, Row); 5]); 8] = [
    ("categories", OPEN_AND_BOUND),
    ("coupons", STAFF),
    ("customers", CUSTOMERS),
    ("locations", LOCATIONS),
    ("menus", OPEN_AND_BOUND),
    ("orders", OWNED),
    ("reservations", OWNED),
    ("reviews", OWNED),
];

/// A table with one of its rows replaced.
const fn with(mut table: [(Caller, Row); 5], row: (Caller, Row)) -> [(Caller, Row); 5] {
    table[4] = row;
    table
}

/// The restaurant with everybody's tokens.
struct House {
    restaurant: &'static Restaurant,
    riverside: String,
    elsewhere: String,
    alice_elsewhere: String,
    reader: String,
}

impl House {
    fn open() -> &'static Self {
        static HOUSE: OnceLock<House> = OnceLock::new();
        HOUSE.get_or_init(Self::staffed)
    }

    fn staffed() -> Self {
        let restaurant = shared();
        let run = |args: &[&str]| {
            let (done, output, errors) = restaurant.console(args);
            assert!(done, "{args:?}: {errors}");
            output
        };
        let token = |args: &[&str]| {
            let text = run(&[&["token", "--name", "callers"], args].concat());
            let token = text
                .lines()
                .find_map(|line| line.strip_prefix("Access Token: "));
            token
                .unwrap_or_else(|| panic!("no token: {text}"))
                .to_owned()
        };
        let keeper = ["--email", "riverside.keeper@example.com"];
        run(&[
            &["user", "create", "--super", "--username", "keeper"],
            &keeper[..],
        ]
        .concat());
        run(&[&["user", "locations", "--ids", "2"], &keeper[..]].concat());
        let admin = ["--email", "admin@example.com", "--admin", "--abilities"];
        let alice = ["--email", "alice@example.com", "--abilities", "tills:*"];
        let read = "categories:read,coupons.read,customers:read,locations.read,menus:index,\
                    menus:show,orders:read,reservations:read,reviews:read";
        Self {
            restaurant,
            riverside: token(&[&keeper[..], &["--admin"]].concat()),
            elsewhere: token(&[&admin[..], &["tills:*"]].concat()),
            alice_elsewhere: token(&alice),
            reader: token(&[&admin[..], &[read]].concat()),
        }
    }

    fn client(&self, caller: Caller) -> Client {
        match caller {
            Guest => self.restaurant.guest(),
            Alice => self.restaurant.alice(),
            Bob => self.restaurant.bob(),
            Admin => self.restaurant.admin(),
            Riverside => self.restaurant.with_token(&self.riverside),
            Elsewhere => self.restaurant.with_token(&self.elsewhere),
            AliceElsewhere => self.restaurant.with_token(&self.alice_elsewhere),
            Reader => self.restaurant.with_token(&self.reader),
        }
    }

    /// A row at the first location; alice's where rows have an owner.
    fn row(&self, resource: &str) -> i64 {
        let owned = ["orders", "reservations", "reviews"].contains(&resource);
        let client = self.client(if owned { Alice } else { Admin });
        let mut body = self.body(resource, Alice);
        if ["categories", "menus"].contains(&resource) {
            body["locations"] = json!([1]);
        }
        let answer = client.post(&format!("/api/{resource}"), &body);
        assert_eq!(answer.status, 201, "{resource}: {answer}");
        Rendering::Data.id(&answer.json["data"])
    }

    /// What is stored: at the first location, and about an order of the caller's.
    fn body(&self, resource: &str, caller: Caller) -> Value {
        let about = match caller {
            Bob => self.restaurant.bob(),
            _ => self.restaurant.alice(),
        };
        let order = match resource {
            "reviews" => payloads::new_order(&about),
            _ => 0,
        };
        payloads::store(resource, order)
    }

    fn alice(&self) -> i64 {
        let account = self.restaurant.alice().get("/api/token/user");
        account.json["user"]["id"].as_i64().expect("a key")
    }

    /// Sends one request; a row that is destroyed was stored for it.
    fn request(&self, caller: Caller, resource: &str, action: &str) -> Answer {
        let client = self.client(caller);
        let path = |id: i64| format!("/api/{resource}/{id}");
        match action {
            "index" => client.get(&format!("/api/{resource}?pageLimit=1")),
            "store" => client.post(&format!("/api/{resource}"), &self.body(resource, caller)),
            "show" => client.get(&path(self.row(resource))),
            "update" => {
                let row = match resource {
                    "customers" => self.alice(),
                    _ => self.row(resource),
                };
                client.patch(&path(row), &payloads::update(resource))
            }
            _ => client.delete(&path(self.row(resource))),
        }
    }
}

fn success(action: &str) -> u16 {
    match action {
        "store" => 201,
        "destroy" => 204,
        _ => 200,
    }
}

#[test]
fn every_action_of_every_resource_answers_each_caller_as_the_table_says() {
    let house = House::open();
    for (resource, rows) in TABLE {
        for (caller, statuses) in rows.into_iter().chain(LIMITED_TOKENS) {
            for (action, status) in ACTIONS.into_iter().zip(statuses) {
                let answer = house.request(caller, resource, action);
                let expected = if status == OK {
                    success(action)
                } else {
                    status
                };
                let request = format!("{caller:?} {action} {resource}");
                assert_eq!(answer.status, expected, "{request}: {answer}");
                let challenge = answer.header("www-authenticate");
                assert_eq!(challenge.is_some(), expected == 401, "{request}: {answer}");
            }
        }
    }
}

/// Rows of other locations are neither listed nor counted for an administrator with a location.
#[test]
fn administrators_of_a_location_list_its_rows_only() {
    let house = House::open();
    let keeper = house.client(Riverside);
    for resource in ["orders", "reservations", "reviews"] {
        let own = keeper.get(&format!("/api/{resource}?pageLimit=100"));
        assert!(!own.records().is_empty(), "{resource}");
        for record in own.records() {
            assert_eq!(record["location_id"], 2, "{resource}: {record}");
        }
        let others = keeper.get(&format!("/api/{resource}?location=1"));
        assert_eq!(others.records().len(), 0, "{resource}: {others}");
        assert_eq!(others.json["meta"]["pagination"]["total"], 0, "{resource}");
        let all = keeper.get(&format!("/api/{resource}"));
        let mine = keeper.get(&format!("/api/{resource}?location=2"));
        let total = |list: &Answer| list.json["meta"]["pagination"]["total"].clone();
        assert_eq!(total(&all), total(&mine), "{resource}");
    }
    for resource in ["categories", "menus"] {
        let elsewhere = house.row(resource);
        let found = keeper.get(&format!("/api/{resource}?filter[id]={elsewhere}"));
        assert_eq!(found.records().len(), 0, "{resource}: {found}");
        let found = house
            .client(Admin)
            .get(&format!("/api/{resource}?filter[id]={elsewhere}"));
        assert_eq!(found.ids(), [elsewhere], "{resource}");
    }
}

/// What is included of other resources obeys their own rules, and their locations.
#[test]
fn administrators_of_a_location_see_no_included_rows_of_others() {
    let house = House::open();
    let keeper = house.client(Riverside);
    for rendering in BOTH {
        for (path, relations) in [
            ("customers/1", &["orders", "reservations"][..]),
            ("customers/2", &["orders", "reservations"]),
            ("locations/1", &["reviews"]),
            ("locations/2", &["reviews"]),
        ] {
            let include = relations.join(",");
            let answer = rendering.get(&keeper, &format!("/api/{path}?include={include}"));
            assert_eq!(answer.status, 200, "{path}: {answer}");
            for relation in relations {
                let rows = rendering.included(&answer, relation);
                let elsewhere = rows.iter().find(|row| row["location_id"] != 2);
                assert_eq!(elsewhere, None, "{path} {relation}");
                assert!(
                    path == "locations/1" || !rows.is_empty(),
                    "{path} {relation}"
                );
            }
        }
    }
}
