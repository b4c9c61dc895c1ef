//! Poured code on PostgreSQL: a project as `formwork generate` pours it answers on the server that
//! `FORMWORK_TEST_POSTGRES_URL` names. Only the SQL of its tables is written by hand.

use std::process::Command;

use formwork_tests::{checkout, project::Project, target_dir};

/// What the service is asked, beside the poured tests of its resources.
const QUESTIONS: &str = include_str!("questions.rs");

/// SQL of its own.
const OWN_SQL: &str = include_str!("own_sql.rs");

const EXTENSION: &str = "extensions/kitchen/migrations";

/// The migrations that are poured for SQLite, by name.
const TABLES: [(&str, &str); 4] = [
    ("create_dishes", include_str!("create_dishes.sql")),
    ("create_guest_menus", include_str!("create_guest_menus.sql")),
    ("create_guests", include_str!("create_guests.sql")),
    ("create_menus", include_str!("create_menus.sql")),
];

#[test]
fn a_poured_project_answers_on_postgresql() {
    let Ok(server) = std::env::var("FORMWORK_TEST_POSTGRES_URL") else {
        println!("skipped: FORMWORK_TEST_POSTGRES_URL is not set");
        return;
    };
    let project = Project::new("bistro");
    project.take(&checkout().join("fixtures/kitchen"));
    project.run(&["generate"]).exits(0);
    add_tables(&project);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    project.write("tests/questions.rs", QUESTIONS);
    project.write("tests/own_sql.rs", OWN_SQL);
    // The versions that were tested, those of PostgreSQL's driver among them.
    let lock = checkout().join("Cargo.lock");
    std::fs::copy(lock, project.root().join("Cargo.lock")).expect("the lock file is copied");
    test(&project, &server);
}

/// Adds the SQL for PostgreSQL to each poured migration.
fn add_tables(project: &Project) {
    let poured = std::fs::read_dir(project.root().join(EXTENSION).join("sqlite"));
    for file in poured.expect("poured migrations") {
        let file = file.expect("a migration").file_name();
        let file = file.to_str().expect("a name");
        let table = TABLES
            .iter()
            .find(|(name, _)| file.contains(&format!("_{name}.")));
        let (_, sql) = table.unwrap_or_else(|| panic!("{file} has no SQL for PostgreSQL"));
        project.write(&format!("{EXTENSION}/postgres/{file}"), sql);
    }
}

/// Runs the poured tests and the questions; each test makes a database of its own on the server.
fn test(project: &Project, server: &str) {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["test", "--workspace", "--features", "formwork/postgres"])
        .arg("--no-fail-fast")
        .current_dir(project.root())
        .env("CARGO_TARGET_DIR", target_dir())
        .env("DATABASE_URL", server)
        .output()
        .expect("cargo starts");
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
