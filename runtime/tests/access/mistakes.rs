//! Services whose repositories would let clients guess hidden values, or have invalid bindings, do
//! not start.

use formwork::{extension, prelude::*};

use super::house::{Entity, House, Place, Room, Show, resource};

model! {
    /// A record whose key and kind are shown under other names; its repository has every mistake.
    Fine "fines" {
        #[serde(rename = "id")] key fine_id: i64,
        #[serde(rename = "type")] column kind: Option<String>,
        #[serde(skip)] column pin: Option<String>,
    }

    const HIDDEN: &'static [&'static str] = &["pin", "colour"];

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("room", "rooms", "fine_id").json_type("thing");
        to.belongs_to_one("place", "places", "fine_id").json_type("thing");
        to.belongs_to_one("hall", "rooms", "fine_id").json_type("fines");
        to.belongs_to_one("clerk", "rooms", "clerk_id");
        to.morph_to_one("about", &[("rooms", "rooms")], "kind", "about_id");
        to.has_many("rooms", "rooms", "place_id");
    }
}

impl Entity for Fine {}

impl Repository for Fine {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["kind", "pin"];
    const SORT: &'static [&'static str] = &["pin", "fine_id", "kind"];
    const FILTER: &'static [&'static str] = &["pin", "shade"];
    const OWNER: Option<&'static str> = Some("owner_id");
    const LOCATION: Option<LocationScope> = Some(location("rooms"));

    fn filters(to: &mut Filters<Fine>) {
        to.column("secret", "pin");
    }
}

impl ResourceRequest for Fine {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

model! {
    /// A record that knows of another whose relation borrows a type.
    Guide "guides" { key id: i64 }

    fn relations(to: &mut Relations<Self>) {
        // Shows have a relation `room`; two includes further its type is what guides call places.
        to.belongs_to_one("show", "shows", "id").include();
        to.belongs_to_one("home", "places", "id").json_type("rooms").include();
    }
}

impl Entity for Guide {}

read_only!(Guide);

/// A resource that is listed.
struct Extra(fn() -> ApiResource);

impl Extension for Extra {
    fn name(&self) -> &'static str {
        "extra"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![(self.0)()]
    }
}

/// The models of the house.
struct Models;

impl Extension for Models {
    fn name(&self) -> &'static str {
        "models"
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Room>("rooms"),
            SupportingModel::of::<Place>("places"),
            SupportingModel::of::<Show>("shows"),
        ]
    }
}

fn mistakes(extra: fn() -> ApiResource, others: Box<dyn Extension>) -> Vec<String> {
    let registry = extension::registry(&[others, Box::new(Extra(extra))]);
    registry.err().expect("mistakes")
}

#[test]
fn every_mistake_of_a_repository_is_reported() {
    let fines = || resource::<Fine>("fines", actions!["index"]);
    let mistakes = mistakes(fines, Box::new(Models));
    let expected = [
        ("`fines`: SEARCH names `pin`", "guess"),
        ("`fines`: SORT names `pin`", "guess"),
        ("`fines`: FILTER names `shade`", "not a column"),
        ("`fines`: FILTER names `pin`", "guess"),
        ("`fines`: filters names `pin`", "guess"),
        ("`fines`: OWNER names `owner_id`", "not a column"),
        ("`fines`: LOCATION names `rooms`", "cannot bind"),
        ("`fines`: HIDDEN names `colour`", "which is not a column"),
        (
            "`fines`: the relation `clerk` names `clerk_id`",
            "which is not a column",
        ),
        (
            "`fines`: the relation `about` names `about_id`",
            "which is not a column",
        ),
        (
            "`place` of `fines` gives rows of `places` the type `thing`",
            "",
        ),
        (
            "`hall` of `fines` gives rows of `rooms` the type `fines`",
            "",
        ),
    ];
    for (part, reason) in expected {
        let is_reported = |it: &String| it.contains(part) && it.contains(reason);
        assert!(mistakes.iter().any(is_reported), "{part} in {mistakes:#?}");
    }
    assert_eq!(
        mistakes.len(),
        expected.len(),
        "nothing else: {mistakes:#?}"
    );
}

/// Objects are known by type and id: rows of two tables must not meet under one type, however many
/// includes lie between them.
#[test]
fn a_type_means_rows_of_one_table_in_a_whole_document() {
    let guides = || resource::<Guide>("guides", actions!["index"]);
    let mistakes = mistakes(guides, Box::new(House));
    for start in [
        "the relation `room` of `shows` gives rows of `rooms` the type `rooms` in documents, \
         which rows of `places` have already",
        // From the place on there are rooms under their own name as well.
        "the relation `rooms` of `places`",
    ] {
        let is_reported = mistakes.iter().any(|it| it.starts_with(start));
        assert!(is_reported, "{start} in {mistakes:#?}");
    }
    assert_eq!(mistakes.len(), 2, "{mistakes:#?}");
    assert!(extension::registry(&[Box::new(House)]).is_ok());
}
