//! `formwork import` on real databases: what it writes, what it keeps, and what the generated service answers.

mod again;
mod django;
mod guests;
mod hints;
mod legacy;
mod manifests;
mod mysql_served;
mod names;
mod not_utf8;
mod others;
mod own_schema;
mod postgres_constraints;
mod postgres_served;
mod postgres_types;
mod relation_names;
mod round_trip;
mod served;
mod size;
mod slow;
mod sqlite;
mod triggers;

use formwork_tests::project::{Project, Ran};
use formwork_tests::server::Database;

/// The tables of another program, with rows, for the kinds of databases.
const SHOP: &str = include_str!("shop.sql");
const LEGACY: &str = include_str!("legacy.sql");
const ERP: &str = include_str!("erp.sql");
const LARAVEL: &str = include_str!("laravel.sql");
const REFERENCE: &str = include_str!("reference.sql");

/// Runs `formwork import` with further arguments.
fn import(project: &Project, database: &Database, args: &[&str]) -> Ran {
    let url = database.url();
    project.run(&[&["import", "--database-url", &url], args].concat())
}

/// A key that a database of this kind counts.
fn key(kind: &str) -> &'static str {
    match kind {
        "sqlite" => "id INTEGER PRIMARY KEY",
        "postgres" => "id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        _ => "id INTEGER AUTO_INCREMENT PRIMARY KEY",
    }
}

/// A SQLite file with these tables, and a project.
fn on_sqlite(sql: &str) -> (Database, Project) {
    let database = Database::sqlite();
    database.run(sql);
    (database, Project::new("bistro"))
}
