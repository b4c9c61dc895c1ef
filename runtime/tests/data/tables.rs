//! The tables and models that the tests of the data layer work with.

use formwork::literal::{datetime, decimal};
use formwork::prelude::*;
use serde::Serialize;

pub const SQL: &str = "
CREATE TABLE places (place_id COUNTED_KEY, code TEXT_KEY NOT NULL UNIQUE);
CREATE TABLE menus (
    menu_id COUNTED_KEY, menu_name TEXT_KEY NOT NULL UNIQUE, menu_price DECIMAL(18, 4) NOT NULL,
    weight NUMERIC(18, 3), menu_status BOOLEAN NOT NULL, place_code TEXT, parent_id INTEGER REFERENCES menus (menu_id),
    extra JSON, created_at DATETIME, updated_at DATETIME);
CREATE TABLE notes (note_id COUNTED_KEY, menu_id INTEGER, text TEXT NOT NULL, priority INTEGER NOT NULL);
CREATE TABLE categories (category_id COUNTED_KEY, name TEXT NOT NULL);
CREATE TABLE menu_categories (menu_id INTEGER NOT NULL, category_id INTEGER NOT NULL, UNIQUE (menu_id, category_id));
CREATE TABLE placeables (placeable_id INTEGER NOT NULL, placeable_type TEXT NOT NULL, place_id INTEGER NOT NULL);
CREATE TABLE media (id UUID PRIMARY KEY, attachment_type TEXT NOT NULL, attachment_id INTEGER NOT NULL, priority INTEGER NOT NULL);
CREATE TABLE reviews (review_id COUNTED_KEY, subject_type TEXT, subject_id INTEGER);
CREATE TABLE orders (order_id COUNTED_KEY, customer_id INTEGER NOT NULL, menu_id INTEGER);
";

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Place {
    #[serde(rename = "id")]
    pub place_id: i64,
    pub code: String,
}

impl Model for Place {
    type Key = i64;
    const TABLE: &'static str = "places";
    const KEY: &'static str = "place_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("place_id", &mut self.place_id)?;
        to.column("code", &mut self.code)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Menu {
    #[serde(rename = "id")]
    pub menu_id: i64,
    pub menu_name: String,
    pub menu_price: Decimal<4>,
    pub weight: Option<Decimal<3>>,
    pub menu_status: bool,
    pub place_code: Option<String>,
    pub parent_id: Option<i64>,
    pub extra: Option<Json>,
    pub created_at: Option<DateTime>,
    pub updated_at: Option<DateTime>,
}

impl Model for Menu {
    type Key = i64;
    const TABLE: &'static str = "menus";
    const KEY: &'static str = "menu_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("menu_id", &mut self.menu_id)?;
        to.column("menu_name", &mut self.menu_name)?;
        to.column("menu_price", &mut self.menu_price)?;
        to.native("weight", &mut self.weight)?;
        to.column("menu_status", &mut self.menu_status)?;
        to.column("place_code", &mut self.place_code)?;
        to.column("parent_id", &mut self.parent_id)?;
        to.column("extra", &mut self.extra)?;
        to.created_at(&mut self.created_at)?;
        to.updated_at(&mut self.updated_at)
    }

    fn defaults() -> Self {
        Self {
            menu_status: true,
            menu_price: decimal("1.5000"),
            ..Self::default()
        }
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("parent", "menus", "parent_id").include();
        to.belongs_to_one("place", "places", "place_code")
            .target_key("code")
            .include();
        to.has_one("special", "notes", "menu_id")
            .order("priority")
            .include();
        to.has_many("notes", "notes", "menu_id")
            .order("-priority")
            .include();
        to.has_many("loud", "notes", "menu_id")
            .condition("priority", 9)
            .include();
        to.belongs_to_many(
            "categories",
            "categories",
            pivot("menu_categories", "menu_id", "category_id"),
        )
        .include()
        .sync();
        to.morph_many("media", "media", morph("attachment", "menus"))
            .order("priority")
            .include();
        to.morph_many("thumb", "media", morph("attachment", "menus"))
            .order("-priority")
            .first()
            .load_always();
        let placeables = pivot("placeables", "placeable_id", "place_id");
        to.morph_to_many("places", "places", placeables, morph("placeable", "menus"))
            .include()
            .sync();
        to.has_many("orders", "orders", "menu_id").include();
        to.has_many("secret", "orders", "menu_id")
            .include_for(Allow::Admin);
    }
}

/// A menu with these columns, and defaults otherwise.
pub fn menu(name: &str, price: &str) -> Menu {
    let menu_price = price.parse().expect("a price");
    Menu {
        menu_name: name.to_owned(),
        menu_price,
        ..Menu::defaults()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Note {
    #[serde(rename = "id")]
    pub note_id: i64,
    pub menu_id: Option<i64>,
    pub text: String,
    pub priority: i32,
}

impl Model for Note {
    type Key = i64;
    const TABLE: &'static str = "notes";
    const KEY: &'static str = "note_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("note_id", &mut self.note_id)?;
        to.column("menu_id", &mut self.menu_id)?;
        to.column("text", &mut self.text)?;
        to.column("priority", &mut self.priority)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("menu", "menus", "menu_id").include();
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Category {
    #[serde(rename = "id")]
    pub category_id: i64,
    pub name: String,
}

impl Model for Category {
    type Key = i64;
    const TABLE: &'static str = "categories";
    const KEY: &'static str = "category_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("category_id", &mut self.category_id)?;
        to.column("name", &mut self.name)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_many(
            "menus",
            "menus",
            pivot("menu_categories", "category_id", "menu_id"),
        )
        .order("-menu_price")
        .include();
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Media {
    pub id: Uuid,
    pub attachment_type: String,
    pub attachment_id: i64,
    pub priority: i32,
}

impl Model for Media {
    type Key = Uuid;
    const TABLE: &'static str = "media";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("attachment_type", &mut self.attachment_type)?;
        to.column("attachment_id", &mut self.attachment_id)?;
        to.column("priority", &mut self.priority)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Review {
    #[serde(rename = "id")]
    pub review_id: i64,
    pub subject_type: Option<String>,
    pub subject_id: Option<i64>,
}

impl Model for Review {
    type Key = i64;
    const TABLE: &'static str = "reviews";
    const KEY: &'static str = "review_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("review_id", &mut self.review_id)?;
        to.column("subject_type", &mut self.subject_type)?;
        to.column("subject_id", &mut self.subject_id)
    }

    fn relations(to: &mut Relations<Self>) {
        to.morph_to_one(
            "subject",
            &[("menus", "menus"), ("places", "places")],
            "subject_type",
            "subject_id",
        )
        .include();
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Order {
    #[serde(rename = "id")]
    pub order_id: i64,
    pub customer_id: i64,
    pub menu_id: Option<i64>,
}

impl Model for Order {
    type Key = i64;
    const TABLE: &'static str = "orders";
    const KEY: &'static str = "order_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("order_id", &mut self.order_id)?;
        to.column("customer_id", &mut self.customer_id)?;
        to.column("menu_id", &mut self.menu_id)
    }
}

/// A moment that whole seconds would lose.
pub fn odd_moment() -> DateTime {
    datetime("2026-02-28T23:59:59Z") + std::time::Duration::from_micros(123_456)
}
