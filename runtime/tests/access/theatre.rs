//! The service under test: halls with seats and plays; patrons, who are customers' own rows.

use formwork::{
    prelude::*,
    resource::Controller,
    resource::action::{Action, ActionEntry, Allow},
    rules::*,
};
use serde::Serialize;

use super::house::{Parts, Plain};

/// An extension without a line that a generator wrote.
pub struct Theatre;

impl Extension for Theatre {
    fn name(&self) -> &'static str {
        "theatre"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let resource = |key, controller: Box<dyn Controller>, actions| ApiResource {
            key,
            name: key,
            description: "",
            controller,
            actions,
        };
        vec![
            resource("halls", Box::new(Halls), everything(Allow::All)),
            resource("plays", Box::new(Plays), actions!["index:admin", "show"]),
            resource(
                "scripts",
                Plain::<Script>::controller(),
                actions!["index:admin", "show:admin"],
            ),
            resource(
                "patrons",
                Plain::<Patron>::controller(),
                everything(Allow::Users),
            ),
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Seat>("seats")]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260401000000,
            "create_theatre",
            include_str!("theatre.sql"),
        )
    }
}

fn everything(allow: Allow) -> &'static [ActionEntry] {
    let entries = Action::ALL.map(|action| ActionEntry { action, allow });
    Vec::leak(entries.to_vec())
}

/// Where plays are given. Its seats can be included by the words of a manifest.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Hall {
    pub id: i64,
    pub name: String,
}

impl Model for Hall {
    type Key = i64;

    const TABLE: &'static str = "halls";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("seats", "seats", "hall_id").include();
        to.has_many("seats_users", "seats", "hall_id")
            .include_for(Allow::Users);
        to.has_many("seats_customer", "seats", "hall_id")
            .include_for(Allow::Customer);
        to.has_many("seats_admin", "seats", "hall_id")
            .include_for(Allow::Admin);
        to.has_many("seats_nobody", "seats", "hall_id");
        to.has_many("plays", "plays", "hall_id").include();
        to.has_many("scripts", "scripts", "hall_id").include();
    }
}

impl Repository for Hall {
    type Model = Self;
}

impl ResourceRequest for Hall {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("name", &[required(), string()])];
}

impl Parts for Hall {
    type Model = Self;
    type Repository = Self;
    type Request = Self;
}

/// Serves halls; a token needs one of two abilities.
pub struct Halls;

impl RestController for Halls {
    type Model = Hall;
    type Repository = Hall;
    type Request = Hall;
    type Transformer = Plain<Hall>;

    const ACTIONS: &'static [ActionConfig] = &[
        index(),
        create(),
        store(),
        show(),
        edit(),
        update(),
        destroy(),
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["halls:*", "stages:*"];
}

/// Where one sits.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Seat {
    pub id: i64,
    pub hall_id: i64,
}

impl Model for Seat {
    type Key = i64;

    const TABLE: &'static str = "seats";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("hall_id", &mut self.hall_id)
    }
}

/// A play: everyone reads one, and administrators list them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Play {
    pub id: i64,
    pub hall_id: i64,
}

impl Model for Play {
    type Key = i64;

    const TABLE: &'static str = "plays";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("hall_id", &mut self.hall_id)
    }
}

impl Repository for Play {
    type Model = Self;
}

impl ResourceRequest for Play {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Parts for Play {
    type Model = Self;
    type Repository = Self;
    type Request = Self;
}

/// Serves plays.
pub struct Plays;

impl RestController for Plays {
    type Model = Play;
    type Repository = Play;
    type Request = Play;
    type Transformer = Plain<Play>;

    const ACTIONS: &'static [ActionConfig] = &[index(), show()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["plays:*"];
}

/// A script: administrators alone read it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Script {
    pub id: i64,
    pub hall_id: i64,
}

impl Model for Script {
    type Key = i64;

    const TABLE: &'static str = "scripts";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("hall_id", &mut self.hall_id)
    }
}

impl Repository for Script {
    type Model = Self;
}

impl ResourceRequest for Script {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Parts for Script {
    type Model = Self;
    type Repository = Self;
    type Request = Self;
}

/// A customer himself: the key is the owner.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Patron {
    pub id: i64,
    pub name: String,
    pub rank: i64,
}

impl Model for Patron {
    type Key = i64;

    const TABLE: &'static str = "patrons";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)?;
        to.column("rank", &mut self.rank)
    }

    fn defaults() -> Self {
        Self {
            rank: 3,
            ..Self::default()
        }
    }
}

impl Repository for Patron {
    type Model = Self;

    const OWNER: Option<&'static str> = Some("id");
}

impl ResourceRequest for Patron {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("name", &[required(), string()]),
        attribute("rank", &[required(), integer(), min(1)]).admin(),
    ];
}

impl Parts for Patron {
    type Model = Self;
    type Repository = Self;
    type Request = Self;
}
