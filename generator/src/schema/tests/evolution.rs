use super::*;

fn changed(before: &str, after: &str) -> Result<Migrations, crate::error::Refused> {
    let first = emitted(&menus(before), &Previous::default());
    migrations(&menus(after), &super::after(&first), &options())
}

fn allowed(before: &Project, after: &Project) -> Migrations {
    let first = emitted(before, &Previous::default());
    let options = MigrationOptions {
        allow_destructive: true,
        ..options()
    };
    let run = migrations(after, &super::after(&first), &options).unwrap();
    let previous = super::after(&run);
    assert_eq!(plain(&previous), Schema::of(after));
    assert!(emitted(after, &previous).new.is_empty(), "and no more");
    run
}

#[test]
fn a_destructive_change_is_refused_with_its_statement() {
    let refused = changed(
        "    name: string required\n    note: text nullable\n",
        "    name: string(40) required\n",
    )
    .unwrap_err();
    assert_eq!(refused.exit, Exit::Destructive);
    assert_eq!(
        crate::error::messages(&refused.problems),
        [
            "table menus: dropping the column note loses its values; if the column was renamed, write `was: note` at its new name\n    ALTER TABLE \"menus\" DROP COLUMN \"note\";",
            "table menus: changing the column name (string(255) to string(40)): values that do not fit are cut, rounded or lost\n    UPDATE \"menus\" SET \"name\" = substr(\"name\", 1, 40) WHERE \"name\" IS NOT substr(\"name\", 1, 40);",
        ]
    );
}

#[test]
fn each_change_of_type_is_destructive_or_not() {
    let cases = [
        ("integer required", "bigint required", false),
        ("bigint required", "integer required", true),
        ("integer required", "float required", true),
        ("string(40) required", "string(80) required", false),
        ("string required", "text required", false),
        ("text required", "string required", true),
        ("date required", "text required", false),
        ("date required", "string(10) required", false),
        ("datetime required", "string(10) required", true),
        ("boolean required", "text required", false),
        ("json required", "text required", true),
        ("decimal(10,2) required", "decimal(12,4) required", false),
        ("decimal(10,2) required", "decimal(10,4) required", true),
        ("decimal(10,2) required", "decimal(9,2) required", true),
        ("decimal(10,2) required", "string(13) required", false),
        ("enum(a, b) required", "enum(a) required", false),
        ("string required", "string nullable", false),
        ("string nullable", "string required", true),
        ("string nullable", "{ type: string, default: x }", false),
        ("string required", "{ type: string, default: x }", false),
        ("string required", "string required|unique", false),
    ];
    for (before, after, destroys) in cases {
        let line = |kind: &str| format!("    x: {kind}\n");
        let run = changed(&line(before), &line(after));
        assert_eq!(run.is_err(), destroys, "{before} to {after}: {run:?}");
        if let Err(refused) = run {
            assert_eq!(refused.exit, Exit::Destructive);
            let lines = refused.to_string().lines().count();
            assert_eq!(lines, 2, "with its statement: {refused}");
        }
    }
}

#[test]
fn a_migration_is_named_after_its_changes() {
    let cases = [
        (
            "x: text nullable",
            "y: integer nullable",
            "drop_x_from_menus add_y_to_menus",
        ),
        (
            "x: integer required",
            "x: text required",
            "change_x_in_menus",
        ),
        (
            "{x: integer required, y: text nullable}",
            "{x: text required, y: string nullable}",
            "change_x_and_y_in_menus",
        ),
        (
            "x: string required",
            "{ x: { type: string, index: true } }",
            "index_x_of_menus",
        ),
        (
            "{ x: { type: string, index: true } }",
            "x: string required|unique",
            "drop_index_x_of_menus make_x_unique_in_menus",
        ),
        (
            "{x: integer required, y: text nullable}",
            "{x: text required, z: text required}",
            "drop_y_from_menus add_z_and_change_x_in_menus",
        ),
        ("x: text nullable", "x: text nullable", ""),
    ];
    for (before, after, expected) in cases {
        let manifest = |attributes: &str| {
            let text = format!("model:\n  attributes:\n    {attributes}\n");
            project(&[("shop/models/menus.yaml", &text)])
        };
        let run = allowed(&manifest(before), &manifest(after));
        assert_eq!(names(&run).join(" "), expected, "{before} to {after}");
    }
}

#[test]
fn a_rebuild_keeps_rows_indexes_constraints_and_the_counter() {
    let menus = |price: &str| {
        let text = format!(
            "model:\n  attributes:\n    name: string required|unique\n    price: {price} required\n  relations:\n    shelf: {{ belongs_to: shelves }}\n"
        );
        project(&[
            ("shop/models/menus.yaml", &text),
            ("shop/models/shelves.yaml", "name: Shelves\n"),
        ])
    };
    let run = allowed(&menus("integer"), &menus("text"));
    insta::assert_snapshot!(sql(&run));
}

#[test]
fn a_table_without_inline_foreign_keys_is_rebuilt() {
    let menus = |shelf: &str| {
        let text = format!(
            "model:\n  attributes:\n    name: string required|unique\n  relations:\n    shelf: {{ belongs_to: shelves{shelf} }}\n"
        );
        project(&[
            ("shop/models/menus.yaml", &text),
            ("shop/models/shelves.yaml", "name: Shelves\n"),
        ])
    };
    let mut previous = after(&emitted(&menus(""), &Previous::default()));
    let table = previous.schema.tables.get_mut("menus").unwrap();
    table.since = None;
    let run = emitted(&menus(", constraint: false"), &previous);
    insta::assert_snapshot!(sql(&run));
}

#[test]
fn migrations_name_their_predecessors_and_the_columns_they_touch() {
    let first = emitted(&menus("    name: string required\n"), &Previous::default());
    let second = emitted(
        &menus("    name: { type: text, default: x }\n    note: text nullable\n"),
        &after(&first),
    );
    let headers = |run: &Migrations| -> Vec<String> {
        let texts = run.new.iter().flat_map(|one| &one.sql);
        let lines = texts.flat_map(|(_, text)| text.lines());
        let lines =
            lines.filter(|line| line.starts_with("-- after: ") || line.starts_with("-- touches: "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(headers(&first), ["-- touches: menus"]);
    assert_eq!(
        headers(&second),
        [
            "-- after: 20261121120000_create_menus",
            "-- touches: menus.note",
            "-- after: 20261121120001_add_note_to_menus",
            "-- touches: menus.name",
        ]
    );
}

/// A default is a text, also if it looks like a call.
#[test]
fn postgres_gets_the_functions_that_the_changed_types_need() {
    let change = |before: &str, after: &str| {
        let on_postgres = |attributes: &str| Project {
            databases: BTreeSet::from([Database::Postgres]),
            ..menus(attributes)
        };
        let first = emitted(&on_postgres(before), &Previous::default());
        let texts = first.state_files.values().flatten().map(String::as_str);
        let one = &first.all[0];
        let path = one.path(Database::Postgres);
        let previous = Previous::new(texts, [(path.as_str(), one.unit.as_str())]);
        let options = MigrationOptions {
            allow_destructive: true,
            ..options()
        };
        sql(&migrations(&on_postgres(after), &previous, &options).unwrap())
    };
    let called = |attributes: &str| attributes.replace("VALUE", "pg_temp.formwork_date(");
    let text = change(
        "    note: { type: string(40), default: a }\n",
        &called("    note: { type: string(80), default: VALUE }\n"),
    );
    assert!(
        text.contains("SET DEFAULT 'pg_temp.formwork_date('"),
        "{text}"
    );
    assert!(!text.contains("FUNCTION"), "{text}");
    let text = change("    day: text nullable\n", "    day: date nullable\n");
    for part in [
        "CREATE FUNCTION pg_temp.formwork_date(text) RETURNS date",
        "THEN pg_temp.formwork_date(left(\"day\", 10)) END",
        "DROP FUNCTION pg_temp.formwork_date(text);",
    ] {
        assert_eq!(text.matches(part).count(), 1, "{part}: {text}");
    }
    assert!(!text.contains("formwork_moment"), "{text}");
}

#[test]
fn types_that_sqlite_stores_alike_need_no_rebuild() {
    let before =
        "    x: string(40) required\n    y: integer required\n    z: decimal(8,2) required\n";
    let after = "    x: text required\n    y: bigint required\n    z: decimal(10,4) required\n";
    let run = changed(before, after).unwrap();
    assert_eq!(names(&run), ["change_x_and_y_and_z_in_menus"]);
    assert!(
        sql(&run).contains(
            "\n\nUPDATE \"menus\" SET \"z\" = CASE WHEN abs(\"z\") < 100000000 THEN \"z\" * 100 END"
        ),
        "{}",
        sql(&run)
    );
    let run = changed(
        "    x: string(40) required\n",
        "    x: string(80) required\n",
    )
    .unwrap();
    assert!(
        sql(&run).ends_with("-- SQLite stores both alike: there is nothing to do.\n"),
        "{}",
        sql(&run)
    );
}

#[test]
fn another_primary_key_is_refused_with_an_instruction() {
    let keyed = |key: &str| {
        let text = format!("model:\n  key: {key}\n");
        project(&[("shop/models/menus.yaml", &text)])
    };
    let first = emitted(&keyed("id"), &Previous::default());
    let refused = migrations(&keyed("menu_id"), &after(&first), &options()).unwrap_err();
    assert_eq!(refused.exit, Exit::Usage);
    assert!(
        refused
            .to_string()
            .contains("write `key: { name: menu_id, was: id }`"),
        "{refused}"
    );
    let uuid = keyed("{ type: uuid }");
    let refused = migrations(&uuid, &after(&first), &options()).unwrap_err();
    assert_eq!(refused.exit, Exit::Destructive);
    let statement = "INSERT INTO \"formwork_new_menus\"";
    assert!(refused.to_string().contains(statement), "{refused}");
    let run = migrations(&keyed("{ type: string }"), &after(&first), &options()).unwrap();
    assert_eq!(names(&run), ["change_id_in_menus"]);
    let first = emitted(&uuid, &Previous::default());
    let refused = migrations(&keyed("id"), &after(&first), &options()).unwrap_err();
    assert_eq!(refused.exit, Exit::Usage);
    assert!(
        refused
            .to_string()
            .contains("a uuid cannot become a number"),
        "{refused}"
    );
}

const TAGGED: &str = "model:\n  relations:\n    tags: { many_to_many: tags, write: sync }\n";
const TAGS: (&str, &str) = ("shop/models/tags.yaml", "name: Tags\n");

#[test]
fn a_pivot_is_dropped_with_its_relation_and_created_again_for_other_columns() {
    let tagged = project(&[("shop/resources/menus.yaml", TAGGED), TAGS]);
    let without = project(&[("shop/resources/menus.yaml", "name: Menus\n"), TAGS]);
    let first = emitted(&tagged, &Previous::default());
    let refused = migrations(&without, &after(&first), &options()).unwrap_err();
    assert_eq!(refused.exit, Exit::Destructive);
    let statement = "    DROP TABLE \"menu_tag\";";
    assert!(refused.to_string().lines().any(|line| line == statement));
    assert_eq!(names(&allowed(&tagged, &without)), ["drop_menu_tag"]);
    let other = TAGGED.replace("write: sync", "write: sync, other_column: label_id");
    let other = project(&[("shop/resources/menus.yaml", &other), TAGS]);
    assert_eq!(names(&allowed(&tagged, &other)), ["recreate_menu_tag"]);
}

#[test]
fn a_pivot_becomes_a_model_whose_rows_are_counted() {
    let tagged = project(&[("shop/resources/menus.yaml", TAGGED), TAGS]);
    let model = "model:\n  table: menu_tag\n  timestamps: false\n  attributes:\n    rank: integer nullable\n  relations:\n    menu: { belongs_to: menus, nullable: false }\n    tag: { belongs_to: tags, nullable: false }\n";
    let described = project(&[
        ("shop/resources/menus.yaml", TAGGED),
        ("shop/models/menu_tags.yaml", model),
        TAGS,
    ]);
    let first = emitted(&tagged, &Previous::default());
    let run = emitted(&described, &after(&first));
    assert_eq!(plain(&after(&run)), Schema::of(&described));
    assert!(
        sql(&run).contains("INSERT INTO \"formwork_new_menu_tag\" (\"rank\", \"menu_id\", \"tag_id\") SELECT NULL, \"menu_id\", \"tag_id\""),
        "{}",
        sql(&run)
    );
}
