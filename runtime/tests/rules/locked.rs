//! Rules that compare attributes, and `validate`, see the row as it will be written.

use std::thread;

use formwork::{
    prelude::*,
    rules::*,
    testing::{Answer, Service},
};
use serde::Serialize;

/// How often two changes run into each other.
const ROUNDS: usize = 12;

struct Hotel;

impl Extension for Hotel {
    fn name(&self) -> &'static str {
        "hotel"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "stays",
            name: "Stays",
            description: "Who sleeps when",
            controller: Box::new(Stays),
            actions: actions!["show", "store", "update"],
        }]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260202000000,
            "create_stays",
            "CREATE TABLE stays (stay_id COUNTED_KEY, starts_on DATE, ends_on DATE, \
             validity TEXT, fixed_date DATE, phone TEXT, email TEXT, guests INTEGER NOT NULL, \
             beds INTEGER NOT NULL)",
        )
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Stay {
    #[serde(rename = "id")]
    stay_id: i64,
    starts_on: Option<Date>,
    ends_on: Option<Date>,
    validity: Option<String>,
    fixed_date: Option<Date>,
    phone: Option<String>,
    email: Option<String>,
    guests: i64,
    beds: i64,
}

impl Model for Stay {
    type Key = i64;

    const TABLE: &'static str = "stays";
    const KEY: &'static str = "stay_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("stay_id", &mut self.stay_id)?;
        to.column("starts_on", &mut self.starts_on)?;
        to.column("ends_on", &mut self.ends_on)?;
        to.column("validity", &mut self.validity)?;
        to.column("fixed_date", &mut self.fixed_date)?;
        to.column("phone", &mut self.phone)?;
        to.column("email", &mut self.email)?;
        to.column("guests", &mut self.guests)?;
        to.column("beds", &mut self.beds)
    }
}

impl Repository for Stay {
    type Model = Self;
}

impl ResourceRequest for Stay {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("starts_on", &[nullable(), date(), before("ends_on")]),
        attribute("ends_on", &[nullable(), date()]),
        attribute("validity", &[nullable(), one_of(&["fixed", "forever"])]),
        attribute(
            "fixed_date",
            &[nullable(), date(), required_if("validity", &["fixed"])],
        ),
        attribute("phone", &[nullable(), required_without(&["email"])]),
        attribute("email", &[nullable()]),
        attribute("guests", &[integer()]),
        attribute("beds", &[integer()]),
    ];

    async fn validate(input: &Input, ctx: &Context, errors: &mut ValidationErrors) -> Result<()> {
        let kept = ctx.original::<Self>();
        let number = |name, kept: Option<i64>| input.get(name).and_then(Json::as_i64).or(kept);
        let guests = number("guests", kept.map(|stay| stay.guests));
        let beds = number("beds", kept.map(|stay| stay.beds));
        if guests > beds {
            errors.add("guests", "There are not enough beds.");
        }
        Ok(())
    }
}

impl Transformer for Stay {
    type Model = Self;

    fn transform<'a>(stay: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        stay.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

struct Stays;

impl RestController for Stays {
    type Model = Stay;
    type Repository = Stay;
    type Request = Stay;
    type Transformer = Stay;

    const ACTIONS: &'static [ActionConfig] = &[show(), store(), update()];
}

fn hotel() -> Service {
    Service::start(vec![Box::new(Hotel)])
}

/// A row with these members; its path.
fn stored(service: &Service, members: Json) -> String {
    let answer = service.guest().post("/api/stays", members);
    assert_eq!(answer.status, 201, "{answer}");
    format!("/api/stays/{}", answer.json["data"]["id"])
}

fn base() -> Json {
    json!({
        "starts_on": "2026-03-10", "ends_on": "2026-03-20", "validity": "forever",
        "fixed_date": "2026-03-15", "phone": "1", "email": "a@b", "guests": 2, "beds": 4,
    })
}

/// Two changes of a row at once; the row after them.
fn at_once(service: &Service, path: &str, changes: [Json; 2]) -> (Vec<Answer>, Json) {
    let answers = thread::scope(|scope| {
        let sent = changes.map(|change| scope.spawn(|| service.guest().patch(path, change)));
        sent.map(|sent| sent.join().expect("an answer")).into()
    });
    (answers, service.guest().get(path).json["data"].clone())
}

/// Returns whether a row keeps its rules.
type IsWhole<'a> = &'a dyn Fn(&Json) -> bool;

#[test]
fn two_changes_at_once_write_no_broken_row() {
    let service = hotel();
    let text = |row: &Json, name: &str| row[name].as_str().map(str::to_owned);
    let cases: [([Json; 2], IsWhole<'_>); 4] = [
        (
            [
                json!({"starts_on": "2026-03-19"}),
                json!({"ends_on": "2026-03-11"}),
            ],
            &|row| text(row, "starts_on") < text(row, "ends_on"),
        ),
        (
            [json!({"validity": "fixed"}), json!({"fixed_date": null})],
            &|row| row["validity"] != "fixed" || !row["fixed_date"].is_null(),
        ),
        ([json!({"phone": null}), json!({"email": null})], &|row| {
            !row["phone"].is_null() || !row["email"].is_null()
        }),
        ([json!({"guests": 4}), json!({"beds": 2})], &|row| {
            row["guests"].as_i64() <= row["beds"].as_i64()
        }),
    ];
    for (changes, is_whole) in cases {
        for round in 0..ROUNDS {
            let path = stored(&service, base());
            let (answers, row) = at_once(&service, &path, changes.clone());
            assert!(is_whole(&row), "round {round}: {row}");
            for answer in answers {
                assert!([200, 422].contains(&answer.status), "{answer}");
            }
        }
    }
}

#[test]
fn rules_look_at_the_stored_row() {
    let service = hotel();
    let path = stored(&service, base());
    let refused = |change: Json, field: &str| {
        let answer = service.guest().patch(&path, change.clone());
        assert_eq!(answer.status, 422, "{change}: {answer}");
        assert!(answer.json["errors"].get(field).is_some(), "{answer}");
    };
    let taken = |change: Json| {
        let answer = service.guest().patch(&path, change.clone());
        assert_eq!(answer.status, 200, "{change}: {answer}");
    };
    taken(json!({"validity": "fixed"}));
    refused(json!({"fixed_date": null}), "fixed_date");
    taken(json!({"validity": "forever"}));
    taken(json!({"fixed_date": null}));
    refused(json!({"validity": "fixed"}), "fixed_date");
    taken(json!({"validity": "fixed", "fixed_date": "2026-03-16"}));
    // A rule of an attribute that is not sent, about one that is.
    refused(json!({"ends_on": "2026-03-10"}), "starts_on");
    taken(json!({"ends_on": "2026-03-12"}));
    taken(json!({"phone": null}));
    refused(json!({"email": null}), "phone");
    refused(json!({"guests": 5}), "guests");
    refused(json!({"beds": 1}), "guests");
    // A row that was broken before can be changed elsewhere.
    let broken = "UPDATE stays SET fixed_date = NULL";
    let written = service.block_on(service.app().db().execute(broken, []));
    assert_eq!(written.expect("written"), 1);
    taken(json!({"beds": 3}));
}
