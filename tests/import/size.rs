//! Large databases.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use formwork_tests::project::Project;
use formwork_tests::{cargo, checkout, printed};

use crate::database::Scratch;

/// Two hundred tables with three thousand columns.
const TABLES: usize = 200;

/// The tables that are compiled: what one of them costs is the same for all (docs/adr/0058).
const COMPILED: usize = 40;

/// What an import may take.
const IMPORT: Duration = Duration::from_secs(5);

/// What `generate` may take: 200 resources, with a program that is not optimised.
const GENERATE: Duration = Duration::from_secs(60);

/// Runs statements that make the tables.
fn fill(database: &Scratch, tables: usize, key: &str) {
    let mut sql = String::new();
    for table in 0..tables {
        let other = table / 2;
        let _ = write!(sql, "CREATE TABLE part_{table}s ({key}");
        for column in 0..13 {
            let _ = write!(sql, ", field_{column} VARCHAR(40) NOT NULL DEFAULT ''");
        }
        let _ = write!(
            sql,
            ", other_id BIGINT, FOREIGN KEY (other_id) REFERENCES part_{other}s(id));"
        );
    }
    database.run(&sql);
}

/// Imports the tables in time.
fn import(kind: &str, database: &Scratch, tables: usize) -> Project {
    let project = Project::new_on("large", kind);
    let began = Instant::now();
    let ran = project.run(&["import", "--database-url", database.url()]);
    let took = began.elapsed();
    ran.exits(0).says(&format!("{tables} created"));
    println!("{kind}: {tables} tables imported in {took:.1?}");
    assert!(took < IMPORT, "{took:?}");
    project
        .run(&["manifest", "check"])
        .exits(0)
        .says(&format!("{tables} resources"));
    project
}

fn generate(project: &Project) {
    let began = Instant::now();
    project.run(&["generate"]).exits(0);
    let took = began.elapsed();
    println!("generated in {took:.1?}");
    assert!(took < GENERATE, "{took:?}");
}

#[test]
fn two_hundred_tables_are_imported_and_generated_in_seconds() {
    let database = Scratch::sqlite();
    fill(&database, TABLES, "id INTEGER PRIMARY KEY");
    let project = import("sqlite", &database, TABLES);
    generate(&project);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn two_hundred_tables_of_postgresql_are_imported_in_seconds() {
    let Some(database) = Scratch::postgres("large") else {
        return;
    };
    fill(
        &database,
        TABLES,
        "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    );
    import("postgres", &database, TABLES);
}

#[test]
fn two_hundred_tables_of_mariadb_are_imported_in_seconds() {
    let Some(database) = Scratch::mysql("large") else {
        return;
    };
    fill(&database, TABLES, "id BIGINT AUTO_INCREMENT PRIMARY KEY");
    import("mysql", &database, TABLES);
}

#[test]
fn many_tables_compile() {
    let database = Scratch::sqlite();
    fill(&database, COMPILED, "id INTEGER PRIMARY KEY");
    let project = import("sqlite", &database, COMPILED);
    generate(&project);
    let lock = checkout().join("fixtures/restaurant/Cargo.lock");
    std::fs::copy(lock, project.root().join("Cargo.lock")).expect("a lock");
    let began = Instant::now();
    let manifest = project.root().join("Cargo.toml");
    printed(cargo(&["check", "--offline", "--manifest-path"]).arg(manifest));
    println!("{COMPILED} tables checked in {:.1?}", began.elapsed());
}
