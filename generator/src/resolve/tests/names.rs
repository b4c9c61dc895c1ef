//! Names that are legal alone, but not together.

use super::*;

/// The one mistake in a model of these lines.
fn mistake(model: &str) -> String {
    let menus = "model: { attributes: { title: string required } }\n";
    let model = format!("model:\n{model}");
    let found = mistakes(&[("models/menus", menus), ("models/dishes", &model)]);
    match found.as_slice() {
        [] => String::new(),
        [(Code::NameCollision, said)] => said.clone(),
        other => panic!("{model}\n{other:?}"),
    }
}

#[test]
fn columns_that_are_one_in_rust_or_to_a_database() {
    let attribute = |name: &str| {
        format!("  attributes: {{ {name}: string nullable, dishName: string nullable }}\n")
    };
    let column = |name: &str| {
        format!(
            "{}  relations: {{ menu: {{ belongs_to: menus, column: {name} }} }}\n",
            attribute("title")
        )
    };
    for (model, said) in [
        (
            attribute("createdAt"),
            "`createdAt` and `created_at` would be one field",
        ),
        (attribute("UPDATED_AT"), "would be one field"),
        (attribute("Id"), "`Id` and `id` would be one field"),
        (attribute("dish_name"), "would be one field `dish_name`"),
        (
            attribute("dishname"),
            "`dishName` and `dishname` would be one column",
        ),
        (column("Id"), "`Id` and `id` would be one field"),
        (
            column("createdAt"),
            "`createdAt` and `created_at` would be one field",
        ),
        (
            column("created_at"),
            "`created_at` is declared twice: `timestamps` keeps it",
        ),
        (
            column("DISHNAME"),
            "`DISHNAME` and `dishName` would be one column",
        ),
    ] {
        let found = mistake(&model);
        assert!(found.contains(said), "{model}\n{found}");
    }
    for model in [
        attribute("title"),
        column("id"),
        column("menu"),
        column("title_id"),
    ] {
        assert_eq!(mistake(&model), "", "{model}");
    }
    let without = format!("  timestamps: false\n{}", attribute("createdAt"));
    assert_eq!(mistake(&without), "");
}

#[test]
fn tables_that_differ_in_case_are_one() {
    let found = mistakes(&[
        ("models/dishes", "model: {}\n"),
        ("models/plates", "model: { table: Dishes }\n"),
    ]);
    assert_eq!(found[0].0, Code::DuplicateTable);
    assert_eq!(found.len(), 1);
}

#[test]
fn sides_of_a_pivot_are_columns_of_their_own() {
    let tags = ("models/tags", "model: {}\n");
    for relation in [
        "many_to_many: tags, column: TAG_ID",
        "many_to_many: tags, column: x, other_column: X",
        "morph_many_to_many: tags, morph: tag",
        "morph_many_to_many: tags, morph: shown, other_column: Shown_Type",
    ] {
        let dishes = format!("model: {{ relations: {{ tags: {{ {relation} }} }} }}\n");
        let found = mistakes(&[tags, ("models/dishes", &dishes)]);
        assert_eq!(found.len(), 1, "{relation}: {found:?}");
        assert!(
            found[0].1.starts_with("both sides of the pivot"),
            "{found:?}"
        );
    }
}

#[test]
fn tables_with_the_prefix_of_the_runtimes_own_are_refused() {
    let said = |managed: &str, prefix: &str, table: &str, pivot: &str| {
        let config = format!("database: {{ table_prefix: {prefix} }}\n");
        let model = format!(
            "model:\n  table: {table}\n  managed: {managed}\n  attributes: {{ title: string required }}\n  \
             relations: {{ tags: {{ many_to_many: tags, pivot: {pivot} }} }}\n"
        );
        let tags =
            format!("model: {{ managed: {managed}, attributes: {{ title: string required }} }}\n");
        mistakes(&[
            ("formwork.yaml", &config),
            ("models/dishes", &model),
            ("models/tags", &tags),
        ])
    };
    let message = "the table `fw_api_tokens` is the runtime's own".to_owned();
    let expected = [(Code::IllegalName, message)];
    for managed in ["true", "false"] {
        let of = |prefix, table, pivot| said(managed, prefix, table, pivot);
        assert_eq!(of("fw_", "fw_api_tokens", "dish_tags"), expected);
        assert_eq!(of("fw_", "fw_dishes", "fw_api_tokens"), expected);
        assert_eq!(of("fw_", "fw_dishes", "fw_dish_tags"), []);
        assert_eq!(of("ti_", "fw_api_tokens", "dish_tags"), []);
    }
}
