//! A service written by hand: dishes with a column of each type, their menus, and guests.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

/// Everything the service is made of.
pub fn extensions() -> Vec<Box<dyn Extension>> {
    vec![Box::new(Kitchen)]
}

struct Kitchen;

impl Extension for Kitchen {
    fn name(&self) -> &'static str {
        "example.kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            ApiResource {
                key: "dishes",
                name: "Dishes",
                description: "What there is to eat",
                controller: Box::new(Dishes),
                actions: actions![
                    "index",
                    "show",
                    "store:admin",
                    "update:admin",
                    "destroy:admin"
                ],
            },
            ApiResource {
                key: "menus",
                name: "Menus",
                description: "Where dishes stand",
                controller: Box::new(Menus),
                actions: actions!["index", "show", "store:admin", "destroy:admin"],
            },
            ApiResource {
                key: "guests",
                name: "Guests",
                description: "Who eats",
                controller: Box::new(Guests),
                actions: actions!["show", "store:admin"],
            },
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        &[Migration {
            version: 20260201000000,
            name: "create_kitchen",
            sql: &[("postgres", include_str!("kitchen.sql"))],
        }]
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Dish {
    pub id: i64,
    pub slug: String,
    pub price: Decimal<4>,
    pub is_hot: bool,
    pub portions: i32,
    pub weight: Option<f64>,
    pub served_on: Option<Date>,
    pub served_at: Option<Time>,
    pub notes: Option<Json>,
    pub code: Uuid,
    pub menu_id: Option<i64>,
    pub created_at: Option<DateTime>,
    pub updated_at: Option<DateTime>,
}

impl Model for Dish {
    type Key = i64;

    const TABLE: &'static str = "dishes";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("slug", &mut self.slug)?;
        to.column("price", &mut self.price)?;
        to.column("is_hot", &mut self.is_hot)?;
        to.column("portions", &mut self.portions)?;
        to.column("weight", &mut self.weight)?;
        to.column("served_on", &mut self.served_on)?;
        to.column("served_at", &mut self.served_at)?;
        to.column("notes", &mut self.notes)?;
        to.column("code", &mut self.code)?;
        to.column("menu_id", &mut self.menu_id)?;
        to.created_at(&mut self.created_at)?;
        to.updated_at(&mut self.updated_at)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("menu", "menus", "menu_id").include();
    }
}

struct DishRepository;

impl Repository for DishRepository {
    type Model = Dish;

    const SEARCH: &'static [&'static str] = &["slug", "price", "served_on", "notes", "is_hot"];
    const SORT: &'static [&'static str] = &["price"];
    const FILTER: &'static [&'static str] = &["slug", "price", "is_hot", "served_on", "code"];
}

struct DishRequest;

impl ResourceRequest for DishRequest {
    type Model = Dish;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("slug", &[required(), string()]),
        attribute("price", &[required(), numeric(), min(0)]),
        attribute("is_hot", &[required(), boolean()]),
        attribute("portions", &[required(), integer()]),
        attribute("weight", &[nullable(), numeric()]),
        attribute("served_on", &[nullable(), date()]),
        attribute("served_at", &[nullable(), time()]),
        attribute("notes", &[nullable()]),
        attribute("code", &[required(), uuid()]),
        attribute("menu_id", &[nullable(), integer()]),
    ];
}

struct DishTransformer;

impl Transformer for DishTransformer {
    type Model = Dish;

    fn transform<'a>(dish: &'a Loaded<Dish>, _ctx: &'a Context) -> impl Serialize + 'a {
        dish.record()
    }
}

struct Dishes;

impl RestController for Dishes {
    type Model = Dish;
    type Repository = DishRepository;
    type Request = DishRequest;
    type Transformer = DishTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), show(), store(), update(), destroy()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["dishes:*"];
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Menu {
    pub id: i64,
    pub title: String,
}

impl Model for Menu {
    type Key = i64;

    const TABLE: &'static str = "menus";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("title", &mut self.title)
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("dishes", "dishes", "menu_id").include();
    }
}

struct MenuRepository;

impl Repository for MenuRepository {
    type Model = Menu;
}

struct MenuRequest;

impl ResourceRequest for MenuRequest {
    type Model = Menu;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("title", &[required(), string()])];
}

struct MenuTransformer;

impl Transformer for MenuTransformer {
    type Model = Menu;

    fn transform<'a>(menu: &'a Loaded<Menu>, _ctx: &'a Context) -> impl Serialize + 'a {
        menu.record()
    }
}

struct Menus;

impl RestController for Menus {
    type Model = Menu;
    type Repository = MenuRepository;
    type Request = MenuRequest;
    type Transformer = MenuTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), show(), store(), destroy()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["menus:*"];
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Guest {
    pub id: Uuid,
    pub name: String,
}

impl Model for Guest {
    type Key = Uuid;

    const TABLE: &'static str = "guests";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_many(
            "menus",
            "menus",
            pivot("guest_menus", "guest_id", "menu_id"),
        )
        .include()
        .sync();
    }
}

struct GuestRepository;

impl Repository for GuestRepository {
    type Model = Guest;
}

struct GuestRequest;

impl ResourceRequest for GuestRequest {
    type Model = Guest;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string()]),
        attribute("menus", &[nullable(), array()]),
        attribute("menus.*", &[integer()]),
    ];
}

struct GuestTransformer;

impl Transformer for GuestTransformer {
    type Model = Guest;

    fn transform<'a>(guest: &'a Loaded<Guest>, _ctx: &'a Context) -> impl Serialize + 'a {
        guest.record()
    }
}

struct Guests;

impl RestController for Guests {
    type Model = Guest;
    type Repository = GuestRepository;
    type Request = GuestRequest;
    type Transformer = GuestTransformer;

    const ACTIONS: &'static [ActionConfig] = &[show(), store()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["guests:*"];
}
