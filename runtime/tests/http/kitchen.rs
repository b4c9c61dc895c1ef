//! The service under test: dishes that everyone reads, notes that belong to customers.

#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
pub mod parts;

use formwork::{literal, prelude::*, rules::*};
use serde::Serialize;

/// An extension that is written by hand.
pub struct Kitchen;

impl Extension for Kitchen {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let dishes = resource! { "dishes" "Dishes" "What is cooked" (Dishes)
        ["index" "create:admin" "show" "edit:admin" "store:admin" "update:admin" "destroy:admin"] };
        let notes = resource! { "notes" "Notes" "What guests say about dishes" (Notes)
        ["index:users" "show:users" "store:users" "update:users" "destroy:customer"] };
        vec![dishes, notes]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Tag>("tags")]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = include_str!("kitchen.sql");
        crate::databases::migration(20260201000000, "create_kitchen", sql)
    }
}

model! {
    /// Something to eat.
    Dish "dishes" {
        #[serde(rename = "id")] key dish_id: i64,
        column title: String,
        column slug: Option<String>,
        column price: Decimal<4>,
        column portions: i32,
        column active: bool,
        column served_from: Option<Time>,
        #[serde(skip)] column secret: Option<String>,
        created_at created_at: Option<DateTime>,
        updated_at updated_at: Option<DateTime>,
    }

    const HIDDEN: &'static [&'static str] = &["secret"];

    fn defaults() -> Self {
        let price = literal::decimal("4.9900");
        Self { active: true, portions: 1, price, ..Self::default() }
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("notes", "notes", "dish_id").include();
        let pivot = pivot("dish_tags", "dish_id", "tag_id");
        to.belongs_to_many("tags", "tags", pivot).include().sync();
    }
}

impl Repository for Dish {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["title", "price"];
    const SORT: &'static [&'static str] = &["title", "price"];
    const FILTER: &'static [&'static str] = &["price", "active"];

    fn filters(to: &mut Filters<Self>) {
        to.column("enabled", "active").default("true");
    }
}

impl ResourceRequest for Dish {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("title", &[required(), string(), between(2, 64)]),
        attribute("slug", &[nullable(), string(), alpha_dash(), unique()]),
        attribute("price", &[numeric(), min(0)]),
        attribute("portions", &[integer(), min(1)]),
        attribute("active", &[boolean()]).admin(),
        attribute("served_from", &[nullable(), time()]),
        attribute("tags", &[nullable(), array()]),
        attribute("tags.*", &[integer()]),
    ];

    async fn validate(input: &Input, ctx: &Context, errors: &mut ValidationErrors) -> Result<()> {
        if input.text("slug") == Some("meanwhile") {
            // Another request, between this one's first look at the row and its change.
            let other = "UPDATE dishes SET portions = 9, price = ?";
            let price = literal::decimal::<4>("1.0000");
            ctx.db().execute(other, [price.into()]).await?;
        }
        if input.text("title") == Some("Nothing") {
            errors.add("title", "Nothing is no dish.");
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct DishData<'a> {
    name: &'a str,
    links: Links,
    #[serde(flatten)]
    attributes: &'a Dish,
}

impl Transformer for Dish {
    type Model = Self;

    fn transform<'a>(dish: &'a Loaded<Self>, ctx: &'a Context) -> impl Serialize + 'a {
        DishData {
            name: &dish.title,
            links: ctx.links("dishes", dish.dish_id),
            attributes: dish,
        }
    }

    fn shape(to: &mut Shape) {
        to.field::<String>("name");
        to.field::<Links>("links");
        to.flatten::<Self>();
    }
}

/// Serves dishes.
pub struct Dishes;

impl RestController for Dishes {
    parts_of!(Dish);

    const PAGE_LIMIT: u32 = 3;
    const MAX_PAGE_LIMIT: u32 = 5;
    const REQUIRED_ABILITIES: &'static [&'static str] = &["dishes:*"];

    async fn show(&self, ctx: &Context, key: KeyOf<Self>) -> Result<Response> {
        if key == 13 {
            panic!("the thirteenth dish");
        }
        default::show(self, ctx, key).await
    }

    async fn prepare(&self, ctx: &Context) -> Result<Option<Input>> {
        if ctx.input().text("title") != Some("Slow") {
            return Ok(None);
        }
        // Another transaction writes meanwhile: it would wait for an open one of this request.
        let other = ctx.app().db().begin().await?;
        let tag = "INSERT INTO tags (name) VALUES ('meanwhile')";
        other.db().execute(tag, []).await?;
        other.commit().await?;
        Ok(Some(ctx.input().clone().with("title", "Slowly cooked")))
    }

    async fn before_save(&self, ctx: &Context, dish: &mut Dish) -> Result<()> {
        match dish.title.as_str() {
            "Poison" => return Err(Error::conflict("Nobody cooks that.")),
            "Broken" => {
                let (tag_id, name) = (0, "left over".to_owned());
                Tag { tag_id, name }.insert(ctx).await?;
                return Err(Error::internal("the stove is cold"));
            }
            title => dish.secret = Some(title.to_lowercase()),
        }
        Ok(())
    }
}

model! {
    /// A word for dishes.
    Tag "tags" {
        #[serde(rename = "id")] key tag_id: i64,
        column name: String,
    }
}

model! {
    /// A customer's note about a dish.
    Note "notes" {
        #[serde(rename = "id")] key note_id: i64,
        column dish_id: i64,
        column customer_id: Option<i64>,
        column text: String,
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("dish", "dishes", "dish_id").include();
    }
}

parts! {
    Note [
        attribute("dish_id", &[required(), integer(), exists("dishes", "dish_id")]),
        attribute("customer_id", &[nullable(), integer()]),
        attribute("text", &[required(), string()]),
    ]

    const OWNER: Option<&'static str> = Some("customer_id");
}

/// Serves notes.
pub struct Notes;

impl RestController for Notes {
    parts_of!(Note);

    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Store,
        Action::Show,
        Action::Update,
        Action::Destroy,
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["notes:*"];
}
