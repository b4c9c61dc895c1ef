use super::*;

const MEALS: &str = "\
model:
  attributes:
    name: string required|unique
    note: text nullable
  relations:
    cook: { belongs_to: cooks }
    tags: { many_to_many: tags, write: sync }
    pictures: { morph_many: pictures, morph: shown }
";
const DISHES: &str = "\
was: meals
model:
  key: { name: dish_id, was: id }
  attributes:
    title: { type: string, rules: required|unique, was: name }
    note: text nullable
  relations:
    chef: { belongs_to: cooks, was: cook }
    tags: { many_to_many: tags, write: sync }
    pictures: { morph_many: pictures, morph: shown }
";
const OTHERS: &[(&str, &str)] = &[
    ("shop/models/cooks.yaml", "name: Cooks\n"),
    ("shop/models/tags.yaml", "name: Tags\n"),
    (
        "shop/models/pictures.yaml",
        "model:\n  attributes:\n    shown_type: string required\n    shown_id: bigint required\n",
    ),
];

fn with(file: (&str, &str)) -> Project {
    let all: Vec<(&str, &str)> = OTHERS.iter().copied().chain([file]).collect();
    project(&all)
}

fn meals() -> Project {
    with(("shop/resources/meals.yaml", MEALS))
}

#[test]
fn renamed_tables_and_columns_are_renamed_in_place() {
    let dishes = with(("shop/resources/dishes.yaml", DISHES));
    let run = emitted(&dishes, &after(&emitted(&meals(), &Previous::default())));
    assert_eq!(
        names(&run),
        [
            "rename_meal_tag_to_dish_tag",
            "rename_meals_to_dishes",
            "rename_meal_id_to_dish_id_in_dish_tag",
            "rename_cook_id_to_chef_id_in_dishes",
            "rename_id_to_dish_id_in_dishes",
            "rename_name_to_title_in_dishes",
            "rename_meals_to_dishes_in_pictures",
        ]
    );
    let previous = after(&run);
    assert_eq!(plain(&previous), Schema::of(&dishes));
    assert_eq!(
        sql(&run).matches("UPDATE").count(),
        1,
        "the value of the polymorphic relation"
    );
    assert!(run.abandoned.is_empty());
    assert_eq!(run.state_files.get("schema/meals.schema"), Some(&None));
    let again = emitted(&dishes, &previous);
    assert_eq!(names(&again), [""; 0], "`was` stays in the manifest");
    let later = DISHES.replace(
        "    note: text nullable\n",
        "    note: text nullable\n    size: integer nullable\n",
    );
    let later = emitted(&with(("shop/resources/dishes.yaml", &later)), &previous);
    assert_eq!(names(&later), ["add_size_to_dishes"]);
}

#[test]
fn indexes_are_named_after_their_columns() {
    let renamed = MEALS.replace(
        "name: string required|unique",
        "title: { type: string, rules: required|unique, was: name }",
    );
    let run = emitted(
        &with(("shop/resources/meals.yaml", &renamed)),
        &after(&emitted(&meals(), &Previous::default())),
    );
    insta::assert_snapshot!(sql(&run));
}

#[test]
fn a_table_and_a_pivot_have_former_names_of_their_own() {
    let renamed = MEALS
        .replace(
            "model:\n",
            "model:\n  table: { name: plates, was: meals }\n",
        )
        .replace(
            "many_to_many: tags,",
            "many_to_many: tags, pivot: { name: labels, was: meal_tag },",
        );
    let run = emitted(
        &with(("shop/resources/meals.yaml", &renamed)),
        &after(&emitted(&meals(), &Previous::default())),
    );
    assert_eq!(
        names(&run),
        ["rename_meal_tag_to_labels", "rename_meals_to_plates"]
    );
}

#[test]
fn a_rename_and_a_change_are_two_migrations() {
    let renamed = MEALS.replace(
        "note: text nullable",
        "remark: { type: string, nullable: true, default: none, was: note }",
    );
    let first = after(&emitted(&meals(), &Previous::default()));
    let renamed = with(("shop/resources/meals.yaml", &renamed));
    let refused = migrations(&renamed, &first, &options()).unwrap_err();
    assert_eq!(refused.exit, Exit::Destructive, "text to string(255)");
    let options = MigrationOptions {
        allow_destructive: true,
        ..options()
    };
    let run = migrations(&renamed, &first, &options).unwrap();
    assert_eq!(
        names(&run),
        ["rename_note_to_remark_in_meals", "change_remark_in_meals"]
    );
}

#[test]
fn a_rename_is_not_guessed_without_was() {
    let renamed = MEALS.replace("note: text", "remark: text");
    let refused = migrations(
        &with(("shop/resources/meals.yaml", &renamed)),
        &after(&emitted(&meals(), &Previous::default())),
        &options(),
    )
    .unwrap_err();
    assert_eq!(refused.exit, Exit::Destructive);
    assert!(
        refused
            .to_string()
            .contains("write `was: note` at its new name"),
        "{refused}"
    );
}

#[test]
fn a_name_given_up_may_be_taken_in_the_same_run() {
    let before = menus("    a: text nullable\n    b: text nullable\n");
    let now = menus(
        "    b: { type: text, nullable: true, was: a }\n    c: { type: text, nullable: true, was: b }\n",
    );
    let run = emitted(&now, &after(&emitted(&before, &Previous::default())));
    assert_eq!(
        names(&run),
        ["rename_b_to_c_in_menus", "rename_a_to_b_in_menus"]
    );
    assert!(emitted(&now, &after(&run)).new.is_empty());
}
