//! The service under test: things with a column of every type.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

/// An extension without a line that a generator wrote.
pub struct Museum;

impl Extension for Museum {
    fn name(&self) -> &'static str {
        "museum"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "things",
            name: "Things",
            description: "What is shown",
            controller: Box::new(Things),
            actions: actions!["index", "show", "store:admin"],
        }]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(20260401000000, "create_museum", include_str!("museum.sql"))
    }
}

/// Something to look at.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Thing {
    #[serde(rename = "id")]
    pub thing_id: i64,
    pub title: String,
    pub floor: i32,
    pub visits: i64,
    pub weight: Option<f64>,
    pub price: Decimal<2>,
    pub native: Option<Decimal<3>>,
    pub open: bool,
    pub made_on: Option<Date>,
    pub shown_at: Option<Time>,
    pub found_at: Option<DateTime>,
    pub code: Option<Uuid>,
    pub extra: Option<Json>,
    pub state: String,
    pub height: Option<Decimal<2>>,
}

impl Model for Thing {
    type Key = i64;

    const TABLE: &'static str = "things";
    const KEY: &'static str = "thing_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("thing_id", &mut self.thing_id)?;
        to.column("title", &mut self.title)?;
        to.column("floor", &mut self.floor)?;
        to.column("visits", &mut self.visits)?;
        to.column("weight", &mut self.weight)?;
        to.column("price", &mut self.price)?;
        to.native("native", &mut self.native)?;
        to.column("open", &mut self.open)?;
        to.column("made_on", &mut self.made_on)?;
        to.column("shown_at", &mut self.shown_at)?;
        to.column("found_at", &mut self.found_at)?;
        to.column("code", &mut self.code)?;
        to.column("extra", &mut self.extra)?;
        to.column("state", &mut self.state)?;
        to.column("height", &mut self.height)
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

impl Repository for Thing {
    type Model = Self;

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

impl ResourceRequest for Thing {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
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
    ];
}

impl Transformer for Thing {
    type Model = Self;

    fn transform<'a>(thing: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        thing.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

/// Serves things.
pub struct Things;

impl RestController for Things {
    type Model = Thing;
    type Repository = Thing;
    type Request = Thing;
    type Transformer = Thing;

    const ACTIONS: &'static [ActionConfig] =
        &[index().page_limit(4).max_page_limit(50), store(), show()];
}
