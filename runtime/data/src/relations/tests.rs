//! The columns of a relation.

use crate::model::Model;
use serde::Serialize;

use super::*;
use crate::{column::Columns, error::Result, model::described};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Review {
    id: i64,
    author_id: Option<i64>,
    code: String,
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
        to.column("code", &mut self.code)?;
        to.column("of_type", &mut self.of_type)?;
        to.column("of_id", &mut self.of_id)
    }

    #[expect(deprecated, reason = "projects that were poured before")]
    fn relations(to: &mut Relations<Self>) {
        let kinds = [("dish", "menus"), ("guest", "people")];
        to.belongs_to_one("by", "people", "author_id");
        to.morph_to_one("about", &kinds, "of_type", "of_id");
        to.belongs_to_where("house", "locations", "is_default", true);
        to.has_many("notes", "notes", "review_id");
        to.belongs_to("author", "people", |review| review.author_id);
        to.belongs_to("code", "codes", |review| review.code.clone());
        to.morph_to("of", &kinds, |review| {
            (review.of_type.clone(), review.of_id)
        });
        // Two columns name the target.
        to.belongs_to("author", "people", |review| {
            review.author_id.filter(|_| review.code.is_empty())
        });
    }
}

fn relation(at: usize) -> &'static Relation<Review> {
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
fn columns_are_those_that_are_named_and_those_that_a_closure_s_name_suggests() {
    let of = OwnColumns::Morph {
        kind: "of_type",
        id: "of_id",
    };
    let author = OwnColumns::One("author_id");
    let unknown = OwnColumns::Unknown;
    let expected = [author, of, unknown, unknown, author, unknown, of, author];
    for (at, own) in expected.into_iter().enumerate() {
        assert_eq!(relation(at).info.own, own, "{at}");
    }
}

#[test]
fn columns_and_closures_name_the_same_rows() {
    let seven = || Some((0, Value::Int(7)));
    let guest = || Some((1, Value::Int(8)));
    let house = Some((0, Value::from(true)));
    let code = Some((0, Value::from(String::new())));
    let expected = [
        seven(),
        guest(),
        house,
        None,
        seven(),
        code,
        guest(),
        seven(),
    ];
    for (at, named) in expected.into_iter().enumerate() {
        assert_eq!(relation(at).named_by(&mut review()), named, "{at}");
    }
    let of_nobody = Review {
        of_type: Some("wine".to_owned()),
        ..review()
    };
    assert_eq!(relation(1).named_by(&mut of_nobody.clone()), None);
}

#[test]
fn a_closure_that_does_not_return_its_column_is_found_out() {
    let (plain, coded) = (
        review(),
        Review {
            code: "x".to_owned(),
            ..review()
        },
    );
    let read = |at: usize, record| relation(at).column_read([&plain, record]);
    assert_eq!(read(0, &coded), Some("author_id"));
    assert_eq!(read(4, &coded), Some("author_id"));
    assert_eq!(read(6, &coded), Some("of_id"));
    assert_eq!(read(7, &plain), Some("author_id"));
    assert_eq!(read(7, &coded), None);
    assert_eq!(read(5, &plain), None);
}
