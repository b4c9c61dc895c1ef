//! The columns of a relation.

use crate::model::Model;
use serde::Serialize;

use super::*;
use crate::{column::Columns, error::Result, model::described};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Review {
    id: i64,
    author_id: Option<i64>,
    of_type: Option<String>,
    of_id: Option<i64>,
}

impl Model for Review {
    type Key = i64;

    const TABLE: &'static str = "reviews_with_relations";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("author_id", &mut self.author_id)?;
        to.column("of_type", &mut self.of_type)?;
        to.column("of_id", &mut self.of_id)
    }

    fn relations(to: &mut Relations<Self>) {
        let kinds = [("dish", "menus"), ("guest", "people")];
        to.belongs_to_one("by", "people", "author_id");
        to.morph_to_one("about", &kinds, "of_type", "of_id");
        to.belongs_to_where("house", "locations", "is_default", true);
        to.has_many("notes", "notes", "review_id");
    }
}

fn relation(at: usize) -> &'static Relation {
    &described::<Review>().relations[at]
}

fn review() -> Review {
    Review {
        author_id: Some(7),
        of_type: Some("guest".to_owned()),
        of_id: Some(8),
        ..Review::default()
    }
}

#[test]
fn a_to_one_relation_has_the_columns_that_name_its_row() {
    let about = OwnColumns::Morph {
        kind: "of_type",
        id: "of_id",
    };
    let (by, unknown) = (OwnColumns::One("author_id"), OwnColumns::Unknown);
    for (at, own) in [by, about, unknown, unknown].into_iter().enumerate() {
        assert_eq!(relation(at).info.own, own, "{at}");
    }
}

#[test]
fn columns_name_the_row_of_a_relation() {
    let by = Some((0, Value::Int(7)));
    let about = Some((1, Value::Int(8)));
    let house = Some((0, Value::from(true)));
    for (at, named) in [by, about, house, None].into_iter().enumerate() {
        assert_eq!(relation(at).named_by(&mut review()), named, "{at}");
    }
    let mut about_wine = Review {
        of_type: Some("wine".to_owned()),
        ..review()
    };
    assert_eq!(relation(1).named_by(&mut about_wine), None);
}
