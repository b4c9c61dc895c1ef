//! The service under test: dishes anybody reads, notes that belong to customers.

use formwork::{literal, prelude::*, rules::*};
use serde::Serialize;

/// An extension without a line that a generator wrote.
pub struct Kitchen;

impl Extension for Kitchen {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            ApiResource {
                key: "dishes",
                name: "Dishes",
                description: "What is cooked",
                controller: Box::new(Dishes),
                actions: actions![
                    "index",
                    "create:admin",
                    "show",
                    "edit:admin",
                    "store:admin",
                    "update:admin",
                    "destroy:admin"
                ],
            },
            ApiResource {
                key: "notes",
                name: "Notes",
                description: "What guests say about dishes",
                controller: Box::new(Notes),
                actions: actions![
                    "index:users",
                    "show:users",
                    "store:users",
                    "update:users",
                    "destroy:customer"
                ],
            },
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Tag>("tags")]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260201000000,
            "create_kitchen",
            include_str!("kitchen.sql"),
        )
    }
}

/// Something to eat.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Dish {
    #[serde(rename = "id")]
    pub dish_id: i64,
    pub title: String,
    pub slug: Option<String>,
    pub price: Decimal<4>,
    pub portions: i32,
    pub active: bool,
    pub served_from: Option<Time>,
    #[serde(skip)]
    pub secret: Option<String>,
    pub created_at: Option<DateTime>,
    pub updated_at: Option<DateTime>,
}

impl Model for Dish {
    type Key = i64;

    const TABLE: &'static str = "dishes";
    const KEY: &'static str = "dish_id";
    const HIDDEN: &'static [&'static str] = &["secret"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("dish_id", &mut self.dish_id)?;
        to.column("title", &mut self.title)?;
        to.column("slug", &mut self.slug)?;
        to.column("price", &mut self.price)?;
        to.column("portions", &mut self.portions)?;
        to.column("active", &mut self.active)?;
        to.column("served_from", &mut self.served_from)?;
        to.column("secret", &mut self.secret)?;
        to.created_at(&mut self.created_at)?;
        to.updated_at(&mut self.updated_at)
    }

    fn defaults() -> Self {
        Self {
            active: true,
            portions: 1,
            price: literal::decimal("4.9900"),
            ..Self::default()
        }
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("notes", "notes", "dish_id").include();
        to.belongs_to_many("tags", "tags", pivot("dish_tags", "dish_id", "tag_id"))
            .include()
            .sync();
    }
}

/// Finds dishes.
pub struct DishRepository;

impl Repository for DishRepository {
    type Model = Dish;

    const SEARCH: &'static [&'static str] = &["title", "price"];
    const SORT: &'static [&'static str] = &["title", "price"];
    const FILTER: &'static [&'static str] = &["price", "active"];

    fn filters(to: &mut Filters<Dish>) {
        to.column("enabled", "active").default("true");
    }
}

/// Validates dishes.
pub struct DishRequest;

impl ResourceRequest for DishRequest {
    type Model = Dish;

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

/// Shapes dishes.
pub struct DishTransformer;

#[derive(Serialize)]
struct DishData<'a> {
    name: &'a str,
    links: Links,
    #[serde(flatten)]
    attributes: &'a Dish,
}

impl Transformer for DishTransformer {
    type Model = Dish;

    fn transform<'a>(dish: &'a Loaded<Dish>, ctx: &'a Context) -> impl Serialize + 'a {
        DishData {
            name: &dish.title,
            links: ctx.links("dishes", dish.dish_id),
            attributes: dish,
        }
    }

    fn shape(to: &mut Shape) {
        to.field::<String>("name");
        to.field::<Links>("links");
        to.flatten::<Dish>();
    }
}

/// Serves dishes.
pub struct Dishes;

impl RestController for Dishes {
    type Model = Dish;
    type Repository = DishRepository;
    type Request = DishRequest;
    type Transformer = DishTransformer;

    const ACTIONS: &'static [ActionConfig] = &[
        index().page_limit(3).max_page_limit(5),
        create(),
        store(),
        show(),
        edit(),
        update(),
        destroy(),
    ];
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
        // Another one writes meanwhile: in an open transaction it would have to wait for this.
        let other = ctx.app().db().begin().await?;
        let tag = "INSERT INTO tags (name) VALUES ('meanwhile')";
        other.db().execute(tag, []).await?;
        other.commit().await?;
        Ok(Some(ctx.input().clone().with("title", "Slowly cooked")))
    }

    async fn before_save(&self, ctx: &Context, dish: &mut Dish) -> Result<()> {
        if dish.title == "Poison" {
            return Err(Error::conflict("Nobody cooks that."));
        }
        if dish.title == "Broken" {
            Tag {
                tag_id: 0,
                name: "left over".to_owned(),
            }
            .insert(ctx)
            .await?;
            return Err(Error::internal("the stove is cold"));
        }
        dish.secret = Some(dish.title.to_lowercase());
        Ok(())
    }
}

/// A word for dishes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Tag {
    #[serde(rename = "id")]
    pub tag_id: i64,
    pub name: String,
}

impl Model for Tag {
    type Key = i64;

    const TABLE: &'static str = "tags";
    const KEY: &'static str = "tag_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("tag_id", &mut self.tag_id)?;
        to.column("name", &mut self.name)
    }
}

/// A customer's note about a dish.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Note {
    #[serde(rename = "id")]
    pub note_id: i64,
    pub dish_id: i64,
    pub customer_id: Option<i64>,
    pub text: String,
}

impl Model for Note {
    type Key = i64;

    const TABLE: &'static str = "notes";
    const KEY: &'static str = "note_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("note_id", &mut self.note_id)?;
        to.column("dish_id", &mut self.dish_id)?;
        to.column("customer_id", &mut self.customer_id)?;
        to.column("text", &mut self.text)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("dish", "dishes", "dish_id").include();
    }
}

/// Finds notes; a customer's are his own.
pub struct NoteRepository;

impl Repository for NoteRepository {
    type Model = Note;

    const OWNER: Option<&'static str> = Some("customer_id");
}

/// Validates notes.
pub struct NoteRequest;

impl ResourceRequest for NoteRequest {
    type Model = Note;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute(
            "dish_id",
            &[required(), integer(), exists("dishes", "dish_id")],
        ),
        attribute("customer_id", &[nullable(), integer()]),
        attribute("text", &[required(), string()]),
    ];
}

/// Shapes notes: all their attributes.
pub struct NoteTransformer;

impl Transformer for NoteTransformer {
    type Model = Note;

    fn transform<'a>(note: &'a Loaded<Note>, _ctx: &'a Context) -> impl Serialize + 'a {
        note.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Note>();
    }
}

/// Serves notes.
pub struct Notes;

impl RestController for Notes {
    type Model = Note;
    type Repository = NoteRepository;
    type Request = NoteRequest;
    type Transformer = NoteTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), store(), show(), update(), destroy()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["notes:*"];
}
