//! Transformers that read relations: with `load: always`, where they are included, and where they
//! are not loaded.

use formwork::{prelude::*, testing::Service};
use serde::Serialize;

use super::kitchen::{Dish, DishRepository, DishRequest, Kitchen, Note};

/// The kitchen with another controller of dishes, which this function sets.
pub struct OtherDishes(pub fn(&mut ApiResource));

impl Extension for OtherDishes {
    fn name(&self) -> &'static str {
        "other-dishes"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = Kitchen.register_api_resources();
        self.0(&mut resources[0]);
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        Kitchen.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        Kitchen.migrations()
    }
}

trait DishRelations: LoadedRecord {
    fn notes(&self) -> Result<Vec<&Note>> {
        self.to_many("notes")
    }

    fn tags<T: Model>(&self) -> Result<Vec<&T>> {
        self.to_many("tags")
    }
}

impl DishRelations for Loaded<Dish> {}

#[derive(Serialize)]
struct CountedData<'a> {
    id: i64,
    title: &'a str,
    said: usize,
}

struct CountedTransformer;

impl Transformer for CountedTransformer {
    type Model = Dish;

    fn transform<'a>(dish: &'a Loaded<Dish>, ctx: &'a Context) -> impl Serialize + 'a {
        fallible(|| {
            if ctx.request().query.contains("tags") {
                // Rows of another type than the caller says.
                dish.tags::<Note>()?;
            }
            Ok(CountedData {
                id: dish.dish_id,
                title: &dish.title,
                said: dish.notes()?.len(),
            })
        })
    }

    fn shape(to: &mut Shape) {
        to.field::<i64>("id");
        to.field::<String>("title");
        to.field::<i64>("said");
    }
}

struct CountedDishes;

impl RestController for CountedDishes {
    type Model = Dish;
    type Repository = DishRepository;
    type Request = DishRequest;
    type Transformer = CountedTransformer;
}

fn counting() -> Service {
    let counted = OtherDishes(|dishes| dishes.controller = Box::new(CountedDishes));
    let service = Service::start(vec![Box::new(counted)]);
    let ctx = service.context();
    for sql in [
        "INSERT INTO dishes (title, price, portions, active) VALUES ('Soup', 1, 1, TRUE)",
        "INSERT INTO tags (name) VALUES ('hot')",
        "INSERT INTO dish_tags (dish_id, tag_id) VALUES (1, 1)",
    ] {
        service.block_on(ctx.db().execute(sql, [])).expect(sql);
    }
    service
}

#[test]
fn a_relation_that_is_not_loaded_is_a_500_and_no_empty_list() {
    let service = counting();
    let admin = service.admin();
    assert_eq!(admin.get("/api/dishes/1").status, 500);
    assert_eq!(admin.get("/api/dishes").status, 500);
    let included = admin.get("/api/dishes/1?include=notes");
    assert_eq!(included.status, 200, "{included}");
    assert_eq!(included.json["data"]["said"], 0);
}

#[test]
fn a_record_of_another_type_is_a_500() {
    let service = counting();
    let answer = service.admin().get("/api/dishes/1?include=notes,tags");
    assert_eq!(answer.status, 500, "{answer}");
}

#[test]
fn a_record_that_is_not_stored_yet_relates_to_no_other() {
    let service = counting();
    let blank = service.admin().get("/api/dishes/create");
    assert_eq!(blank.status, 200, "{blank}");
    assert_eq!(blank.json["data"]["said"], 0);
}
