//! A ladder of manifests, climbed step by step with rows in the tables.

use crate::world::{Manifests, World};

const DISHES: &str = "shop/resources/dishes.yaml";
const PLATES: &str = "shop/resources/plates.yaml";
const CATEGORIES: &str = "shop/models/categories.yaml";
const TAGS: &str = "shop/models/tags.yaml";
const LABELS: &str = "shop/models/labels.yaml";

/// What changes in the manifests.
enum Edit {
    Write(&'static str, &'static str),
    Replace(&'static str, &'static str, &'static str),
    Rename(&'static str, &'static str),
    Remove(&'static str),
}

/// A rung: what it is, its edits, whether it destroys, and the migrations it gives.
struct Rung {
    edits: Vec<Edit>,
    destroys: bool,
    names: &'static str,
    /// Tables and columns under their new names: `table`, `table.column`.
    renamed: &'static [(&'static str, &'static str)],
}

fn rung(names: &'static str, edits: Vec<Edit>) -> Rung {
    Rung {
        edits,
        destroys: false,
        names,
        renamed: &[],
    }
}

impl Rung {
    fn destroys(self) -> Self {
        Self {
            destroys: true,
            ..self
        }
    }

    fn renamed(self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        Self { renamed, ..self }
    }
}

fn rungs() -> Vec<Rung> {
    use Edit::{Remove, Rename, Replace, Write};
    let first = "model:\n  attributes:\n    title: string required\n    price: integer required\n";
    vec![
        rung("create_dishes", vec![Write(DISHES, first)]),
        rung(
            "add_notes_to_dishes",
            vec![Replace(DISHES, "    price:", "    notes: text nullable\n    price:")],
        ),
        rung(
            "add_active_to_dishes",
            vec![Replace(DISHES, "    price:", "    active: { type: boolean, default: true }\n    price:")],
        ),
        rung("change_price_in_dishes", vec![Replace(DISHES, "price: integer", "price: bigint")]),
        rung(
            "make_title_unique_in_dishes",
            vec![Replace(DISHES, "title: string required", "title: string required|unique")],
        ),
        rung(
            "create_categories add_category_id_to_dishes",
            vec![
                Write(CATEGORIES, "model:\n  attributes:\n    name: string required\n"),
                Replace(DISHES, "price: bigint required\n", "price: bigint required\n  relations:\n    category: { belongs_to: categories }\n"),
            ],
        ),
        rung(
            "change_price_in_dishes",
            vec![Replace(DISHES, "price: bigint", "price: decimal(10,2)")],
        )
        .destroys(),
        rung(
            "change_price_in_dishes",
            vec![Replace(DISHES, "price: decimal(10,2)", "price: decimal(12,4)")],
        ),
        rung(
            "create_tags create_dish_tag",
            vec![
                Write(TAGS, "model:\n  attributes:\n    name: string required\n"),
                Replace(DISHES, "  relations:\n", "  relations:\n    tags: { many_to_many: tags, write: sync }\n"),
            ],
        ),
        rung(
            "rename_notes_to_remarks_in_dishes",
            vec![Replace(DISHES, "notes: text nullable", "remarks: { type: text, nullable: true, was: notes }")],
        )
        .renamed(&[("dishes.notes", "dishes.remarks")]),
        rung(
            "change_title_in_dishes",
            vec![Replace(DISHES, "title: string required", "title: string(300) required")],
        ),
        rung(
            "index_active_title_of_dishes",
            vec![Replace(DISHES, "  relations:\n", "  indexes: [[active, title]]\n  relations:\n")],
        ),
        rung(
            "change_remarks_in_dishes",
            vec![Replace(DISHES, "{ type: text, nullable: true, was: notes }", "{ type: text, default: none, was: notes }")],
        ),
        rung(
            "rename_dish_tag_to_plate_tag rename_dishes_to_plates rename_dish_id_to_plate_id_in_plate_tag",
            vec![Rename(DISHES, PLATES), Replace(PLATES, "model:\n", "was: dishes\nmodel:\n")],
        )
        .renamed(&[("dishes", "plates"), ("dish_tag", "plate_tag"), ("plate_tag.dish_id", "plate_tag.plate_id")]),
        rung(
            "add_parent_id_to_plates",
            vec![Replace(PLATES, "  relations:\n", "  relations:\n    parent: { belongs_to: plates }\n")],
        ),
        rung(
            "add_best_id_to_categories",
            vec![Write(CATEGORIES, "model:\n  attributes:\n    name: string required\n  relations:\n    best: { belongs_to: plates }\n")],
        ),
        rung(
            "drop_active_from_plates",
            vec![
                Replace(PLATES, "    active: { type: boolean, default: true }\n", ""),
                Replace(PLATES, "  indexes: [[active, title]]\n", ""),
            ],
        )
        .destroys(),
        rung(
            "add_supplier_to_plates",
            vec![Replace(PLATES, "    price:", "    supplier: string required\n    price:")],
        )
        .destroys(),
        rung("change_price_in_plates", vec![Replace(PLATES, "price: decimal(12,4)", "price: string(20)")]),
        rung(
            "drop_created_at_from_plates drop_updated_at_from_plates",
            vec![Replace(PLATES, "model:\n", "model:\n  timestamps: false\n")],
        )
        .destroys(),
        rung(
            "rename_id_to_plate_id_in_plates",
            vec![Replace(PLATES, "model:\n", "model:\n  key: { name: plate_id, was: id }\n")],
        )
        .renamed(&[("plates.id", "plates.plate_id")]),
        rung(
            "change_category_id_in_plates",
            vec![Replace(PLATES, "category: { belongs_to: categories }", "category: { belongs_to: categories, constraint: false }")],
        ),
        rung(
            "constrain_category_id_in_plates",
            vec![Replace(PLATES, ", constraint: false }", " }")],
        ),
        rung(
            "drop_unique_index_title_of_plates",
            vec![Replace(PLATES, "required|unique", "required")],
        ),
        rung(
            "add_id_to_plate_tag index_plate_id_of_plate_tag",
            vec![Write(
                LABELS,
                "model:\n  table: plate_tag\n  timestamps: false\n  relations:\n    plate: { belongs_to: plates, nullable: false }\n    tag: { belongs_to: tags, nullable: false }\n",
            )],
        ),
        rung(
            "change_tag_id_in_plate_tag change_id_in_tags",
            vec![Replace(TAGS, "model:\n", "model:\n  key: { name: id, type: string(40) }\n")],
        ),
        rung("drop_category_id_from_plates", vec![Replace(PLATES, "    category: { belongs_to: categories }\n", "")]).destroys(),
        rung("", vec![Remove(CATEGORIES)]),
        rung(
            "rename_plates_to_menu",
            vec![Replace(PLATES, "model:\n", "model:\n  table: { name: menu, was: plates }\n")],
        )
        .renamed(&[("plates", "menu")]),
        rung(
            "add_day_to_menu add_at_to_menu add_data_to_menu add_token_to_menu add_moment_to_menu",
            vec![Replace(
                PLATES,
                "    price:",
                "    day: { type: date, default: \"2026-01-31\" }\n    at: { type: time, default: \"12:30\" }\n    data: { type: json, default: { a: [1] } }\n    token: uuid nullable\n    moment: { type: datetime, default: \"2026-01-31T12:00:00Z\" }\n    price:",
            )],
        ),
        rung(
            "change_day_and_at_and_moment_in_menu",
            vec![
                Replace(PLATES, "{ type: date, default: \"2026-01-31\" }", "{ type: datetime, default: \"2026-01-31T00:00:00Z\" }"),
                Replace(PLATES, "{ type: time, default: \"12:30\" }", "{ type: string(8), default: \"12:30:00\" }"),
                Replace(PLATES, "{ type: datetime, default: \"2026-01-31T12:00:00Z\" }", "{ type: date, default: \"2026-01-31\" }"),
            ],
        )
        .destroys(),
    ]
}

fn edit(manifests: &mut Manifests, edit: &Edit) {
    match edit {
        Edit::Write(path, text) => {
            manifests.insert((*path).to_owned(), (*text).to_owned());
        }
        Edit::Replace(path, before, after) => {
            let text = manifests.get_mut(*path).expect("the manifest is there");
            assert_eq!(text.matches(before).count(), 1, "{before:?} in\n{text}");
            *text = text.replace(before, after);
        }
        Edit::Rename(from, to) => {
            let text = manifests.remove(*from).expect("the manifest is there");
            manifests.insert((*to).to_owned(), text);
        }
        Edit::Remove(path) => {
            manifests.remove(*path);
        }
    }
}

#[test]
fn every_rung_ends_in_what_its_manifests_alone_would_make_with_every_row() {
    let (mut world, mut manifests) = (World::new(), Manifests::new());
    let rungs = rungs();
    assert!(rungs.len() > 20);
    for (number, rung) in rungs.iter().enumerate() {
        rung.edits.iter().for_each(|one| edit(&mut manifests, one));
        let what = format!("rung {number}: {}", rung.names);
        let before = world.rows();
        assert_eq!(
            world.emit(&manifests, false).is_err(),
            rung.destroys,
            "{what}"
        );
        let run = world
            .emit(&manifests, true)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let names: Vec<&str> = run
            .new
            .iter()
            .map(|one| one.emitted.name.as_str())
            .collect();
        assert_eq!(names.join(" "), rung.names);
        world
            .apply(&run)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        world.assert_as_created(&manifests, &run, &what);
        rows_are_intact(&mut world, before, rung.renamed, &what);
        let batch = u32::try_from(number).expect("few rungs") + 1;
        let schema = world.schema().clone();
        world.database.fill(&schema, batch);
    }
    let count = world
        .database
        .query("SELECT CAST(count(*) AS TEXT) FROM menu");
    assert_eq!(count, [[(rungs.len() * 2).to_string()]]);
}

/// Rows that were there are there, and hold what they held wherever a column is as it was.
fn rows_are_intact(
    world: &mut World,
    before: std::collections::BTreeMap<
        String,
        (formwork_cli::schema::Table, crate::database::Rows),
    >,
    renamed: &[(&str, &str)],
    what: &str,
) {
    let now = |name: &str| {
        let found = renamed.iter().find(|(from, _)| *from == name);
        found.map_or(name, |(_, to)| *to).to_owned()
    };
    let after = world.rows();
    for (table, (known, rows)) in before {
        let table = now(&table);
        let (is, found) = after
            .get(&table)
            .unwrap_or_else(|| panic!("{what}: {table} is gone"));
        assert_eq!(rows.len(), found.len(), "{what}: rows of {table}");
        let kept: Vec<(String, String)> = known
            .columns
            .iter()
            .filter_map(|column| {
                let full = now(&format!("{table}.{}", column.name));
                let name = full.split_once('.').map_or("", |(_, name)| name);
                let same = is
                    .column(name)
                    .filter(|one| one.kind == column.kind && one.nullable == column.nullable);
                same.map(|one| (column.name.clone(), one.name.clone()))
            })
            .collect();
        let values = |rows: &crate::database::Rows, pick: &dyn Fn(&(String, String)) -> String| {
            let mut all: Vec<Vec<String>> = rows
                .values()
                .map(|row| kept.iter().map(|pair| row[&pick(pair)].clone()).collect())
                .collect();
            all.sort();
            all
        };
        assert_eq!(
            values(&rows, &|(from, _)| from.clone()),
            values(found, &|(_, to)| to.clone()),
            "{what}: values of {table}"
        );
    }
}

#[test]
fn values_mean_the_same_in_another_type() {
    let manifests = |kind: &str| -> Manifests {
        let text = format!("model:\n  timestamps: false\n  attributes:\n    x: {kind}\n");
        [(TAGS.to_owned(), text)].into()
    };
    for (before, after, stored, expected) in [
        (
            "decimal(10,2) required",
            "decimal(12,4) required",
            "-1250",
            "-125000",
        ),
        (
            "decimal(10,4) required",
            "decimal(10,2) required",
            "12355",
            "124",
        ),
        (
            "decimal(10,4) required",
            "decimal(10,2) required",
            "-12355",
            "-124",
        ),
        ("decimal(10,2) required", "text required", "-5", "'-0.05'"),
        (
            "decimal(10,2) required",
            "string(13) required",
            "123456",
            "'1234.56'",
        ),
        ("decimal(10,2) required", "integer required", "1250", "13"),
        ("decimal(10,2) required", "float required", "1250", "12.5"),
        ("decimal(10,2) required", "boolean required", "1250", "1"),
        (
            "decimal(10,2) required",
            "decimal(4,2) nullable",
            "1234567",
            "NULL",
        ),
        ("integer required", "decimal(10,2) required", "7", "700"),
        ("integer required", "text required", "-7", "'-7'"),
        ("bigint required", "integer required", "5000000000", "0"),
        ("bigint required", "integer nullable", "5000000000", "NULL"),
        (
            "bigint required",
            "{ type: integer, default: 3 }",
            "5000000000",
            "3",
        ),
        ("float required", "integer required", "2.5", "3"),
        ("boolean required", "text required", "1", "'true'"),
        ("boolean required", "json required", "0", "'false'"),
        ("text required", "integer required", "'12'", "12"),
        ("text required", "integer nullable", "'twelve'", "NULL"),
        ("text required", "decimal(10,2) required", "'12.5'", "1250"),
        ("text required", "boolean nullable", "'True'", "1"),
        ("text required", "boolean nullable", "'perhaps'", "NULL"),
        (
            "text required",
            "date nullable",
            "'2026-01-31 12:00'",
            "'2026-01-31'",
        ),
        ("text required", "date nullable", "'2026-02-31'", "NULL"),
        (
            "text required",
            "datetime nullable",
            "'2026-01-31 12:00:00'",
            "'2026-01-31T12:00:00.000000Z'",
        ),
        ("text required", "datetime nullable", "'12'", "NULL"),
        ("text required", "time nullable", "'09:30'", "'09:30:00'"),
        (
            "text required",
            "uuid nullable",
            "'00000000-0000-4000-8000-0000000000AB'",
            "'00000000-0000-4000-8000-0000000000ab'",
        ),
        ("text required", "uuid nullable", "'me'", "NULL"),
        ("text required", "json required", "'it''s'", "'\"it''s\"'"),
        ("text required", "json required", "'[1]'", "'[1]'"),
        ("text nullable", "json nullable", "NULL", "NULL"),
        (
            "date required",
            "datetime required",
            "'2026-01-31'",
            "'2026-01-31T00:00:00.000000Z'",
        ),
        (
            "datetime required",
            "date required",
            "'2026-01-31T12:00:00.000000Z'",
            "'2026-01-31'",
        ),
        (
            "datetime required",
            "time required",
            "'2026-01-31T12:30:00.000000Z'",
            "'12:30:00'",
        ),
        (
            "date required",
            "json required",
            "'2026-01-31'",
            "'\"2026-01-31\"'",
        ),
        ("string required", "string(3) required", "'abcde'", "'abc'"),
        ("string nullable", "string required", "NULL", "''"),
        (
            "string nullable",
            "{ type: string, default: x }",
            "NULL",
            "'x'",
        ),
        (
            "{ type: \"decimal(10,2)\", storage: native }",
            "decimal(10,2) required",
            "12.5",
            "1250",
        ),
        (
            "decimal(10,2) required",
            "{ type: \"decimal(10,2)\", storage: native }",
            "1250",
            "12.5",
        ),
        (
            "{ type: \"decimal(10,2)\", storage: native }",
            "text required",
            "12.5",
            "'12.50'",
        ),
    ] {
        let what = format!("{before} to {after}");
        let mut world = World::created(&manifests(before));
        let insert = format!("INSERT INTO tags (id, x) VALUES (7, {stored})");
        world.database.execute(&insert).expect("a row");
        let run = world.emit(&manifests(after), true).expect("allowed");
        world
            .apply(&run)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let value = world.database.query("SELECT quote(x) FROM tags");
        assert_eq!(value, [[expected]], "{what}");
    }
}

#[test]
fn a_rebuild_gives_no_key_twice_and_stops_before_it_loses_what_it_does_not_know() {
    let manifests = |kind: &str| -> Manifests {
        let text = format!("model:\n  attributes:\n    x: {kind} required\n");
        [(TAGS.to_owned(), text)].into()
    };
    let filled = || {
        let mut world = World::created(&manifests("integer"));
        let rows = "INSERT INTO tags (x) VALUES (1), (2), (3); DELETE FROM tags WHERE id > 1";
        world.database.execute(rows).expect("rows");
        world
    };
    let mut world = filled();
    let run = world
        .emit(&manifests("text"), false)
        .expect("nothing is lost");
    world.apply(&run).expect("applied");
    world
        .database
        .execute("INSERT INTO tags (x) VALUES ('new')")
        .expect("a row");
    assert_eq!(
        world
            .database
            .query("SELECT CAST(max(id) AS TEXT) FROM tags"),
        [["4"]]
    );
    for (by_hand, left) in [
        (
            "ALTER TABLE tags ADD COLUMN mine TEXT",
            "SELECT CAST(count(mine) AS TEXT) FROM tags",
        ),
        (
            "CREATE INDEX mine ON tags (created_at)",
            "SELECT '0' FROM sqlite_master WHERE name = 'mine'",
        ),
        (
            "CREATE TRIGGER mine AFTER INSERT ON tags BEGIN SELECT 1; END",
            "SELECT '0' FROM sqlite_master WHERE name = 'mine'",
        ),
    ] {
        let mut world = filled();
        world.database.execute(by_hand).expect("by hand");
        let error = world.apply(&run).expect_err("stopped");
        assert!(
            error.contains(
                "tags has columns, indexes or triggers that this migration does not know"
            ),
            "{error}"
        );
        assert_eq!(world.database.query(left), [["0"]]);
    }
}
