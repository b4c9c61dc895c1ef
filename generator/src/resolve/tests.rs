mod names;
mod property;
mod relations;

use super::*;
use crate::project::*;

/// A project of one extension, from `resources/<key>.yaml` or `models/<key>.yaml` and texts.
fn sources(files: &[(&str, &str)]) -> Sources {
    Sources::from_texts(files.iter().map(|(path, text)| {
        let path = if path.contains('/') {
            format!("extensions/shop/{path}.yaml")
        } else {
            (*path).to_owned()
        };
        (path, text.as_bytes().to_vec())
    }))
}

fn resolved(files: &[(&str, &str)]) -> Project {
    match resolve(&sources(files)) {
        Ok(resolved) => resolved.project,
        Err(found) => panic!(
            "{}",
            crate::diagnostic::render(&found, &sources(files), false)
        ),
    }
}

fn mistakes(files: &[(&str, &str)]) -> Vec<(Code, String)> {
    match resolve(&sources(files)) {
        Ok(_) => Vec::new(),
        Err(found) => found
            .into_iter()
            .map(|found| (found.code, found.message))
            .collect(),
    }
}

/// A manifest with keys of every kind.
const DISHES: &str = r#"
name: Dishes
description: An API resource for dishes
model:
  name: Dish
  table: dishes
  key: dish_id
  timestamps: true
  managed: true
  attributes:
    title: string required|between:2,255
    notes: text nullable|between:2,1028
    price: decimal(15,4) required|min:0
    active:
      type: boolean
      default: true
      description: Whether guests see the dish
    order_type: enum(delivery, collection) nullable
    hash:
      type: string(40)
      access: read_only
      set_by: hook
  relations:
    categories: { many_to_many: categories, pivot: dish_categories, include: true, write: sync }
    location: { belongs_to: locations, column: location_id, include: true }
  indexes: [[active, title]]
actions: [index, show, "store:admin", "update:admin", "destroy:admin"]
abilities: dishes:*
page_limit: 20
search: [title, notes]
sort: [dish_id, title, price]
filter: [active, price]
filters:
  enabled: { where: active, default: true }
  near: custom
owner: null
location: null
transform: { id: dish_id, name: title, links: self }
"#;

fn dishes() -> Project {
    resolved(&[
        ("resources/dishes", DISHES),
        ("resources/categories", "model: { key: category_id }"),
        (
            "models/locations",
            "model: { key: { name: location_id, type: uuid } }",
        ),
    ])
}

#[test]
fn the_manifest_of_the_contract_resolves() {
    let project = dishes();
    let (extension, dish) = project.find("dishes").unwrap();
    assert_eq!(
        (extension.folder.as_str(), extension.type_name.as_str()),
        ("shop", "Shop")
    );
    assert_eq!(
        (dish.names.model.as_str(), dish.names.controller.as_str()),
        ("Dish", "Dishes")
    );
    let api = dish.api.as_ref().unwrap();
    assert_eq!(api.actions.len(), 5);
    assert_eq!(api.actions[1].action, Action::Store);
    assert_eq!(api.actions[1].context, Context::Admin);
    assert_eq!((api.page_limit, api.max_page_limit), (20, 100));
    assert_eq!(api.filters[0].default.as_deref(), Some("true"));
    assert_eq!(api.filters[1].kind, FilterKind::Custom);
    assert_eq!(
        api.transform.fields[0].1,
        TransformSource::Column("dish_id".to_owned())
    );
    assert!(!dish.manifest_text.is_empty());
}

#[test]
fn columns_are_complete() {
    let project = dishes();
    let model = &project.find("dishes").unwrap().1.model;
    let names: Vec<_> = model
        .attributes
        .iter()
        .map(|attribute| attribute.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "title",
            "notes",
            "price",
            "active",
            "order_type",
            "hash",
            "location_id"
        ]
    );
    let attribute = |name: &str| {
        model
            .attributes
            .iter()
            .find(|own| own.name == name)
            .unwrap()
    };
    let between = Rule::Between("2".into(), "255".into());
    assert_eq!(
        attribute("title").rules.all,
        [Rule::Required, Rule::String, between]
    );
    assert!(attribute("notes").nullable);
    assert_eq!(attribute("active").default, Some(Literal::Bool(true)));
    assert!(
        attribute("active").rules.store.is_empty(),
        "a default is no need to require"
    );
    assert!(attribute("hash").set_by_hook);
    let location = attribute("location_id");
    assert_eq!(location.kind, ColumnType::Uuid);
    assert!(location.nullable);
    let reference = location.references.as_ref().unwrap();
    assert_eq!(
        (reference.table.as_str(), reference.is_primary),
        ("locations", true)
    );
}

#[test]
fn a_minimal_manifest_gets_the_defaults() {
    let project = resolved(&[("resources/series", "name: Series")]);
    let series = &project.extensions[0].resources[0];
    assert_eq!(series.names.controller, "SeriesController");
    assert_eq!(series.model.table, "series");
    assert_eq!(
        series.model.key,
        Key {
            name: "id".to_owned(),
            was: None,
            kind: ColumnType::BigInt,
            with: Vec::new(),
        }
    );
    assert!(series.model.timestamps && series.model.managed);
    let api = series.api.as_ref().unwrap();
    assert_eq!(api.abilities, ["series:*"]);
    let contexts: Vec<_> = api.actions.iter().map(|entry| entry.context).collect();
    use Context::{Admin, All};
    assert_eq!(contexts, [All, Admin, All, Admin, Admin]);
    assert_eq!(project.api_prefix, "/api");
}

#[test]
fn access_decides_which_attributes_are_required() {
    let text = "model: { attributes: { a: string, b: { type: string, nullable: false, rules: nullable }, c: { type: string, access: admin_write }, customer_id: bigint } }\nowner: customer_id\nactions: [\"store:users\"]\n";
    let found = mistakes(&[("resources/a", text)]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, Code::UnwritableColumn);
    let project = resolved(&[("resources/a", &text.replace("store:users", "store:admin"))]);
    let attributes = &project.extensions[0].resources[0].model.attributes;
    let required: Vec<_> = attributes
        .iter()
        .map(|own| own.rules.store == [Rule::Required])
        .collect();
    assert_eq!(required, [true, true, true, false]);
    // A text that has to be sent may be empty; a number may not.
    let sent = "model: { attributes: { a: string present, b: integer present } }\n";
    let project = resolved(&[("resources/a", sent)]);
    let attributes = &project.extensions[0].resources[0].model.attributes;
    assert!(attributes[0].rules.store.is_empty());
    assert_eq!(attributes[1].rules.store, [Rule::Required]);
    assert!(
        mistakes(&[(
            "models/a",
            "model: { attributes: { a: { type: string, access: hidden } } }"
        )])
        .is_empty()
    );
}

#[test]
fn mistakes_of_all_files_come_at_once_and_in_order() {
    let found = mistakes(&[
        ("formwork.yaml", "apii: 1\n"),
        ("resources/b", "modle: x\nactions: [indx]\n"),
        (
            "resources/a",
            "model: { relations: { c: { belongs_to: cs } } }\n",
        ),
        ("models/c", "\tx: 1\n"),
    ]);
    let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
    use Code::*;
    assert_eq!(
        codes,
        [Tab, UnknownTarget, UnknownKey, UnknownAction, UnknownKey],
        "{found:#?}"
    );
}

#[test]
fn open_writes_are_warned_about() {
    let sources = sources(&[(
        "resources/a",
        "actions: [index, store, \"update:guest\", \"destroy:users\"]",
    )]);
    let warnings = resolve(&sources).unwrap().warnings;
    assert_eq!(warnings.len(), 2);
    assert!(
        warnings
            .iter()
            .all(|warning| warning.severity == Severity::Warning)
    );
}

#[test]
fn extensions_are_named_by_their_cargo_toml() {
    let mut sources = Sources::from_texts([
        ("Cargo.toml", "[package]\nname = \"my-bistro\""),
        (
            "extensions/igniter_cart/Cargo.toml",
            "[package]\nname = \"igniter-cart\"\n[package.metadata.formwork]\nid = \"igniter.cart\"",
        ),
        ("extensions/gift_cards/resources/cards.yaml", "name: Cards"),
    ]);
    sources.declare_extension("igniter_user", "igniter.user");
    let project = resolve(&sources).unwrap().project;
    assert_eq!(
        (project.package.as_str(), project.library.as_str()),
        ("my-bistro", "my_bistro")
    );
    let names: Vec<_> = project
        .extensions
        .iter()
        .map(|own| {
            (
                own.id.as_str(),
                own.package.as_str(),
                own.type_name.as_str(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("gift_cards", "gift-cards", "GiftCards"),
            ("igniter.cart", "igniter-cart", "Cart"),
            ("igniter.user", "igniter-user", "User"),
        ]
    );
}

#[test]
fn a_file_that_cannot_be_read_is_still_a_key() {
    let found = mistakes(&[
        (
            "resources/a",
            "model: { relations: { b: { belongs_to: b }, bs: { has_many: b, column: x } } }",
        ),
        ("resources/b", "model: [\n"),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, Code::Syntax);
}

#[test]
fn names_must_be_legal_in_rust_and_in_answers() {
    let cases = [
        ("model: { key: type }", Code::IllegalName),
        ("name: |\n  two\n  lines\n", Code::WrongType),
        (
            "model: { relations: { us: { belongs_to: a, nullable: true } } }\ntransform: { us: us_id }",
            Code::NameCollision,
        ),
        (
            "model: { attributes: { a_id: bigint nullable }, relations: { us: { has_many: a } } }\nlocation: { relation: us }",
            Code::RelationMisfit,
        ),
    ];
    for (text, code) in cases {
        let found = mistakes(&[("resources/a", text)]);
        assert_eq!(
            found.iter().map(|found| found.0).collect::<Vec<_>>(),
            [code],
            "{text}: {found:?}"
        );
    }
}
