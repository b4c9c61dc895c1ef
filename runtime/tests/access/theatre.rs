//! The service under test: halls with seats and plays; patrons, who are customers' own rows.

use formwork::{
    prelude::*,
    resource::action::{Action, ActionEntry, Allow},
    rules::*,
};

use super::house::{Entity, resource};

/// An extension without a line that a generator wrote.
pub struct Theatre;

impl Extension for Theatre {
    fn name(&self) -> &'static str {
        "theatre"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            resource::<Hall>("halls", everything(Allow::All)),
            resource::<Play>("plays", actions!["index:admin", "show"]),
            resource::<Script>("scripts", actions!["index:admin", "show:admin"]),
            resource::<Patron>("patrons", everything(Allow::Users)),
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Seat>("seats")]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = include_str!("theatre.sql");
        crate::databases::migration(20260401000000, "create_theatre", sql)
    }
}

/// Returns all seven actions for these callers.
pub fn everything(allow: Allow) -> &'static [ActionEntry] {
    let entries = Action::ALL.map(|action| ActionEntry { action, allow });
    Vec::leak(entries.to_vec())
}

model! {
    /// A hall, whose seats can be included by callers of each context.
    Hall "halls" { key id: i64, column name: String }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("seats", "seats", "hall_id").include();
        for (name, allow) in [
            ("seats_users", Allow::Users),
            ("seats_customer", Allow::Customer),
            ("seats_admin", Allow::Admin),
        ] {
            to.has_many(name, "seats", "hall_id").include_for(allow);
        }
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

impl Entity for Hall {
    const ABILITIES: &'static [&'static str] = &["halls:*", "stages:*"];
}

model! {
    /// A seat in a hall.
    Seat "seats" { key id: i64, column hall_id: i64 }
}

model! {
    /// A play: everyone reads one, and administrators list them.
    Play "plays" { key id: i64, column hall_id: i64 }
}

impl Entity for Play {
    const ABILITIES: &'static [&'static str] = &["plays:*"];
}

model! {
    /// A script: administrators alone read it.
    Script "scripts" { key id: i64, column hall_id: i64 }
}

impl Entity for Script {}

read_only!(Play, Script);

model! {
    /// A customer himself: the key is the owner.
    Patron "patrons" { key id: i64, column name: String, column rank: i64 }

    fn defaults() -> Self {
        Self {
            rank: 3,
            ..Self::default()
        }
    }
}

impl Entity for Patron {}

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
