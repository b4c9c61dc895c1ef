//! Names that are one to SQLite, and words of manifests in the SQL that says them.

use formwork_cli::exit::Exit;
use formwork_cli::project::Database as Kind;

use crate::server::databases;
use crate::world::{Manifests, World};

fn manifests<const N: usize>(all: [(&str, &str); N]) -> Manifests {
    let named = all.map(|(key, model)| (format!("shop/models/{key}.yaml"), model.to_owned()));
    named.into()
}

/// What a first run says that is refused.
#[track_caller]
fn refused(manifests: &Manifests) -> String {
    let refused = World::new().emit(manifests, true).expect_err("refused");
    assert_eq!(refused.exit, Exit::Usage);
    refused.to_string()
}

#[test]
fn indexes_of_one_name_are_refused() {
    let column = |name: &str| {
        format!(
            "model:\n  attributes:\n    {name}: {{ type: string, index: true, nullable: true }}\n"
        )
    };
    let (long, short) = (column("items_state"), column("state"));
    let both = manifests([("orders", &long), ("orders_items", &short)]);
    let said = refused(&both);
    assert!(said.contains("orders_items_state_index"), "{said}");
    assert!(said.contains("the index of orders (items_state)"), "{said}");
    let pairs = "model:\n  attributes: { a: string nullable, b: string nullable, a_b: string nullable }\n  indexes: [[a_b], [a, b]]\n";
    assert!(refused(&manifests([("pairs", pairs)])).contains("pairs_a_b_index"));
    let table = manifests([("orders", &long), ("orders_items_state_index", &short)]);
    assert!(refused(&table).contains("the table orders_items_state_index"));
    // Names that are similar but different have no effect.
    World::created(&manifests([("orders", &long), ("orders_item", &short)]));
}

#[test]
fn a_table_that_was_written_with_capitals_keeps_its_rows() {
    let with = |table: &str| {
        let text = format!(
            "model:\n  table: {table}\n  attributes: {{ name: \"string required|unique\" }}\n"
        );
        let pointing = "model:\n  relations: { meal: { belongs_to: meals } }\n";
        manifests([("meals", &text), ("orders", pointing)])
    };
    let mut world = World::created(&with("Meals"));
    let rows = "INSERT INTO Meals (name) VALUES ('soup'); INSERT INTO orders (meal_id) VALUES (1)";
    world.database.execute(rows).expect("rows");
    let refused = world.emit(&with("meals"), true).expect_err("no `was`");
    assert!(
        refused.problems[0].message.contains("the table Meals"),
        "{refused:?}"
    );
    let after = with("{ name: meals, was: Meals }");
    let run = world.emit(&after, false).expect("nothing is lost");
    world.apply(&run).expect("applied");
    world.assert_as_created(&after, &run, "meals");
    let joined = world
        .database
        .query("SELECT name FROM meals JOIN orders ON meal_id = meals.id");
    assert_eq!(joined, [["soup"]]);
}

#[test]
fn a_default_of_several_lines_is_no_sql() {
    let with = |default: &str| {
        let note = format!("note: {{ type: text, default: {default:?} }}");
        let title = format!("title: {{ type: string, default: {default:?} }}");
        let data = format!("data: {{ type: json, default: [{default:?}] }}");
        let text = format!("model:\n  attributes:\n    {note}\n    {title}\n    {data}\n");
        manifests([("letters", &text)])
    };
    for database in databases() {
        let mut world = World::created_on(database, &with("hello"));
        let row = match database {
            Kind::Mysql => "INSERT INTO letters () VALUES ()",
            _ => "INSERT INTO letters DEFAULT VALUES",
        };
        for default in [
            "Dear guest,\nwelcome.\nDROP TABLE letters;",
            "\n",
            "a \\ b",
            "plain",
        ] {
            let run = world.emit(&with(default), false).expect("nothing is lost");
            world.apply(&run).expect("applied");
            world.database.execute(row).expect("a row");
            let item = match database {
                Kind::Sqlite | Kind::Postgres => "data ->> 0",
                Kind::Mysql => "JSON_VALUE(data, '$[0]')",
            };
            let last = format!("SELECT note, title, {item} FROM letters ORDER BY id DESC LIMIT 1");
            assert_eq!(world.database.query(&last), [[default; 3]], "{database:?}");
        }
    }
}
