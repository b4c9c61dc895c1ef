//! What docs/guide/custom-logic.md says of hooks: their order, and what their errors do.

use std::sync::{Arc, Mutex};

use formwork::{prelude::*, testing::Service};
use shop::api_resources::dishes::{Dish, DishRepository, DishTransformer};

type Calls = Arc<Mutex<Vec<&'static str>>>;

/// A controller that notes its hooks; the one whose name is the title of the dish fails.
struct Noting(Calls);

impl Noting {
    fn note(&self, hook: &'static str, dish: Option<&Dish>) -> Result<()> {
        self.0.lock().expect("the calls").push(hook);
        match dish.is_some_and(|dish| dish.title == hook) {
            true => Err(Error::conflict("It fails.")),
            false => Ok(()),
        }
    }
}

macro_rules! noting {
    ($($hook:ident($record:ty)),*) => {
        $(async fn $hook(&self, _ctx: &Context, dish: $record) -> Result<()> {
            self.note(stringify!($hook), Some(dish))
        })*
    };
}

impl RestController for Noting {
    type Model = Dish;
    type Repository = DishRepository;
    type Request = NotedRequest;
    type Transformer = DishTransformer;

    const ACTIONS: &'static [Action] = &[Action::Show, Action::Store, Action::Update, Action::Destroy];

    async fn prepare(&self, ctx: &Context) -> Result<Option<Input>> {
        self.note("prepare", None)?;
        let notes = ctx.input().text("notes").unwrap_or_default();
        let prepared = ctx.input().clone().with("notes", format!("{notes}, prepared"));
        Ok(Some(prepared))
    }

    noting!(
        before_save(&mut Dish),
        before_create(&mut Dish),
        before_update(&mut Dish),
        before_delete(&Dish),
        write_relations(&Dish),
        after_save(&Dish),
        after_create(&Dish),
        after_update(&Dish),
        after_delete(&Dish)
    );
}

struct NotedRequest;

impl ResourceRequest for NotedRequest {
    type Model = Dish;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("title", &[formwork::rules::required()]),
        attribute("notes", &[]),
        attribute("price", &[]),
    ];

    async fn validate(input: &Input, _ctx: &Context, errors: &mut ValidationErrors) -> Result<()> {
        if input.text("notes") == Some("wrong") {
            errors.add("notes", "The notes are wrong.");
        }
        Ok(())
    }
}

/// The shop with this controller in the place of the poured one.
struct NotingShop(Calls);

impl Extension for NotingShop {
    fn name(&self) -> &'static str {
        "shop"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = shop::Shop.register_api_resources();
        for resource in resources.iter_mut().filter(|it| it.key == "dishes") {
            resource.controller = Box::new(Noting(Arc::clone(&self.0)));
            resource.actions = formwork::prelude::actions!["show", "store", "update", "destroy"];
        }
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        shop::Shop.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        shop::Shop.migrations()
    }
}

fn noting() -> (Service, Calls) {
    let calls = Calls::default();
    let service = Service::start(vec![Box::new(NotingShop(Arc::clone(&calls)))]);
    (service, calls)
}

fn taken(calls: &Calls) -> Vec<&'static str> {
    std::mem::take(&mut *calls.lock().expect("the calls"))
}

#[test]
fn hooks_run_in_the_order_of_the_page() {
    let (service, calls) = noting();
    let admin = service.admin();
    let body = json!({ "title": "Soup", "price": "4", "notes": "Hot" });
    let stored = admin.post("/api/dishes", body);
    assert_eq!(stored.status, 201, "{stored}");
    assert_eq!(stored.json["data"]["notes"], "Hot, prepared");
    let order = ["prepare", "before_save", "before_create", "write_relations", "after_save", "after_create"];
    assert_eq!(taken(&calls), order);
    let path = format!("/api/dishes/{}", stored.json["data"]["id"]);
    let updated = admin.patch(&path, json!({ "notes": "Cold" }));
    assert_eq!(updated.status, 200, "{updated}");
    let order = ["prepare", "before_save", "before_update", "write_relations", "after_save", "after_update"];
    assert_eq!(taken(&calls), order);
    assert_eq!(admin.delete(&path).status, 204);
    assert_eq!(taken(&calls), ["before_delete", "after_delete"]);
}

#[test]
fn errors_before_the_commit_roll_back_and_errors_after_it_do_not() {
    let (service, _) = noting();
    let admin = service.admin();
    let store = |title: &str| admin.post("/api/dishes", json!({ "title": title, "price": "4" }));
    let rows = || service.block_on(async { Dish::unscoped().count(&service.context()).await }).expect("rows");
    for hook in ["before_save", "before_create", "write_relations"] {
        assert_eq!(store(hook).status, 409, "{hook}");
        assert_eq!(rows(), 0, "{hook}");
    }
    for (at, hook) in ["after_save", "after_create"].into_iter().enumerate() {
        assert_eq!(store(hook).status, 201, "{hook}");
        assert_eq!(rows(), at as u64 + 1, "{hook}");
    }
    let kept = store("before_delete");
    let path = format!("/api/dishes/{}", kept.json["data"]["id"]);
    assert_eq!(admin.delete(&path).status, 409);
    assert_eq!(rows(), 3);
}

#[test]
fn validate_adds_to_the_broken_rules_and_nothing_runs_after_them() {
    let (service, calls) = noting();
    let refused = service.admin().post("/api/dishes", json!({ "notes": "wrong" }));
    assert_eq!(refused.status, 422, "{refused}");
    for field in ["title", "notes"] {
        assert!(refused.json["errors"][field].is_array(), "{field}: {refused}");
    }
    assert!(taken(&calls).is_empty());
}
