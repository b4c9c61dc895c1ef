//! Emitted SQL on a real SQLite: a ladder of manifests gives the same schema as its last step alone, and rows survive it.

use formwork_cli::manifest::Sources;
use formwork_cli::moment::Clock;
use formwork_cli::project::{Database, Project};
use formwork_cli::resolve::resolve;
use formwork_cli::schema::{MigrationOptions, Migrations, Previous, migrations};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, Row as _, SqliteConnection,
};

/// Each step adds to the one before.
const LADDER: &[&str] = &[
    "model:\n  attributes:\n    name: string required\n",
    "model:\n  attributes:\n    note: { type: text, default: \"it's\" }\n    name: string required\n",
    "model:\n  attributes:\n    note: { type: text, default: \"it's\" }\n    name: string required\n    price: { type: \"decimal(10,2)\", default: 9.5 }\n    code: string nullable|unique\n  relations:\n    cook: { belongs_to: cooks, column: cook_id }\n    tags: { many_to_many: tags, pivot: dish_tags }\n  indexes: [[name, price]]\n",
];

const OTHERS: &[(&str, &str)] = &[
    (
        "extensions/shop/models/tags.yaml",
        "model: { key: { name: word, type: string(9) }, attributes: { n: integer min:0 } }\n",
    ),
    (
        "extensions/staff/models/cooks.yaml",
        "model:\n  attributes:\n    name: text required\n  relations:\n    best: { belongs_to: dishes, column: dish_id }\n",
    ),
];

fn project(dishes: &str) -> Project {
    let dishes = ("extensions/shop/resources/dishes.yaml", dishes);
    let config = ("formwork.yaml", "database: sqlite\n");
    let texts = [config, dishes].into_iter().chain(OTHERS.iter().copied());
    resolve(&Sources::from_texts(texts))
        .expect("the manifests are legal")
        .project
}

fn emit(dishes: &str, previous: &Previous) -> Migrations {
    let options = MigrationOptions {
        clock: Clock::at(1_795_262_400),
        allow_destructive: false,
        ..MigrationOptions::default()
    };
    migrations(&project(dishes), previous, &options).expect("nothing is refused")
}

/// What the state says after a run.
fn after(run: &Migrations) -> Previous {
    let paths: Vec<_> = run
        .all
        .iter()
        .map(|one| (one.path(Database::Sqlite), one.unit.as_str()))
        .collect();
    Previous::new(
        run.state_files.values().flatten().map(String::as_str),
        paths.iter().map(|(path, unit)| (path.as_str(), *unit)),
    )
}

async fn open() -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .in_memory(true)
        .foreign_keys(true);
    options.connect().await.expect("SQLite opens")
}

async fn run(database: &mut SqliteConnection, migrations: &Migrations) {
    for migration in &migrations.new {
        for (_, sql) in &migration.sql {
            let up = sql.split("\n-- down").next().unwrap_or_default();
            let done = database.execute(AssertSqlSafe(up.to_owned())).await;
            done.unwrap_or_else(|error| panic!("{error}\n{sql}"));
        }
    }
}

/// Columns and indexes, whatever their order; constraints apart, which SQLite cannot add to a column later.
async fn described(database: &mut SqliteConnection) -> Vec<String> {
    let sql = "SELECT 'column ' || t.name || ' ' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || ' ' || \
               coalesce(c.dflt_value, '-') || ' ' || c.pk FROM sqlite_master t, pragma_table_info(t.name) c \
               WHERE t.type = 'table' AND t.name <> 'sqlite_sequence' \
               UNION ALL SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
    let rows = sqlx::query(sql)
        .fetch_all(database)
        .await
        .expect("the schema is read");
    let mut lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    lines.sort();
    lines
}

fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Runtime::new()
        .expect("a runtime")
        .block_on(future)
}

#[test]
fn a_ladder_gives_the_schema_of_its_last_step_and_keeps_rows() {
    block_on(climb());
}

async fn climb() {
    let mut climbed = open().await;
    let mut previous = Previous::default();
    for (step, dishes) in LADDER.iter().enumerate() {
        let migrations = emit(dishes, &previous);
        assert!(!migrations.new.is_empty(), "step {step} emits something");
        run(&mut climbed, &migrations).await;
        previous = after(&migrations);
        let insert = format!("INSERT INTO dishes (name) VALUES ('dish {step}')");
        climbed
            .execute(AssertSqlSafe(insert))
            .await
            .expect("a row is stored at each step");
    }
    let mut fresh = open().await;
    run(
        &mut fresh,
        &emit(LADDER[LADDER.len() - 1], &Previous::default()),
    )
    .await;
    assert_eq!(described(&mut climbed).await, described(&mut fresh).await);
    let rows = sqlx::query("SELECT count(*), min(note), min(price) FROM dishes")
        .fetch_one(&mut climbed)
        .await
        .expect("rows are counted");
    assert_eq!(
        (rows.get::<i64, _>(0), rows.get::<String, _>(1)),
        (3, "it's".to_owned())
    );
    assert_eq!(rows.get::<i64, _>(2), 950, "a decimal is a scaled integer");
}

#[test]
fn constraints_of_emitted_tables_refuse_invalid_rows() {
    block_on(constraints());
}

async fn constraints() {
    let mut database = open().await;
    run(&mut database, &emit(LADDER[2], &Previous::default())).await;
    let refused = [
        "INSERT INTO cooks (name, dish_id) VALUES ('a', 7)",
        "INSERT INTO dish_tags (dish_id, tag_id) VALUES (1, 'x')",
        "INSERT INTO dishes (note) VALUES ('no name')",
        "INSERT INTO dishes (name, code) VALUES ('a', 'x'), ('b', 'x')",
        "INSERT INTO tags (n) VALUES (1)",
    ];
    for sql in refused {
        assert!(database.execute(sql).await.is_err(), "{sql}");
    }
    database
        .execute("INSERT INTO dishes (name, code) VALUES ('a', 'x')")
        .await
        .expect("a dish");
    database.close().await.expect("SQLite closes");
}
