mod evolution;
mod facts;
mod indexes;
mod keys;
mod renames;

use std::collections::BTreeSet;

use super::table::canonical;
use super::*;
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::moment::Clock;
use crate::project::{ColumnType, Database, Literal, Project};

const NOON: i64 = 1_795_262_400;

/// A project from manifests: path below `extensions/` and text.
fn project(manifests: &[(&str, &str)]) -> Project {
    let files = manifests
        .iter()
        .map(|(path, text)| (format!("extensions/{path}"), (*text).to_owned()));
    let config = [("formwork.yaml".to_owned(), "database: sqlite\n".to_owned())];
    match crate::resolve::resolve(&Sources::from_texts(config.into_iter().chain(files))) {
        Ok(resolved) => resolved.project,
        Err(mistakes) => panic!("{mistakes:?}"),
    }
}

fn menus(attributes: &str) -> Project {
    let text = format!("model:\n  key: menu_id\n  attributes:\n{attributes}");
    project(&[("shop/resources/menus.yaml", &text)])
}

fn options() -> MigrationOptions<'static> {
    MigrationOptions {
        clock: Clock::at(NOON),
        units: None,
        allow_destructive: false,
        destroyed: None,
    }
}

/// The migrations of a run, or its refusal.
fn migrations(
    project: &Project,
    previous: &Previous,
    options: &MigrationOptions<'_>,
) -> Result<Migrations, Refused> {
    let run = super::migrations(project, previous, options)?;
    run.refused.clone().map_or(Ok(run), Err)
}

fn emitted(project: &Project, previous: &Previous) -> Migrations {
    migrations(project, previous, &options()).unwrap()
}

/// The state after a run.
fn after(run: &Migrations) -> Previous {
    let texts = run.state_files.values().flatten().map(String::as_str);
    let paths: Vec<(String, String)> = run
        .all
        .iter()
        .map(|one| (one.path(Database::Sqlite), one.unit.clone()))
        .collect();
    Previous::new(
        texts,
        paths
            .iter()
            .map(|(path, unit)| (path.as_str(), unit.as_str())),
    )
}

/// The tables as the manifests describe them, whatever their history.
fn plain(previous: &Previous) -> Schema {
    let mut schema = previous.schema.clone();
    for table in schema.tables.values_mut() {
        table.touched.clear();
        table.since = None;
        table.was.clear();
    }
    schema
}

fn names(run: &Migrations) -> Vec<&str> {
    run.new
        .iter()
        .map(|one| one.emitted.name.as_str())
        .collect()
}

/// The SQL of a run, without the lines that say after what it was made, and without what undoes it.
fn sql(run: &Migrations) -> String {
    let texts = run.new.iter().flat_map(|one| &one.sql);
    let texts: Vec<&str> = texts.map(|(_, text)| parts(text).0).collect();
    let joined = texts.join("\n");
    let is_header = |line: &&str| {
        ["-- after: ", "-- touches: "]
            .iter()
            .any(|start| line.starts_with(start))
    };
    joined
        .split_inclusive('\n')
        .filter(|line| !is_header(line))
        .collect()
}

/// A migration's text: what does it, and what undoes it, behind the line between them.
fn parts(text: &str) -> (&str, &str) {
    text.split_once("\n-- down").expect("a line")
}

/// The SQL that undoes the migrations of a run.
fn downs(run: &Migrations) -> Vec<&str> {
    let texts = run.new.iter().flat_map(|one| &one.sql);
    texts.map(|(_, text)| parts(text).1).collect()
}

#[test]
fn lossless_migrations_have_a_down_part_and_others_a_reason() {
    let first = emitted(&menus("    name: string required\n"), &Previous::default());
    assert_eq!(downs(&first), ["\nDROP TABLE \"menus\";\n"]);
    let more = "    title: { type: string, rules: required, was: name }\n    live: { type: boolean, default: true, index: true }\n";
    let more = emitted(&menus(more), &after(&first));
    assert_eq!(
        downs(&more),
        [
            "\nALTER TABLE \"menus\" RENAME COLUMN \"title\" TO \"name\";\n",
            "\nDROP INDEX \"menus_live_index\";\nALTER TABLE \"menus\" DROP COLUMN \"live\";\n",
        ]
    );
    let less = menus("    title: text required\n    live: { type: boolean, default: true }\n");
    let less = emitted(&less, &after(&more));
    assert_eq!(
        downs(&less),
        [
            "\nCREATE INDEX \"menus_live_index\" ON \"menus\" (\"live\");\n",
            ": it changes columns, whose former values are not known\n",
        ]
    );
    let allowed = MigrationOptions {
        allow_destructive: true,
        ..options()
    };
    let dropped = menus("    title: text required\n");
    let dropped = migrations(&dropped, &after(&less), &allowed).unwrap();
    assert_eq!(downs(&dropped), [": what it dropped is gone\n"]);
}

#[test]
fn a_table_is_created_with_its_indexes() {
    let run = emitted(
        &menus(
            "    name: string required|unique\n    price: decimal(15,4) required\n    live: { type: boolean, default: true, index: true }\n",
        ),
        &Previous::default(),
    );
    insta::assert_snapshot!(sql(&run));
    let migration = &run.new[0].emitted;
    assert_eq!(
        (migration.version, migration.name.as_str()),
        (20_261_121_120_000, "create_menus")
    );
    assert_eq!(
        migration.path(Database::Sqlite),
        "extensions/shop/migrations/sqlite/20261121120000_create_menus.sql"
    );
    assert_eq!(migration.unit, "shop.menus");
}

#[test]
fn a_second_run_emits_nothing() {
    let project =
        menus("    name: string required\n    tags: { type: json, default: [\"a b\"] }\n");
    let first = emitted(&project, &Previous::default());
    let previous = after(&first);
    assert_eq!(plain(&previous), Schema::of(&project));
    let second = emitted(&project, &previous);
    assert!(second.new.is_empty(), "{:?}", second.new);
    assert_eq!(second.state_files, first.state_files);
    assert_eq!(second.all, first.all);
}

#[test]
fn an_added_attribute_is_a_new_migration_of_a_later_version() {
    let first = emitted(&menus("    name: string required\n"), &Previous::default());
    let wider = menus(
        "    name: string required\n    note: text nullable\n    code: { type: string, default: x, unique: true }\n",
    );
    let second = emitted(&wider, &after(&first));
    insta::assert_snapshot!(sql(&second));
    let versions: Vec<i64> = second.all.iter().map(|one| one.version).collect();
    assert_eq!(
        versions,
        [20_261_121_120_000, 20_261_121_120_001, 20_261_121_120_002]
    );
    assert_eq!(plain(&after(&second)), Schema::of(&wider));
}

#[test]
fn a_column_without_a_value_for_old_rows_is_destructive() {
    let first = emitted(&menus("    name: string required\n"), &Previous::default());
    let wider = menus("    name: string required\n    price: decimal(10,2) required\n");
    let refused = migrations(&wider, &after(&first), &options()).unwrap_err();
    assert_eq!(refused.exit, Exit::Destructive);
    let allowed = MigrationOptions {
        allow_destructive: true,
        ..options()
    };
    let run = migrations(&wider, &after(&first), &allowed).unwrap();
    assert_eq!(names(&run), ["add_price_to_menus"]);
    assert!(
        sql(&run).contains("SELECT *, 0 AS \"formwork_1\" FROM \"menus\";"),
        "{}",
        sql(&run)
    );
    assert_eq!(
        plain(&after(&run)),
        Schema::of(&wider),
        "the value for old rows is no default"
    );
}

const POINTING: &[(&str, &str)] = &[
    (
        "a/resources/dishes.yaml",
        "model:\n  attributes:\n    name: string required\n  relations:\n    cook: { belongs_to: cooks, column: cook_id }\n    tags: { many_to_many: tags, pivot: dish_tags, write: sync }\n    pictures: { morph_many: pictures, morph: shown, value: dishes }\n",
    ),
    (
        "b/resources/cooks.yaml",
        "model:\n  attributes:\n    name: string required\n  relations:\n    favourite: { belongs_to: dishes, column: dish_id }\n    best: { has_many: dishes, column: cook_id }\n",
    ),
    (
        "c/models/tags.yaml",
        "model:\n  attributes:\n    name: string required\n",
    ),
    (
        "c/models/pictures.yaml",
        "model:\n  attributes:\n    shown_type: string required\n    shown_id: bigint required\n",
    ),
];

#[test]
fn referenced_tables_are_created_first_and_a_constraint_closes_a_cycle() {
    let project = project(POINTING);
    let run = emitted(&project, &Previous::default());
    assert_eq!(
        names(&run),
        [
            "create_pictures",
            "create_tags",
            "create_dishes",
            "create_dish_tags",
            "create_cooks",
            "constrain_cook_id_in_dishes"
        ]
    );
    let (text, last) = (sql(&run), &run.new[5].sql[0].1);
    assert_eq!(
        text.matches("\"cook_id\" INTEGER REFERENCES").count(),
        1,
        "the earlier table points to nothing yet: {text}"
    );
    assert!(
        last.contains("ADD COLUMN \"cook_id\" INTEGER REFERENCES \"cooks\" (\"id\");"),
        "{last}"
    );
    assert!(
        text.contains("\"dish_id\" INTEGER REFERENCES \"dishes\" (\"id\")"),
        "{text}"
    );
    assert!(
        text.contains("CREATE INDEX \"dishes_cook_id_index\""),
        "{text}"
    );
    assert!(
        text.contains("PRIMARY KEY (\"dish_id\", \"tag_id\")"),
        "{text}"
    );
    assert!(
        text.contains("CREATE INDEX \"dish_tags_tag_id_index\""),
        "{text}"
    );
    assert!(
        text.contains("CREATE INDEX \"pictures_shown_type_shown_id_index\""),
        "{text}"
    );
    assert!(
        emitted(&project, &after(&run)).new.is_empty(),
        "every constraint is there"
    );
}

#[test]
fn one_unit_alone_leaves_the_others_for_later() {
    let project = project(POINTING);
    let units: BTreeSet<String> = ["c.tags".to_owned()].into();
    let only = MigrationOptions {
        units: Some(&units),
        ..options()
    };
    let run = migrations(&project, &Previous::default(), &only).unwrap();
    assert_eq!(names(&run), ["create_tags"]);
    let rest = emitted(&project, &after(&run));
    assert_eq!(rest.new.len(), 5);
    assert_eq!(after(&rest).schema.tables.len(), 5);
}

#[test]
fn a_manifest_that_disappears_never_drops_its_table() {
    let first = emitted(&project(POINTING), &Previous::default());
    let run = emitted(&project(&POINTING[2..]), &after(&first));
    assert!(
        run.new
            .iter()
            .all(|one| !sql(&run).contains("DROP TABLE") && !one.sql.is_empty())
    );
    assert_eq!(run.abandoned, ["cooks", "dish_tags", "dishes"]);
    assert_eq!(after(&run).schema.tables.len(), 5);
    assert_eq!(
        names(&emitted(&project(&POINTING[2..]), &after(&run))),
        [""; 0]
    );
}

#[test]
fn tables_are_kept_as_text_and_read_back() {
    for table in Schema::of(&project(POINTING)).tables.values() {
        let text = table.to_text();
        assert_eq!(Table::from_text(&text).as_ref(), Some(table), "{text}");
    }
    let odd = "table t\nunit a.t\nprimary id counted\ncolumn id bigint not_null\ncolumn n string(9) null default=\"a \\\" null\"\n<<<<<<< x\n";
    let table = Table::from_text(odd).unwrap();
    assert_eq!(table.columns[1].default.as_deref(), Some("a \" null"));
    assert_eq!(Table::from_text(&table.to_text()), Some(table));
    assert_eq!(Table::from_text("nothing\n"), None);
}

#[test]
fn one_default_has_one_form() {
    let decimal = ColumnType::Decimal(10, 2);
    assert_eq!(
        canonical(&decimal, &Literal::Int(3)),
        canonical(&decimal, &Literal::Number("3.0".into()))
    );
    assert_eq!(
        canonical(&ColumnType::Time, &Literal::Text("09:00".into())).as_deref(),
        Some("09:00:00")
    );
    assert_eq!(canonical(&ColumnType::Text, &Literal::Null), None);
}
