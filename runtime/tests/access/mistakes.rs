//! Services whose repositories would let clients guess hidden values, or have invalid bindings, do
//! not start.

use formwork::{extension, prelude::*};
use serde::Serialize;

use super::house::{Letter, Parts, Plain, Room};

/// Names what it must not, in every place.
struct Careless;

impl Repository for Careless {
    type Model = Letter;

    const SEARCH: &'static [&'static str] = &["title", "pin"];
    const SORT: &'static [&'static str] = &["pin", "title"];
    const FILTER: &'static [&'static str] = &["pin", "colour"];
    const OWNER: Option<&'static str> = Some("owner_id");
    const LOCATION: Option<LocationScope> = Some(location("replies"));

    fn filters(to: &mut Filters<Letter>) {
        to.column("secret", "pin");
    }
}

impl ResourceRequest for Careless {
    type Model = Letter;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Parts for Careless {
    type Model = Letter;
    type Repository = Self;
    type Request = Self;
}

/// A record whose key is shown under another name, and whose number is always.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Fine {
    #[serde(rename = "id")]
    fine_id: i64,
    #[serde(rename = "type")]
    kind: Option<String>,
}

impl Model for Fine {
    type Key = i64;

    const TABLE: &'static str = "fines";
    const KEY: &'static str = "fine_id";
    const HIDDEN: &'static [&'static str] = &["colour"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("fine_id", &mut self.fine_id)?;
        to.column("kind", &mut self.kind)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("room", "rooms", "fine_id")
            .json_type("thing");
        to.belongs_to_one("place", "places", "fine_id")
            .json_type("thing");
        to.belongs_to_one("hall", "rooms", "fine_id")
            .json_type("fines");
        to.belongs_to_one("clerk", "rooms", "clerk_id");
        to.morph_to_one("about", &[("rooms", "rooms")], "kind", "about_id");
    }
}

impl Repository for Fine {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["kind"];
    const SORT: &'static [&'static str] = &["fine_id", "kind"];
}

impl ResourceRequest for Fine {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Parts for Fine {
    type Model = Self;
    type Repository = Self;
    type Request = Self;
}

struct Extra;

impl Extension for Extra {
    fn name(&self) -> &'static str {
        "extra"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let resource = |key, controller| ApiResource {
            key,
            name: key,
            description: "",
            controller,
            actions: actions!["index"],
        };
        vec![
            resource("letters", Plain::<Careless>::controller()),
            resource("fines", Plain::<Fine>::controller()),
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Room>("rooms"),
            SupportingModel::of::<super::house::Place>("places"),
            SupportingModel::of::<super::house::Show>("shows"),
        ]
    }
}

#[test]
fn every_mistake_of_a_repository_is_reported() {
    let mistakes = extension::registry(&[Box::new(Extra)])
        .err()
        .expect("mistakes");
    for (place, column, why) in [
        ("SEARCH", "pin", "guess"),
        ("SORT", "pin", "guess"),
        ("FILTER", "colour", "not a column"),
        ("FILTER", "pin", "guess"),
        ("filters", "pin", "guess"),
        ("OWNER", "owner_id", "not a column"),
        ("LOCATION", "replies", "cannot bind"),
    ] {
        let told = mistakes.iter().any(|told| {
            told.starts_with(&format!("`letters`: {place} names `{column}`")) && told.contains(why)
        });
        assert!(told, "{place} {column} in {mistakes:#?}");
    }
    for (relation, table, kind) in [("place", "places", "thing"), ("hall", "rooms", "fines")] {
        let said = format!("`{relation}` of `fines` gives rows of `{table}` the type `{kind}`");
        let told = mistakes.iter().any(|told| told.contains(&said));
        assert!(told, "{said} in {mistakes:#?}");
    }
    for (place, column) in [
        ("HIDDEN", "colour"),
        ("the relation `clerk`", "clerk_id"),
        ("the relation `about`", "about_id"),
    ] {
        let said = format!("`fines`: {place} names `{column}`, which is not a column");
        assert!(mistakes.contains(&said), "{said} in {mistakes:#?}");
    }
    assert_eq!(mistakes.len(), 12, "and nothing else: {mistakes:#?}");
}

/// A record that knows of another whose relation borrows a type.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Guide {
    id: i64,
}

impl Model for Guide {
    type Key = i64;

    const TABLE: &'static str = "guides";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)
    }

    fn relations(to: &mut Relations<Self>) {
        // Shows have a relation `room`; two includes further it is what guides call places.
        to.belongs_to_one("show", "shows", "id").include();
        to.belongs_to_one("home", "places", "id")
            .json_type("rooms")
            .include();
    }
}

impl Repository for Guide {
    type Model = Self;
}

impl ResourceRequest for Guide {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Parts for Guide {
    type Model = Self;
    type Repository = Self;
    type Request = Self;
}

struct Guides;

impl Extension for Guides {
    fn name(&self) -> &'static str {
        "guides"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "guides",
            name: "Guides",
            description: "",
            controller: Plain::<Guide>::controller(),
            actions: actions!["index"],
        }]
    }
}

/// Objects are known by type and id: rows of two tables must not meet under one type, however many
/// includes lie between them.
#[test]
fn a_type_means_rows_of_one_table_in_a_whole_document() {
    let extensions: Vec<Box<dyn Extension>> = vec![Box::new(super::house::House), Box::new(Guides)];
    let mistakes = extension::registry(&extensions).err().expect("mistakes");
    let told = "the relation `room` of `shows` gives rows of `rooms` the type `rooms` in documents, \
                which rows of `places` have already";
    assert!(
        mistakes.iter().any(|mistake| mistake == told),
        "{mistakes:#?}"
    );
    // From the place on there are rooms under their own name as well.
    let told = "the relation `rooms` of `places`";
    assert!(
        mistakes.iter().any(|it| it.starts_with(told)),
        "{mistakes:#?}"
    );
    assert_eq!(mistakes.len(), 2, "{mistakes:#?}");
    assert!(extension::registry(&[Box::new(super::house::House)]).is_ok());
}
