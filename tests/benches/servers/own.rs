//! The resource of the bench, as it is poured.

use formwork::{Service, prelude::*, rules::*};
use serde::Serialize;

use super::tables::{MYSQL, POSTGRES};

/// The service.
pub fn service() -> Service {
    formwork::service(vec![Box::new(Kitchen)])
}

struct Kitchen;

impl Extension for Kitchen {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "dishes",
            name: "Dishes",
            description: "What is served",
            controller: Box::new(Dishes),
            actions: actions!["index", "show", "store"],
        }]
    }

    fn migrations(&self) -> &'static [Migration] {
        &[Migration {
            version: 20260203000000,
            name: "create_dishes",
            sql: &[("postgres", POSTGRES), ("mysql", MYSQL)],
        }]
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Dish {
    #[serde(rename = "id")]
    dish_id: i64,
    name: String,
    description: Option<String>,
    stars: i32,
    available: bool,
}

impl Model for Dish {
    type Key = i64;

    const TABLE: &'static str = "dishes";
    const KEY: &'static str = "dish_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("dish_id", &mut self.dish_id)?;
        to.column("name", &mut self.name)?;
        to.column("description", &mut self.description)?;
        to.column("stars", &mut self.stars)?;
        to.column("available", &mut self.available)
    }
}

impl Repository for Dish {
    type Model = Self;

    const SORT: &'static [&'static str] = &["name"];
}

impl ResourceRequest for Dish {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string(), max(191)]),
        attribute("description", &[nullable(), string()]),
        attribute("stars", &[required(), integer(), between(0, 5)]),
        attribute("available", &[boolean()]),
    ];
}

impl Transformer for Dish {
    type Model = Self;

    fn transform<'a>(dish: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        dish.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

struct Dishes;

impl RestController for Dishes {
    type Model = Dish;
    type Repository = Dish;
    type Request = Dish;
    type Transformer = Dish;

    const ACTIONS: &'static [ActionConfig] = &[index(), show(), store()];
}
