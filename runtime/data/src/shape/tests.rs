//! Declared shapes, and records that contradict them.

use crate::model::Model;
use std::{borrow::Cow, collections::BTreeMap};

use serde::Serialize;
use serde_json::json;

use super::*;
use crate::{
    column::Columns,
    decimal::Decimal,
    error::Result,
    value::{DateTime, Json as JsonColumn},
};

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Dish {
    #[serde(rename = "id")]
    dish_id: i64,
    title: String,
    price: Option<Decimal<2>>,
    extra: JsonColumn,
    #[serde(skip)]
    recipe: Option<String>,
    created_at: Option<DateTime>,
}

impl Model for Dish {
    type Key = i64;

    const TABLE: &'static str = "dishes_with_recipes";
    const KEY: &'static str = "dish_id";
    const HIDDEN: &'static [&'static str] = &["recipe"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("dish_id", &mut self.dish_id)?;
        to.column("title", &mut self.title)?;
        to.native("price", &mut self.price)?;
        to.column("extra", &mut self.extra)?;
        to.column("recipe", &mut self.recipe)?;
        to.created_at(&mut self.created_at)
    }
}

struct Basket;

impl Shaped for Basket {
    fn shape(to: &mut Shape) {
        to.field::<Vec<Dish>>("dishes");
        to.field::<BTreeMap<String, Vec<bool>>>("groups");
        to.field::<Option<Vec<&str>>>("words");
    }
}

fn names(shape: &Shape) -> Vec<&'static str> {
    let members = shape.members().into_iter().flatten();
    members.map(|(name, _)| *name).collect()
}

#[test]
fn a_model_shows_its_columns_but_the_hidden_ones_and_its_key_as_id() {
    let shape = Shape::of::<Dish>();
    let expected = ["id", "title", "price", "extra", "created_at"];
    assert_eq!(names(&shape), expected);
    let price = Shape {
        kind: ShapeKind::Scalar(Kind::Decimal(2)),
        nullable: true,
    };
    let members = shape.members().cloned().unwrap_or_default();
    assert_eq!(members[2].1, price);
    assert_eq!(members[2].1, Shape::of::<Option<Decimal<2>>>());
    assert_eq!(members[3].1, Shape::of::<JsonColumn>());
}

#[test]
fn the_first_of_two_members_with_one_name_counts() {
    let shape = Shape::declared(|to| {
        to.field::<Vec<String>>("links");
        to.field::<Cow<'_, str>>("price");
        to.flatten::<Dish>();
        to.field::<bool>("title");
    });
    let expected = ["links", "price", "id", "title", "extra", "created_at"];
    assert_eq!(names(&shape), expected);
    let members = shape.members().cloned().unwrap_or_default();
    assert_eq!(members[1].1, Shape::of::<String>());
    assert_eq!(members[3].1, Shape::of::<String>());
}

#[test]
fn an_undeclared_shape_is_anything() {
    let anything = Shape::of::<JsonColumn>();
    assert_eq!(Shape::declared(|_| {}), anything);
    let flattened = Shape::declared(|to| {
        to.flatten::<JsonColumn>();
        to.field::<i64>("id");
    });
    assert_eq!(flattened, anything);
    assert_eq!(anything.members(), None);
}

#[test]
fn answers_are_checked_against_the_declared_shape() {
    let dish = json!({"id": 1, "title": "Soup", "price": "4.50", "extra": [1], "created_at": null});
    assert_eq!(Shape::of::<Dish>().mistake(&dish), None);
    // A fieldset leaves members out.
    assert_eq!(Shape::of::<Dish>().mistake(&json!({"id": 1})), None);
    let basket = Shape::of::<Basket>();
    for (shown, mistake) in [
        (json!({"dishes": [dish], "groups": {"a": [true]}}), None),
        (json!({"words": null}), None),
        (json!({"dishes": [{"id": "1"}]}), Some("`dishes.*.id` is")),
        (json!({"dishes": null}), Some("`dishes` is shown as null")),
        (json!({"groups": {"a": [1]}}), Some("`groups.*.*` is")),
        (json!({"dishes": [{"recipe": "x"}]}), Some("not declared")),
        (
            json!({"word": "x"}),
            Some("`word` is shown and not declared"),
        ),
    ] {
        let found = basket.mistake(&shown);
        let expected =
            mistake.is_none_or(|text| found.as_ref().is_some_and(|it| it.contains(text)));
        assert!(
            expected && found.is_some() == mistake.is_some(),
            "{found:?}"
        );
    }
}
