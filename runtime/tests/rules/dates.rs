//! `after`, `before` and their like: dates beside other attributes, of the body or of the record.

use formwork::{
    config::Config,
    http::route::Route,
    prelude::*,
    rules::*,
    testing::{Answer, Service},
};
use serde::Serialize;

use super::said;

struct Agency;

impl Extension for Agency {
    fn name(&self) -> &'static str {
        "agency"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "trips",
            name: "Trips",
            description: "Journeys",
            controller: Box::new(Trips),
            actions: actions!["store", "update"],
        }]
    }

    fn routes(&self) -> Vec<Route> {
        let plan = async |_: Context| Ok(Response::no_content());
        vec![Route::post("/plan", Allow::All, plan).rules(PLAN)]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260202000000,
            "create_trips",
            "CREATE TABLE trips (id COUNTED_KEY, starts DATE NOT NULL, ends DATE)",
        )
    }
}

const PLAN: &[Attribute] = &[
    attribute("from", &[required(), time()]),
    attribute("to", &[required(), time(), after("from")]),
];

#[derive(Debug, Clone, Default, Serialize)]
struct Trip {
    id: i64,
    starts: Date,
    ends: Option<Date>,
}

impl Model for Trip {
    type Key = i64;

    const TABLE: &'static str = "trips";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("starts", &mut self.starts)?;
        to.column("ends", &mut self.ends)
    }
}

struct TripRepository;

impl Repository for TripRepository {
    type Model = Trip;
}

struct TripRequest;

impl ResourceRequest for TripRequest {
    type Model = Trip;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("starts", &[required(), date(), before_or_equal("ends")]),
        attribute("ends", &[nullable(), date(), after("starts")]),
        attribute("legs", &[nullable(), array()]),
        attribute("legs.*.from", &[required(), datetime()]),
        attribute("legs.*.to", &[required(), after_or_equal("legs.*.from")]),
    ];
}

struct TripTransformer;

impl Transformer for TripTransformer {
    type Model = Trip;

    fn transform<'a>(trip: &'a Loaded<Trip>, _ctx: &'a Context) -> impl Serialize + 'a {
        trip.record()
    }
}

struct Trips;

impl RestController for Trips {
    type Model = Trip;
    type Repository = TripRepository;
    type Request = TripRequest;
    type Transformer = TripTransformer;
}

const STARTS: &str = "starts: The starts field must be a date before or equal to ends.";
const ENDS: &str = "ends: The ends field must be a date after starts.";

fn agency() -> Service {
    Service::with_config(Config::default(), vec![Box::new(Agency)])
}

/// Sends bodies; each is refused with these words.
fn judge(cases: &[(Json, &[&str])], send: impl Fn(Json) -> Answer) {
    for (body, expected) in cases {
        let answer = send(body.clone());
        assert_eq!(said(&answer), *expected, "{body} {answer}");
    }
}

#[test]
fn dates_of_a_body_are_compared() {
    let service = agency();
    let cases: [(Json, &[&str]); 5] = [
        (json!({"starts": "2030-01-10", "ends": "2030-01-11"}), &[]),
        (
            json!({"starts": "2030-01-10", "ends": "2030-01-10"}),
            &[ENDS],
        ),
        (
            json!({"starts": "2030-01-10", "ends": "2030-01-09"}),
            &[ENDS, STARTS],
        ),
        (json!({"starts": "2030-01-10"}), &[]),
        (json!({"starts": "2030-01-10", "ends": null}), &[]),
    ];
    judge(&cases, |body| service.guest().post("/api/trips", body));
}

#[test]
fn a_date_is_compared_with_that_of_the_record_where_the_other_is_not_sent() {
    let service = agency();
    let trip = json!({"starts": "2030-01-10", "ends": "2030-01-20"});
    assert_eq!(service.guest().post("/api/trips", trip).status, 201);
    let cases: [(Json, &[&str]); 4] = [
        (json!({"ends": "2030-01-10"}), &[ENDS]),
        (json!({"starts": "2030-01-21"}), &[STARTS]),
        (json!({"starts": "2030-02-01", "ends": "2030-02-02"}), &[]),
        (json!({"ends": "2030-02-03"}), &[]),
    ];
    judge(&cases, |body| service.guest().patch("/api/trips/1", body));
}

#[test]
fn moments_of_one_item_are_compared_by_the_moment() {
    let service = agency();
    let leg = |from: &str, to: &str| json!({"from": from, "to": to});
    let legs = [
        leg("2030-01-10T10:00:00Z", "2030-01-10T11:00:00+01:00"),
        leg("2030-01-10T10:00:00Z", "2030-01-10T10:30:00+01:00"),
    ];
    let body = json!({"starts": "2030-01-10", "legs": legs});
    let answer = service.guest().post("/api/trips", body);
    let late = "legs.1.to: The legs.1.to field must be a date after or equal to legs.1.from.";
    assert_eq!(said(&answer), [late], "{answer}");
}

#[test]
fn routes_of_ones_own_compare_too() {
    let service = agency();
    for (to, status) in [("09:31", 204), ("09:30:00", 422), ("08:00", 422)] {
        let body = json!({"from": "09:30", "to": to});
        let answer = service.guest().post("/api/plan", body);
        assert_eq!(answer.status, status, "{to} {answer}");
    }
}
