//! Whatever a database holds, `manifest check` takes what is imported of it.

use proptest::collection::{btree_set, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::{Index as Pick, select};

use super::*;
use crate::import::catalogue::{CatalogueForeignKey, CatalogueIndex, ColumnDefault};
use crate::import::known;
use crate::import::write;
use crate::manifest::{Sources, manifest_path};
use crate::resolve::resolve;
use crate::state::State;

/// Names that collide: with Rust, with the prelude, with the runtime, with each other, and too long ones.
#[rustfmt::skip] // several in a line
const TABLES: &[&str] = &[
    "menu", "menus", "Menus", "menu_2", "menus_2", "MenuItem", "menu_items", "menu_item", "match", "self",
    "crate", "type", "fn", "option", "results", "strings", "box", "vec", "request", "requests", "context",
    "model", "resource", "extension", "repository", "std", "formwork", "default", "test", "token", "docs",
    "admin", "admin_users", "formwork_x", "fw_api_tokens", "data", "series", "_1", "1st", "__", "odd name",
    "straße", "users", "sessions", "ti_menu", "ti_",
    "a23456789b23456789c23456789d23456789e23456789f23456789g23456789",
    "a23456789b23456789c23456789d23456789e23456789f23456789g2345678_s",
    "a23456789b23456789c23456789d23456789e23456789f23456789g2345678",
    "a23456789b23456789c23456789d23456789e23456789f23456789g23456789h1",
];

#[rustfmt::skip] // several in a line
const COLUMNS: &[&str] = &[
    "id", "ID", "menu_id", "menuId", "user_id", "option_id", "self", "type", "fn", "match", "crate", "name",
    "Name", "links", "menus", "menu", "has", "into", "record", "ctx", "default", "created_at", "updated_at",
    "deleted_at", "email", "password", "accessToken", "thing_type", "thing_id", "1st", "_", "odd name",
    "a23456789b23456789c23456789d23456789e23456789f23456789g2345678",
    "a23456789b23456789c23456789d23456789e23456789f23456789g23456789h1",
];

fn kind() -> impl Strategy<Value = Option<ColumnType>> {
    of(select(vec![
        ColumnType::BigInt,
        ColumnType::BigInt,
        ColumnType::Integer,
        ColumnType::String(40),
        ColumnType::Text,
        ColumnType::Boolean,
        ColumnType::Uuid,
        ColumnType::Date,
        ColumnType::DateTime,
        ColumnType::Json,
        ColumnType::Float,
        ColumnType::Decimal(10, 2),
        ColumnType::Enum(vec!["open".to_owned(), "sold out".to_owned()]),
    ]))
}

fn column() -> impl Strategy<Value = CatalogueColumn> {
    let default = of(prop_oneof![
        select(&["0", "x", "open", "2020-01-01"][..])
            .prop_map(|text| ColumnDefault::Value(text.to_owned())),
        Just(ColumnDefault::Expression("now()".to_owned())),
    ]);
    let facts = (any::<bool>(), any::<bool>(), default);
    (select(COLUMNS), kind(), facts).prop_map(|(name, kind, (nullable, is_generated, default))| {
        CatalogueColumn {
            kind,
            nullable,
            is_generated: is_generated && default.is_none(),
            default,
            ..CatalogueColumn::new(name, "declared")
        }
    })
}

/// A table whose keys and indexes are of its own columns; what it points to is chosen later.
fn table() -> impl Strategy<Value = (CatalogueTable, Vec<(Pick, Pick, bool)>)> {
    let picks = || vec(any::<Pick>(), 0..3);
    let foreign = vec((any::<Pick>(), any::<Pick>(), any::<bool>()), 0..3);
    let names = (select(TABLES), any::<bool>());
    (
        names,
        vec(column(), 1..9),
        picks(),
        vec((picks(), any::<bool>()), 0..3),
        foreign,
    )
        .prop_map(
            |((name, is_view), mut columns, primary, indexes, foreign)| {
                let mut seen = std::collections::BTreeSet::new();
                columns.retain(|column| seen.insert(column.name.to_lowercase()));
                let named = |picks: &[Pick]| {
                    let names = picks.iter().map(|pick| pick.get(&columns).name.clone());
                    let mut names: Vec<String> = names.collect();
                    names.sort();
                    names.dedup();
                    names
                };
                let indexes = indexes.iter().map(|(columns, is_unique)| CatalogueIndex {
                    columns: named(columns),
                    is_unique: *is_unique,
                });
                let kinds = columns
                    .iter()
                    .filter(|column| column.name.ends_with("_type"));
                let values = || {
                    vec![
                        "App\\Models\\Menu".to_owned(),
                        "users".to_owned(),
                        "x".to_owned(),
                    ]
                };
                let table = CatalogueTable {
                    name: name.to_owned(),
                    is_view: is_view && primary.is_empty(),
                    primary: named(&primary),
                    indexes: indexes.filter(|index| !index.columns.is_empty()).collect(),
                    kinds_found: kinds
                        .map(|column| (column.name.clone(), values()))
                        .collect(),
                    checks: vec!["price >= 0".to_owned()],
                    columns: columns.clone(),
                    ..CatalogueTable::default()
                };
                (table, foreign)
            },
        )
}

fn catalogue() -> impl Strategy<Value = Catalogue> {
    let kinds = select(vec![Database::Sqlite, Database::Postgres, Database::Mysql]);
    (kinds, vec(table(), 1..9)).prop_map(|(database, mut tables)| {
        let mut seen = std::collections::BTreeSet::new();
        tables.retain(|(table, _)| seen.insert(table.name.clone()));
        let names: Vec<String> = tables.iter().map(|(table, _)| table.name.clone()).collect();
        let tables = tables.into_iter().map(|(mut table, foreign)| {
            for (column, target, is_named) in foreign {
                table.foreign.push(CatalogueForeignKey {
                    column: column.get(&table.columns).name.clone(),
                    table: target.get(&names).clone(),
                    other: is_named.then(|| "id".to_owned()),
                });
            }
            table
        });
        let mut tables: Vec<CatalogueTable> = tables.collect();
        tables.sort_by(|one, other| one.name.cmp(&other.name));
        Catalogue {
            database,
            tables,
            unreachable: Vec::new(),
        }
    })
}

/// Imports a catalogue beside the manifests in `sources`.
fn import(catalogue: &Catalogue, sources: &mut Sources, folder: &str) -> Vec<(String, String)> {
    let options = Options {
        prefix: "ti_".to_owned(),
        table_prefix: "fw_".to_owned(),
        known: known::read(&State::default(), sources, folder).expect("no record"),
        ..Options::default()
    };
    let described = describe(catalogue, &options);
    let manifests = described.manifests.iter();
    let texts = manifests.map(|one| (manifest_path(folder, one.kind, &one.key), write::text(one)));
    let texts: Vec<(String, String)> = texts.collect();
    for (path, text) in &texts {
        sources.set(path.clone(), text.clone());
    }
    texts
}

fn assert_legal(sources: &Sources, catalogue: &Catalogue) -> Result<(), TestCaseError> {
    if let Err(found) = resolve(sources) {
        let said = crate::diagnostic::render(&found, sources, false);
        return Err(TestCaseError::fail(format!("{said}\n{catalogue:#?}")));
    }
    Ok(())
}

fn project(database: Database) -> Sources {
    let kind = match database {
        Database::Sqlite => "sqlite",
        Database::Postgres => "postgres",
        Database::Mysql => "mysql",
    };
    let config = format!("database: {{ kinds: {kind}, table_prefix: fw_ }}\n");
    let words =
        "name: Words\nmodel: { table: menu_2, attributes: { label: string } }\nactions: [index]\n";
    let cargo = "[package]\nname = \"bistro\"\n";
    Sources::from_texts([
        ("formwork.yaml", config.as_str()),
        ("Cargo.toml", cargo),
        ("extensions/own/resources/menus.yaml", words),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::tests::cases(48)))]

    #[test]
    fn every_catalogue_gives_manifests_without_a_mistake(catalogue in catalogue()) {
        let mut sources = project(catalogue.database);
        let first = import(&catalogue, &mut sources, "app");
        assert_legal(&sources, &catalogue)?;
        let again = import(&catalogue, &mut sources, "app");
        prop_assert_eq!(&first, &again, "keys stay");
        let other = import(&catalogue, &mut sources, "other");
        prop_assert_eq!(other, Vec::new(), "an extension describes them already");
    }

    #[test]
    fn a_part_of_a_catalogue_and_then_the_rest(catalogue in catalogue(), picked in btree_set(0..9_usize, 0..5)) {
        let mut sources = project(catalogue.database);
        let part = Catalogue {
            tables: catalogue.tables.iter().enumerate().filter(|(place, _)| picked.contains(place)).map(|(_, table)| table.clone()).collect(),
            ..catalogue.clone()
        };
        let keys = |manifests: &[(String, String)]| -> Vec<(String, String)> {
            let table = |text: &str| text.lines().find(|line| line.starts_with("  table: ")).map(str::to_owned);
            let key = |path: &str| path.rsplit('/').next().map(str::to_owned);
            manifests.iter().filter_map(|(path, text)| Some((table(text)?, key(path)?))).collect()
        };
        let first = keys(&import(&part, &mut sources, "app"));
        let all = keys(&import(&catalogue, &mut sources, "app"));
        for (table, key) in first {
            let same = all.iter().find(|(other, _)| *other == table);
            prop_assert!(same.is_none_or(|(_, other)| *other == key), "{table}: {key}, then {same:?}");
        }
    }
}
