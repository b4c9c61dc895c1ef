//! The service under test: rooms and shows bound to places, letters that belong to customers.

use std::marker::PhantomData;

use formwork::{prelude::*, resource::action::ActionEntry, rules::*};

use super::parts::{self, Plain};

/// An extension without a line that a generator wrote.
pub struct House;

impl Extension for House {
    fn name(&self) -> &'static str {
        "house"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let changed_by_admin = actions![
            "index",
            "show",
            "store:admin",
            "update:admin",
            "destroy:admin"
        ];
        let of_users = actions![
            "index:users",
            "show:users",
            "store:users",
            "update:users",
            "destroy:users"
        ];
        vec![
            resource::<Place>("places", changed_by_admin),
            resource::<Room>("rooms", changed_by_admin),
            resource::<Show>("shows", changed_by_admin),
            resource::<Letter>("letters", of_users),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(20260301000000, "create_house", include_str!("house.sql"))
    }
}

/// The model, the repository and the request of a resource in one type.
pub trait Entity:
    Model + Repository<Model = Self> + ResourceRequest<Model = Self> + Send + Sync + 'static
{
    const ABILITIES: &'static [&'static str] = &[];
}

/// A controller that serves records as they are.
pub struct PlainController<M>(pub PhantomData<fn() -> M>);

impl<M: Entity> RestController for PlainController<M> {
    type Model = M;
    type Repository = M;
    type Request = M;
    type Transformer = Plain<M>;

    const REQUIRED_ABILITIES: &'static [&'static str] = M::ABILITIES;
}

/// Returns a resource that is served as it is.
pub fn resource<M: Entity>(key: &'static str, actions: &'static [ActionEntry]) -> ApiResource {
    parts::resource(key, PlainController::<M>(PhantomData), actions)
}

model! {
    Place "places" {
        key id: i64,
        column name: String,
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

impl Entity for Place {
    const ABILITIES: &'static [&'static str] = &["doors:*"];
}

impl Repository for Place {
    type Model = Self;
}

impl ResourceRequest for Place {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("name", &[required(), string()])];
}

model! {
    /// A room is in a place: keepers of other places do not see it.
    Room "rooms" {
        key id: i64,
        column name: String,
        column place_id: Option<i64>,
    }

    fn relations(to: &mut Relations<Self>) {
        // A condition says what is shown of the place; it does not unbind the room.
        to.belongs_to_one("place", "places", "place_id")
            .condition("name", "nowhere")
            .include();
    }
}

impl Entity for Room {}

impl Repository for Room {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["name"];
    const SORT: &'static [&'static str] = &["name", "place_id"];
    const FILTER: &'static [&'static str] = &["name", "place_id"];
    const LOCATION: Option<LocationScope> = Some(location("place"));
}

impl ResourceRequest for Room {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string()]),
        attribute("place_id", &[nullable(), integer()]),
    ];
}

model! {
    /// A show is given at several places, or everywhere: then it has none.
    Show "shows" {
        key id: i64,
        column name: String,
        column room_id: Option<i64>,
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

impl Entity for Show {}

impl Repository for Show {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["name"];
    const LOCATION: Option<LocationScope> = Some(location("places").or_none());
}

impl ResourceRequest for Show {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string()]),
        attribute("room_id", &[nullable(), integer()]),
        attribute("places", &[nullable(), array()]),
        attribute("places.*", &[integer()]),
    ];
}

model! {
    /// A letter of a customer, which no other customer reads. The pin is write-only.
    Letter "letters" {
        key id: i64,
        column customer_id: Option<i64>,
        column title: String,
        #[serde(skip)] column pin: Option<String>,
        column reply_to_id: Option<i64>,
        column about_type: Option<String>,
        column about_id: Option<i64>,
    }

    const HIDDEN: &'static [&'static str] = &["pin"];

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
    }
}

impl Entity for Letter {}

impl Repository for Letter {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "customer_id"];
    const FILTER: &'static [&'static str] = &["title", "customer_id", "reply_to_id"];
    const OWNER: Option<&'static str> = Some("customer_id");
}

impl ResourceRequest for Letter {
    type Model = Self;

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
