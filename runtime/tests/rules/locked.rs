//! Rules that compare attributes, and `validate`, see the row as it will be written.

use std::thread;

use formwork::{
    prelude::*,
    rules::*,
    testing::{Answer, Service},
};

use super::parts::{Plain, resource};

/// How often two changes run into each other.
const ROUNDS: usize = 12;

struct Hotel;

impl Extension for Hotel {
    fn name(&self) -> &'static str {
        "hotel"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource(
            "stays",
            Stays,
            actions!["show", "store", "update"],
        )]
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

model! {
    Stay "stays" {
        #[serde(rename = "id")] key stay_id: i64,
        column starts_on: Option<Date>,
        column ends_on: Option<Date>,
        column validity: Option<String>,
        column fixed_date: Option<Date>,
        column phone: Option<String>,
        column email: Option<String>,
        column guests: i64,
        column beds: i64,
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

struct Stays;

impl RestController for Stays {
    type Model = Stay;
    type Repository = Stay;
    type Request = Stay;
    type Transformer = Plain<Stay>;

    const ACTIONS: &'static [Action] = &[Action::Show, Action::Store, Action::Update];
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
