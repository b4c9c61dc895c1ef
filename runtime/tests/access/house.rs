//! The service under test: rooms and shows bound to places, letters that belong to customers.

use std::marker::PhantomData;

use formwork::{prelude::*, rules::*};
use serde::Serialize;

/// An extension without a line that a generator wrote.
pub struct House;

impl Extension for House {
    fn name(&self) -> &'static str {
        "house"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            resource("places", Plain::<PlaceParts>::controller()),
            resource("rooms", Plain::<RoomParts>::controller()),
            resource("shows", Plain::<ShowParts>::controller()),
            ApiResource {
                actions: actions![
                    "index:users",
                    "show:users",
                    "store:users",
                    "update:users",
                    "destroy:users"
                ],
                ..resource("letters", Plain::<LetterParts>::controller())
            },
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(20260301000000, "create_house", include_str!("house.sql"))
    }
}

fn resource(key: &'static str, controller: Box<dyn formwork::resource::Controller>) -> ApiResource {
    ApiResource {
        key,
        name: key,
        description: "",
        controller,
        actions: actions![
            "index",
            "show",
            "store:admin",
            "update:admin",
            "destroy:admin"
        ],
    }
}

/// The parts in which the resources of the house differ.
pub trait Parts: Send + Sync + 'static {
    type Model: Model;
    type Repository: Repository<Model = Self::Model>;
    type Request: ResourceRequest<Model = Self::Model>;
}

/// A controller that shows records as they are.
pub struct Plain<P>(PhantomData<fn() -> P>);

impl<P: Parts> Plain<P> {
    pub fn new() -> Self {
        Self(PhantomData)
    }

    pub fn controller() -> Box<dyn formwork::resource::Controller> {
        Box::new(Self::new())
    }
}

impl<P: Parts> RestController for Plain<P> {
    type Model = P::Model;
    type Repository = P::Repository;
    type Request = P::Request;
    type Transformer = Self;

    const ACTIONS: &'static [ActionConfig] = &[index(), store(), show(), update(), destroy()];
}

impl<P: Parts> Transformer for Plain<P> {
    type Model = P::Model;

    fn transform<'a>(record: &'a Loaded<P::Model>, _ctx: &'a Context) -> impl Serialize + 'a {
        record.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<P::Model>();
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Place {
    pub id: i64,
    pub name: String,
}

impl Model for Place {
    type Key = i64;

    const TABLE: &'static str = "places";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("rooms", "rooms", "place_id").include();
        to.morph_to_many(
            "shows",
            "shows",
            pivot("placeables", "place_id", "placeable_id"),
            morph("placeable", "shows"),
        )
        .include();
    }
}

pub struct PlaceParts;

impl Parts for PlaceParts {
    type Model = Place;
    type Repository = Self;
    type Request = Self;
}

impl Repository for PlaceParts {
    type Model = Place;
}

impl ResourceRequest for PlaceParts {
    type Model = Place;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("name", &[required(), string()])];
}

/// A room is in a place: keepers of other places do not see it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Room {
    pub id: i64,
    pub name: String,
    pub place_id: Option<i64>,
}

impl Model for Room {
    type Key = i64;

    const TABLE: &'static str = "rooms";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)?;
        to.column("place_id", &mut self.place_id)
    }

    fn relations(to: &mut Relations<Self>) {
        // A condition says what is shown of the place; it does not unbind the room.
        to.belongs_to_one("place", "places", "place_id")
            .condition("name", "nowhere")
            .include();
    }
}

pub struct RoomParts;

impl Parts for RoomParts {
    type Model = Room;
    type Repository = Self;
    type Request = Self;
}

impl Repository for RoomParts {
    type Model = Room;

    const SEARCH: &'static [&'static str] = &["name"];
    const SORT: &'static [&'static str] = &["name", "place_id"];
    const FILTER: &'static [&'static str] = &["name", "place_id"];
    const LOCATION: Option<LocationScope> = Some(location("place"));
}

impl ResourceRequest for RoomParts {
    type Model = Room;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string()]),
        attribute("place_id", &[nullable(), integer()]),
    ];
}

/// A show is given at several places, or everywhere: then it has none.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Show {
    pub id: i64,
    pub name: String,
    pub room_id: Option<i64>,
}

impl Model for Show {
    type Key = i64;

    const TABLE: &'static str = "shows";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)?;
        to.column("room_id", &mut self.room_id)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("room", "rooms", "room_id").include();
        to.morph_to_many(
            "places",
            "places",
            pivot("placeables", "placeable_id", "place_id"),
            morph("placeable", "shows"),
        )
        .include()
        .sync();
    }
}

pub struct ShowParts;

impl Parts for ShowParts {
    type Model = Show;
    type Repository = Self;
    type Request = Self;
}

impl Repository for ShowParts {
    type Model = Show;

    const SEARCH: &'static [&'static str] = &["name"];
    const LOCATION: Option<LocationScope> = Some(location("places").or_none());
}

impl ResourceRequest for ShowParts {
    type Model = Show;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string()]),
        attribute("room_id", &[nullable(), integer()]),
        attribute("places", &[nullable(), array()]),
        attribute("places.*", &[integer()]),
    ];
}

/// A letter of a customer, which no other customer reads. The pin is write-only.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Letter {
    pub id: i64,
    pub customer_id: Option<i64>,
    pub title: String,
    #[serde(skip)]
    pub pin: Option<String>,
    pub reply_to_id: Option<i64>,
    pub about_type: Option<String>,
    pub about_id: Option<i64>,
}

impl Model for Letter {
    type Key = i64;

    const TABLE: &'static str = "letters";
    const KEY: &'static str = "id";
    const HIDDEN: &'static [&'static str] = &["pin"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("customer_id", &mut self.customer_id)?;
        to.column("title", &mut self.title)?;
        to.column("pin", &mut self.pin)?;
        to.column("reply_to_id", &mut self.reply_to_id)?;
        to.column("about_type", &mut self.about_type)?;
        to.column("about_id", &mut self.about_id)
    }

    #[expect(deprecated, reason = "a closure may read several columns")]
    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("reply_to", "letters", "reply_to_id")
            .include();
        to.has_many("replies", "letters", "reply_to_id").include();
        to.belongs_to_many("copies", "letters", pivot("copies", "letter_id", "copy_id"))
            .include()
            .sync();
        to.morph_to_one(
            "about",
            &[("letters", "letters"), ("rooms", "rooms")],
            "about_type",
            "about_id",
        )
        .include();
        // Two columns have a say.
        to.belongs_to("draft", "letters", |letter| {
            let draft = letter.about_type.as_deref() == Some("draft");
            letter.about_id.filter(|_| draft)
        })
        .include();
    }
}

pub struct LetterParts;

impl Parts for LetterParts {
    type Model = Letter;
    type Repository = Self;
    type Request = Self;
}

impl Repository for LetterParts {
    type Model = Letter;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "customer_id"];
    const FILTER: &'static [&'static str] = &["title", "customer_id", "reply_to_id"];
    const OWNER: Option<&'static str> = Some("customer_id");
}

impl ResourceRequest for LetterParts {
    type Model = Letter;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("customer_id", &[nullable(), integer()]),
        attribute("title", &[required(), string()]),
        attribute("pin", &[nullable(), string()]),
        attribute(
            "reply_to_id",
            &[nullable(), integer(), exists("letters", "id")],
        ),
        attribute("about_type", &[nullable(), string()]),
        attribute("about_id", &[nullable(), integer()]),
        attribute("copies", &[nullable(), array()]),
        attribute("copies.*", &[integer()]),
    ];
}
