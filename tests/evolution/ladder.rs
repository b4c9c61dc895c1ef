//! A ladder of manifests, climbed step by step with rows in the tables.

use formwork_cli::project::Database as Kind;

use crate::server::servers;
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
            "change_id_in_tags",
            vec![Replace(TAGS, "model:\n", "model:\n  key: { name: id, type: string(40) }\n")],
        ),
        rung("change_id_in_tags", vec![Replace(TAGS, "string(40)", "string(60)")]),
        rung("change_id_in_tags", vec![Replace(TAGS, "string(60)", "bigint")]).destroys(),
        rung("change_id_in_tags", vec![Replace(TAGS, "bigint", "uuid")]).destroys(),
        rung("change_id_in_tags", vec![Replace(TAGS, "type: uuid", "type: string(36)")]),
        rung("change_plate_id_and_parent_id_in_plates", vec![Replace(PLATES, "was: id }", "was: id, type: uuid }")]).destroys(),
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
fn every_rung_has_the_tables_of_a_new_project_and_keeps_every_row() {
    climb(Kind::Sqlite);
}

#[test]
fn every_rung_holds_on_servers_as_well() {
    servers().into_iter().for_each(climb);
}

/// The manifests of the last rung.
pub fn last_rung() -> Manifests {
    let mut manifests = Manifests::new();
    for rung in rungs() {
        rung.edits.iter().for_each(|one| edit(&mut manifests, one));
    }
    manifests
}

/// Each step is undone, where that loses nothing, and made again.
fn climb(kind: Kind) {
    let (mut world, mut manifests) = (World::on(kind), Manifests::new());
    let rungs = rungs();
    assert!(rungs.len() > 20);
    let mut undone = 0;
    for (number, rung) in rungs.iter().enumerate() {
        rung.edits.iter().for_each(|one| edit(&mut manifests, one));
        let what = format!("{kind:?}, rung {number}: {}", rung.names);
        let (before, described) = (world.rows(), world.database.described());
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
        let schema = world.schema().clone();
        world
            .apply(&run)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        let after = world.database.described();
        match world.database.undo(&run) {
            Ok(()) => {
                undone += 1;
                assert_eq!(world.database.described(), described, "{what}: undone");
                for table in schema.tables.values() {
                    let rows = &before[&table.name].1;
                    assert_eq!(
                        &world.database.rows(table),
                        rows,
                        "{what}: rows of {}",
                        table.name
                    );
                }
                let again = world.database.migrate(&run);
                again.unwrap_or_else(|error| panic!("{what}: again: {error}"));
                assert_eq!(world.database.described(), after, "{what}: again");
            }
            Err(reason) => {
                let loses = rung.destroys
                    || rung.names.contains("change")
                    || rung.names.contains("constrain");
                let rebuilt = ["add_id_to_plate_tag", "drop_"]
                    .iter()
                    .any(|name| rung.names.starts_with(name));
                // The runtime drops no column with values; those of a default are some.
                let filled = reason.contains("holds values") && rung.names.starts_with("add_");
                assert!(loses || rebuilt || filled, "{what}: {reason}");
                assert_eq!(world.database.described(), after, "{what}: not undone");
            }
        }
        world.assert_as_created(&manifests, &run, &what);
        world.assert_rows_intact(&before, rung.renamed, &what);
        let batch = u32::try_from(number).expect("few rungs") + 1;
        let schema = world.schema().clone();
        world.database.fill(&schema, batch);
    }
    assert!(undone >= 14, "{kind:?}: {undone}");
    let rows = world.database.query("SELECT 'a row' FROM menu");
    assert_eq!(rows.len(), rungs.len() * 2);
}
