//! Rows that several records of an answer lead to.

use std::sync::atomic::{AtomicUsize, Ordering};

use formwork::{prelude::*, testing::Service};
use serde::Serialize;

use super::{
    kitchen::{Dish, DishRepository, DishRequest},
    relations::OtherDishes,
};

/// A dish that tells which of all it was shaped as.
#[derive(Serialize)]
struct NumberedData<'a> {
    id: i64,
    title: &'a str,
    number: usize,
}

struct NumberedTransformer;

impl Transformer for NumberedTransformer {
    type Model = Dish;

    fn transform<'a>(dish: &'a Loaded<Dish>, _ctx: &'a Context) -> impl Serialize + 'a {
        static SHAPED: AtomicUsize = AtomicUsize::new(0);
        NumberedData {
            id: dish.dish_id,
            title: &dish.title,
            number: SHAPED.fetch_add(1, Ordering::SeqCst),
        }
    }

    fn shape(to: &mut Shape) {
        to.field::<i64>("id");
        to.field::<String>("title");
        to.field::<i64>("number");
    }
}

struct NumberedDishes;

impl RestController for NumberedDishes {
    type Model = Dish;
    type Repository = DishRepository;
    type Request = DishRequest;
    type Transformer = NumberedTransformer;
}

#[test]
fn a_row_that_several_records_lead_to_is_shaped_once() {
    let numbered = OtherDishes(|dishes| dishes.controller = Box::new(NumberedDishes));
    let service = Service::start(vec![Box::new(numbered)]);
    let ctx = service.context();
    for sql in [
        "INSERT INTO dishes (title, price, portions, active) VALUES ('Soup', 1, 1, TRUE), \
         ('Stew', 1, 1, TRUE)",
        "INSERT INTO notes (dish_id, text) VALUES (1, 'a'), (2, 'b'), (1, 'c')",
    ] {
        service.block_on(ctx.db().execute(sql, [])).expect(sql);
    }
    let answer = service.admin().get("/api/notes?include=dish.notes");
    assert_eq!(answer.status, 200, "{answer}");
    let dish = |at: usize| &answer.json["data"][at]["dish"];
    assert_eq!(dish(0)["title"], "Soup");
    assert_eq!(dish(1)["title"], "Stew");
    assert_eq!(dish(0), dish(2));
    assert_eq!(dish(2)["notes"].as_array().map(Vec::len), Some(2));
    assert_eq!(dish(1)["notes"][0]["text"], "b");
    // Of another answer, it is shaped anew.
    let again = service.admin().get("/api/notes?include=dish.notes");
    assert_ne!(&again.json["data"][0]["dish"]["number"], &dish(0)["number"]);
}
