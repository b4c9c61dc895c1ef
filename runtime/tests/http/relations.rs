//! Transformers that read relations: included, not loaded, and shared by several records.

use std::sync::atomic::{AtomicUsize, Ordering};

use formwork::{prelude::*, testing::Service};
use serde::Serialize;

use super::{
    kitchen::{Dish, Kitchen, Note},
    support::{check, execute},
};

/// The kitchen with another controller of dishes.
struct OtherDishes(fn() -> Box<dyn formwork::resource::Controller>);

impl Extension for OtherDishes {
    fn name(&self) -> &'static str {
        "other-dishes"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = Kitchen.register_api_resources();
        resources[0].controller = self.0();
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        Kitchen.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        Kitchen.migrations()
    }
}

/// A dish with the number of its notes, or with a number of its own.
#[derive(Serialize)]
struct NumberedData<'a> {
    id: i64,
    title: &'a str,
    number: usize,
}

impl<'a> NumberedData<'a> {
    fn new(dish: &'a Dish, number: usize) -> Self {
        let (id, title) = (dish.dish_id, dish.title.as_str());
        Self { id, title, number }
    }
}

fn shape(to: &mut Shape) {
    to.field::<i64>("id");
    to.field::<String>("title");
    to.field::<i64>("number");
}

struct CountedTransformer;

impl Transformer for CountedTransformer {
    type Model = Dish;

    fn transform<'a>(dish: &'a Loaded<Dish>, ctx: &'a Context) -> impl Serialize + 'a {
        fallible(|| {
            if ctx.request().query.contains("tags") {
                // Rows of another type than the relation has.
                dish.to_many::<Note>("tags")?;
            }
            let notes: Vec<&Note> = dish.to_many("notes")?;
            Ok(NumberedData::new(dish, notes.len()))
        })
    }

    fn shape(to: &mut Shape) {
        shape(to);
    }
}

struct CountedDishes;

impl RestController for CountedDishes {
    type Model = Dish;
    type Repository = Dish;
    type Request = Dish;
    type Transformer = CountedTransformer;
}

struct NumberedTransformer;

impl Transformer for NumberedTransformer {
    type Model = Dish;

    fn transform<'a>(dish: &'a Loaded<Dish>, _ctx: &'a Context) -> impl Serialize + 'a {
        static SHAPED: AtomicUsize = AtomicUsize::new(0);
        NumberedData::new(dish, SHAPED.fetch_add(1, Ordering::SeqCst))
    }

    fn shape(to: &mut Shape) {
        shape(to);
    }
}

struct NumberedDishes;

impl RestController for NumberedDishes {
    type Model = Dish;
    type Repository = Dish;
    type Request = Dish;
    type Transformer = NumberedTransformer;
}

fn service(dishes: fn() -> Box<dyn formwork::resource::Controller>, rows: &[&str]) -> Service {
    let service = Service::start(vec![Box::new(OtherDishes(dishes))]);
    let dishes = "INSERT INTO dishes (title, price, portions, active) VALUES \
                  ('Soup', 1, 1, TRUE), ('Stew', 1, 1, TRUE)";
    for sql in [&[dishes], rows].concat() {
        execute(&service, sql, []);
    }
    service
}

#[test]
fn relations_that_are_not_loaded_or_of_another_type_are_a_500_and_no_empty_list() {
    let tag = "INSERT INTO tags (name) VALUES ('hot')";
    let link = "INSERT INTO dish_tags (dish_id, tag_id) VALUES (1, 1)";
    let service = service(|| Box::new(CountedDishes), &[tag, link]);
    let lines = r#"
        admin GET /api/dishes/1                    => 500
        admin GET /api/dishes                      => 500
        admin GET /api/dishes/1?include=notes      => 200 /data/number 0
        admin GET /api/dishes/1?include=notes,tags => 500
        admin GET /api/dishes/create               => 200 /data/number 0"#;
    check(&service, lines);
}

#[test]
fn a_row_that_several_records_lead_to_is_shaped_once() {
    let notes = "INSERT INTO notes (dish_id, text) VALUES (1, 'a'), (2, 'b'), (1, 'c')";
    let service = service(|| Box::new(NumberedDishes), &[notes]);
    let get = || service.admin().get("/api/notes?include=dish.notes").json;
    let list = get();
    let dish = |at: usize| &list["data"][at]["dish"];
    assert_eq!(
        (&dish(0)["title"], &dish(1)["title"]),
        (&json!("Soup"), &json!("Stew"))
    );
    assert_eq!(dish(0), dish(2));
    assert_eq!(dish(2)["notes"].as_array().map(Vec::len), Some(2));
    assert_eq!(dish(1)["notes"][0]["text"], "b");
    // Another response shapes it anew.
    assert_ne!(get()["data"][0]["dish"]["number"], dish(0)["number"]);
}
