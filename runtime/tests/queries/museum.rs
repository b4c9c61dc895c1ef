//! The service under test: things with a column of every type.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

use super::parts::resource;

/// An extension without a line that a generator wrote.
pub struct Museum;

impl Extension for Museum {
    fn name(&self) -> &'static str {
        "museum"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource(
            "things",
            Things,
            actions!["index", "show", "store:admin"],
        )]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(20260401000000, "create_museum", include_str!("museum.sql"))
    }
}

model! {
    /// Something to look at.
    Thing "things" {
        #[serde(rename = "id")] key thing_id: i64,
        column title: String,
        column floor: i32,
        column visits: i64,
        column weight: Option<f64>,
        column price: Decimal<2>,
        native native: Option<Decimal<3>>,
        column open: bool,
        column made_on: Option<Date>,
        column shown_at: Option<Time>,
        column found_at: Option<DateTime>,
        column code: Option<Uuid>,
        column extra: Option<Json>,
        column state: String,
        column height: Option<Decimal<2>>,
    }

    fn defaults() -> Self {
        Self {
            state: "whole".to_owned(),
            ..Self::default()
        }
    }
}

/// Every column, for everything.
const ALL: &[&str] = &[
    "title", "floor", "visits", "weight", "price", "native", "open", "made_on", "shown_at",
    "found_at", "code", "extra", "state", "height",
];

parts! {
    Thing [
        attribute("title", &[required(), string()]),
        attribute("floor", &[integer()]),
        attribute("visits", &[integer()]),
        attribute("weight", &[nullable(), numeric()]),
        attribute("price", &[numeric()]),
        attribute("native", &[nullable(), numeric()]),
        attribute("open", &[boolean()]),
        attribute("made_on", &[nullable(), date()]),
        attribute("shown_at", &[nullable(), time()]),
        attribute("found_at", &[nullable(), datetime()]),
        attribute("code", &[nullable(), uuid()]),
        attribute("extra", &[nullable(), json()]),
        attribute("state", &[string(), one_of(&["whole", "broken"])]),
        attribute("height", &[nullable(), decimal(5, 2)]),
    ]

    const SEARCH: &'static [&'static str] = &["title", "visits", "price", "made_on"];
    const SORT: &'static [&'static str] = ALL;
    const FILTER: &'static [&'static str] = ALL;

    fn filters(to: &mut Filters<Self>) {
        to.column("level", "floor");
        to.column("condition", "state");
        to.column("tall", "height");
        to.column("shown", "open").default("true");
        to.custom("lighter", |query, value, _ctx| {
            let kilograms: f64 = value.parse("must be a number")?;
            query.filter_sql("weight < ?", [kilograms]);
            Ok(())
        });
    }
}

/// Serves things.
pub struct Things;

impl RestController for Things {
    parts_of!(Thing);

    const PAGE_LIMIT: u32 = 4;
    const MAX_PAGE_LIMIT: u32 = 50;
    const ACTIONS: &'static [Action] = &[Action::Index, Action::Store, Action::Show];
}
