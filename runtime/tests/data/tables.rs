//! The tables and models that the tests of the data layer work with.

use formwork::literal::decimal;
use formwork::prelude::*;

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

model! {
    Place "places" {
        #[serde(rename = "id")] key place_id: i64,
        column code: String,
    }
}

model! {
    Menu "menus" {
        #[serde(rename = "id")] key menu_id: i64,
        column menu_name: String,
        column menu_price: Decimal<4>,
        native weight: Option<Decimal<3>>,
        column menu_status: bool,
        column place_code: Option<String>,
        column parent_id: Option<i64>,
        column extra: Option<Json>,
        created_at created_at: Option<DateTime>,
        updated_at updated_at: Option<DateTime>,
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
    }
}

impl Repository for Menu {
    type Model = Self;
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

model! {
    Note "notes" {
        #[serde(rename = "id")] key note_id: i64,
        column menu_id: Option<i64>,
        column text: String,
        column priority: i32,
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("menu", "menus", "menu_id").include();
    }
}

model! {
    Category "categories" {
        #[serde(rename = "id")] key category_id: i64,
        column name: String,
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

model! {
    Media "media" {
        key id: Uuid,
        column attachment_type: String,
        column attachment_id: i64,
        column priority: i32,
    }
}

model! {
    Review "reviews" {
        #[serde(rename = "id")] key review_id: i64,
        column subject_type: Option<String>,
        column subject_id: Option<i64>,
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

model! {
    Order "orders" {
        #[serde(rename = "id")] key order_id: i64,
        column customer_id: i64,
        column menu_id: Option<i64>,
    }
}
