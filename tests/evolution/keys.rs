//! Primary keys of another type, with everything that points to them.

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
fn filled(kind: &str, keys: [&str; 2]) -> World {
    let mut world = World::created(&typed(kind));
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

/// References between rows, by names.
const PATHS: &str = "SELECT b.name || ' ' || a.name || ' ' || m.title || ' ' || (SELECT group_concat(name) FROM (SELECT t.name FROM menu_tag p JOIN tags t ON t.id = p.tag_id WHERE p.menu_id = m.id ORDER BY t.name)) \
                     FROM tags a JOIN tags b ON b.parent_id = a.id JOIN menus m ON m.first_id = b.id";

#[test]
fn what_points_to_a_key_follows_it_in_one_migration() {
    let uuid = "'00000000-0000-4000-8000-00000000000a'";
    for (before, after, keys, destroys, expected) in [
        ("bigint", "string(40)", ["1", "-7"], false, "'-7'"),
        (
            "bigint",
            "uuid",
            ["1", "4294967297"],
            true,
            "'00000000-0000-0000-0000-000100000001'",
        ),
        (
            "bigint",
            "uuid",
            ["1", "-1"],
            true,
            "'00000000-0000-0000-ffff-ffffffffffff'",
        ),
        (
            "string(40)",
            "string(80)",
            ["'x'", "'y''s'"],
            false,
            "'y''s'",
        ),
        ("string(40)", "string(20)", ["'x'", "'y'"], true, "'y'"),
        ("string(40)", "bigint", ["'1'", "'22'"], true, "22"),
        (
            "string(40)",
            "uuid",
            [uuid, "'00000000-0000-4000-8000-00000000000B'"],
            true,
            "'00000000-0000-4000-8000-00000000000b'",
        ),
        (
            "uuid",
            "string(36)",
            [uuid, "'00000000-0000-4000-8000-00000000000b'"],
            false,
            "'00000000-0000-4000-8000-00000000000b'",
        ),
    ] {
        let what = format!("{before} to {after}");
        let mut world = filled(before, keys);
        let next = typed(after);
        let refused = world
            .emit(&next, false)
            .err()
            .map(|refused| refused.to_string());
        assert_eq!(refused.is_some(), destroys, "{what}: {refused:?}");
        assert!(
            refused.is_none_or(
                |text| text.contains("\n    INSERT INTO \"formwork_new_tags\"")
                    || text.contains("\n    UPDATE \"tags\"")
            ),
            "{what}"
        );
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
        assert_eq!(world.database.query(PATHS), [["b a m a,b"]], "{what}");
        let key = world
            .database
            .query("SELECT quote(id) FROM tags WHERE name = 'b'");
        assert_eq!(key, [[expected]], "{what}");
    }
}

#[test]
fn keys_that_have_no_value_in_the_new_type_stop_before_anything_is_lost() {
    for (after, keys, reason) in [
        (
            "bigint",
            ["'1'", "'two'"],
            "tags has rows whose id is no bigint",
        ),
        ("bigint", ["'1'", "'01'"], "UNIQUE"),
        ("uuid", ["'1'", "'2'"], "tags has rows whose id is no uuid"),
        ("string(2)", ["'abc'", "'abd'"], "UNIQUE"),
    ] {
        let mut world = filled("string(40)", keys);
        let before = world.database.described();
        let run = world.emit(&typed(after), true).expect("allowed");
        let error = world.apply(&run).expect_err(after);
        assert!(error.contains(reason), "{after}: {error}");
        assert_eq!(world.database.described(), before, "{after}");
        assert_eq!(world.database.query(PATHS), [["b a m a,b"]], "{after}");
    }
}

#[test]
fn a_key_is_renamed_and_changed_at_once() {
    let mut world = filled("bigint", ["1", "2"]);
    let next = manifests("{ name: tag_key, type: string, was: id }");
    let run = world.emit(&next, false).expect("nothing is lost");
    world.apply(&run).expect("applied");
    world.assert_as_created(&next, &run, "renamed and changed");
    let paths = PATHS
        .replace("t.id = p.tag_id", "t.tag_key = p.tag_key")
        .replace("a.id", "a.tag_key")
        .replace("b.id", "b.tag_key");
    assert_eq!(world.database.query(&paths), [["b a m a,b"]]);
}

#[test]
fn a_table_whose_manifest_is_gone_follows_as_well() {
    let mut world = filled("bigint", ["1", "2"]);
    let mut next = typed("uuid");
    next.remove(MENUS);
    let run = world.emit(&next, true).expect("allowed");
    world.apply(&run).expect("applied");
    assert_eq!(world.database.query(PATHS), [["b a m a,b"]]);
    assert_eq!(run.abandoned, ["menu_tag", "menus"]);
}

/// Menus' numbers of a tag, which from now on refer to another table, or to none.
#[test]
fn what_points_elsewhere_from_now_on_keeps_its_values() {
    let elsewhere = "model:\n  relations:\n    first: { belongs_to: menus, nullable: false }\n";
    let nowhere = "model:\n  attributes:\n    first_id: bigint\n";
    let text = "model:\n  attributes:\n    first_id: string(40)\n";
    for (menus, expected) in [(elsewhere, "3"), (nowhere, "3"), (text, "'3'")] {
        for kind in ["uuid", "string(40)"] {
            let what = format!("{kind}, {menus}");
            let mut before = typed("bigint");
            let model = "model:\n  relations:\n    first: { belongs_to: tags, nullable: false }\n";
            before.insert(MENUS.to_owned(), model.to_owned());
            let mut world = World::created(&before);
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
            let found = world.database.query("SELECT quote(first_id) FROM menus");
            assert_eq!(found, [[expected]], "{what}");
        }
    }
}
