//! Primary keys of another type, with everything that points to them.

use formwork_cli::project::Database as Kind;

use crate::server::{databases, foreign_keys};
use crate::world::{Manifests, World};

const TAGS: &str = "shop/resources/tags.yaml";
const MENUS: &str = "shop/resources/menus.yaml";

/// Tags that point to each other, and menus that point to one, and to many.
fn manifests(key: &str) -> Manifests {
    let tags = format!(
        "model:\n  key: {key}\n  attributes:\n    name: string required|unique\n  relations:\n    parent: {{ belongs_to: tags }}\n"
    );
    let menus = "model:\n  attributes:\n    title: { type: string, index: true }\n  relations:\n    first: { belongs_to: tags, nullable: false }\n    others: { many_to_many: tags, write: sync }\n";
    [
        (TAGS.to_owned(), tags),
        (MENUS.to_owned(), menus.to_owned()),
    ]
    .into()
}

fn typed(kind: &str) -> Manifests {
    manifests(&format!("{{ name: id, type: {kind} }}"))
}

/// Tags with these keys, the second below the first; a menu points to both.
fn filled(database: Kind, kind: &str, keys: [&str; 2]) -> World {
    let mut world = World::created_on(database, &typed(kind));
    let [one, other] = keys;
    for sql in [
        format!(
            "INSERT INTO tags (id, name, parent_id) VALUES ({one}, 'a', NULL), ({other}, 'b', {one})"
        ),
        format!("INSERT INTO menus (id, title, first_id) VALUES (3, 'm', {other})"),
        format!("INSERT INTO menu_tag (menu_id, tag_id) VALUES (3, {one}), (3, {other})"),
    ] {
        world.database.execute(&sql).expect("rows");
    }
    world
}

/// References between rows, by names: one for each link of the menu.
const PATHS: &str = "SELECT CONCAT(b.name, ' ', a.name, ' ', m.title, ' ', t.name) FROM tags a JOIN tags b ON b.parent_id = a.id \
                     JOIN menus m ON m.first_id = b.id JOIN menu_tag p ON p.menu_id = m.id \
                     JOIN tags t ON t.id = p.tag_id ORDER BY t.name";

/// What [`PATHS`] finds.
const FOUND: [[&str; 1]; 2] = [["b a m a"], ["b a m b"]];

#[test]
fn references_follow_a_changed_key_in_one_migration() {
    databases().into_iter().for_each(assert_follows);
}

fn assert_follows(database: Kind) {
    let uuid = "'00000000-0000-4000-8000-00000000000a'";
    for (before, after, keys, destroys, expected) in [
        ("bigint", "string(40)", ["1", "-7"], false, "-7"),
        (
            "bigint",
            "uuid",
            ["1", "4294967297"],
            true,
            "00000000-0000-0000-0000-000100000001",
        ),
        (
            "bigint",
            "uuid",
            ["1", "-1"],
            true,
            "00000000-0000-0000-ffff-ffffffffffff",
        ),
        ("string(40)", "string(80)", ["'x'", "'y''s'"], false, "y's"),
        ("string(40)", "string(20)", ["'x'", "'y'"], true, "y"),
        ("string(40)", "bigint", ["'1'", "'22'"], true, "22"),
        (
            "string(40)",
            "uuid",
            [uuid, "'00000000-0000-4000-8000-00000000000B'"],
            true,
            "00000000-0000-4000-8000-00000000000b",
        ),
        (
            "uuid",
            "string(36)",
            [uuid, "'00000000-0000-4000-8000-00000000000b'"],
            false,
            "00000000-0000-4000-8000-00000000000b",
        ),
    ] {
        let what = format!("{database:?}: {before} to {after}");
        let mut world = filled(database, before, keys);
        let next = typed(after);
        let refused = world
            .emit(&next, false)
            .err()
            .map(|refused| refused.to_string());
        assert_eq!(refused.is_some(), destroys, "{what}: {refused:?}");
        let statement = match database {
            Kind::Sqlite => ["INSERT INTO \"formwork_new_tags\"", "UPDATE \"tags\""],
            Kind::Postgres => ["ALTER TABLE \"tags\""; 2],
            Kind::Mysql => ["ALTER TABLE `tags`", "UPDATE `tags`"],
        };
        let shows = |text: String| {
            let mut statements = statement.iter();
            statements.any(|one| text.contains(&format!("\n    {one}")))
        };
        assert!(refused.is_none_or(shows), "{what}");
        let run = world.emit(&next, true).expect("allowed");
        let names: Vec<&str> = run
            .new
            .iter()
            .map(|one| one.emitted.name.as_str())
            .collect();
        assert_eq!(names, ["change_id_and_parent_id_in_tags"], "{what}");
        world
            .apply(&run)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        world.assert_as_created(&next, &run, &what);
        assert_eq!(world.database.query(PATHS), FOUND, "{what}");
        let key = "SELECT CONCAT(id, '') FROM tags WHERE name = 'b'";
        assert_eq!(world.database.query(key), [[expected]], "{what}");
        if after == "bigint" {
            // The database counts on from the keys that are there.
            let insert = "INSERT INTO tags (name) VALUES ('c')";
            world.database.execute(insert).expect("a row");
            let counted = "SELECT CONCAT(id, '') FROM tags WHERE name = 'c'";
            assert_eq!(world.database.query(counted), [["23"]], "{what}");
        }
    }
}

#[test]
fn keys_that_have_no_value_in_the_new_type_stop_before_anything_is_lost() {
    databases().into_iter().for_each(assert_stops);
}

fn assert_stops(database: Kind) {
    for (after, keys, kind) in [
        ("bigint", ["'1'", "'two'"], "bigint"),
        ("uuid", ["'1'", "'2'"], "uuid"),
        ("bigint", ["'1'", "'01'"], ""),
        ("string(2)", ["'abc'", "'abd'"], ""),
    ] {
        let what = format!("{database:?}: {keys:?} to {after}");
        let mut world = filled(database, "string(40)", keys);
        let before = world.database.described();
        let run = world.emit(&typed(after), true).expect("allowed");
        let error = world.apply(&run).expect_err(&what);
        let expected = match (kind, database) {
            ("", Kind::Mysql) => "duplicate entry",
            ("", _) => "unique",
            (_, Kind::Mysql) => "formwork_new_id",
            (kind, _) => &format!("tags has rows whose id is no {kind}"),
        };
        assert!(error.to_lowercase().contains(expected), "{what}: {error}");
        // MariaDB has made the statements before.
        if database != Kind::Mysql {
            assert_eq!(world.database.described(), before, "{what}");
        }
        assert_eq!(world.database.query(PATHS), FOUND, "{what}");
    }
}

#[test]
fn a_key_that_was_corrected_lets_the_migration_go_on() {
    for database in databases() {
        let mut world = filled(database, "string(40)", ["'1'", "'two'"]);
        let next = typed("bigint");
        let run = world.emit(&next, true).expect("allowed");
        world.apply(&run).expect_err("no number");
        let [off, on] = foreign_keys(database);
        for sql in [
            off,
            "UPDATE tags SET id = '2' WHERE id = 'two'",
            "UPDATE menus SET first_id = '2' WHERE first_id = 'two'",
            "UPDATE menu_tag SET tag_id = '2' WHERE tag_id = 'two'",
            on,
        ] {
            world.database.execute(sql).expect("corrected");
        }
        world.apply(&run).expect("it goes on");
        world.assert_as_created(&next, &run, "corrected");
        assert_eq!(world.database.query(PATHS), FOUND, "{database:?}");
    }
}

#[test]
fn a_key_is_renamed_and_changed_at_once() {
    for database in databases() {
        let mut world = filled(database, "bigint", ["1", "2"]);
        let next = manifests("{ name: tag_key, type: string, was: id }");
        let run = world.emit(&next, false).expect("nothing is lost");
        world.apply(&run).expect("applied");
        world.assert_as_created(&next, &run, "renamed and changed");
        let paths = PATHS
            .replace("t.id = p.tag_id", "t.tag_key = p.tag_key")
            .replace("a.id", "a.tag_key")
            .replace("b.id", "b.tag_key");
        assert_eq!(world.database.query(&paths), FOUND, "{database:?}");
    }
}

#[test]
fn a_table_without_its_manifest_follows_a_changed_key() {
    for database in databases() {
        let mut world = filled(database, "bigint", ["1", "2"]);
        let mut next = typed("uuid");
        next.remove(MENUS);
        let run = world.emit(&next, true).expect("allowed");
        world.apply(&run).expect("applied");
        assert_eq!(world.database.query(PATHS), FOUND, "{database:?}");
        assert_eq!(run.abandoned, ["menu_tag", "menus"]);
    }
}

/// Menus' numbers of a tag, which from now on refer to another table, or to none.
#[test]
fn a_reference_to_another_table_keeps_its_values() {
    databases().into_iter().for_each(assert_keeps_values);
}

fn assert_keeps_values(database: Kind) {
    let elsewhere = "model:\n  relations:\n    first: { belongs_to: menus, nullable: false }\n";
    let nowhere = "model:\n  attributes:\n    first_id: bigint\n";
    let text = "model:\n  attributes:\n    first_id: string(40)\n";
    for menus in [elsewhere, nowhere, text] {
        for kind in ["uuid", "string(40)"] {
            let what = format!("{database:?}: {kind}, {menus}");
            let mut before = typed("bigint");
            let model = "model:\n  relations:\n    first: { belongs_to: tags, nullable: false }\n";
            before.insert(MENUS.to_owned(), model.to_owned());
            let mut world = World::created_on(database, &before);
            for sql in [
                "INSERT INTO tags (id, name) VALUES (3, 'a')",
                "INSERT INTO menus (id, first_id) VALUES (3, 3)",
            ] {
                world.database.execute(sql).expect("rows");
            }
            let mut next = typed(kind);
            next.insert(MENUS.to_owned(), menus.to_owned());
            let run = world.emit(&next, true).expect("allowed");
            world
                .apply(&run)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            world.assert_as_created(&next, &run, &what);
            let found = "SELECT CONCAT(first_id, '') FROM menus";
            assert_eq!(world.database.query(found), [["3"]], "{what}");
        }
    }
}
