//! Poured code on PostgreSQL and MariaDB: a project as `formwork generate` pours it answers on the
//! servers that `FORMWORK_TEST_POSTGRES_URL` and `FORMWORK_TEST_MYSQL_URL` name.

mod moving;
mod newcomer;
mod page;
mod program;

use formwork_tests::{address, checkout, printed, project::Project};

/// What the service is asked, beside the poured tests of its resources.
const QUESTIONS: &str = include_str!("questions.rs");

/// SQL of its own.
const OWN_SQL: &str = include_str!("own_sql.rs");

#[test]
fn a_project_that_began_on_sqlite_answers_on_postgresql() {
    let Some(server) = address("FORMWORK_TEST_POSTGRES_URL") else {
        return;
    };
    let project = Project::new("bistro");
    project.take(&checkout().join("fixtures/kitchen"));
    project.run(&["generate"]).exits(0);
    name_kinds(&project, "[sqlite, postgres]");
    let tests = [("questions", QUESTIONS), ("own_sql", OWN_SQL)];
    assert_answers(&project, &tests, "postgres", &server);
}

#[test]
fn a_project_on_mariadb_alone_answers() {
    let Some(server) = address("FORMWORK_TEST_MYSQL_URL") else {
        return;
    };
    let project = Project::new("bistro");
    project.take(&checkout().join("fixtures/kitchen"));
    name_kinds(&project, "[mysql]");
    assert_answers(&project, &[("questions", QUESTIONS)], "mysql", &server);
}

/// Sets `database.kinds`.
fn name_kinds(project: &Project, kinds: &str) {
    project.edit(
        "formwork.yaml",
        "kinds: [sqlite]",
        &format!("kinds: {kinds}"),
    );
}

/// Generates, and runs the poured tests and these; each makes a database of its own on the server.
fn assert_answers(project: &Project, tests: &[(&str, &str)], kind: &str, server: &str) {
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    for (name, text) in tests {
        project.write(&format!("tests/{name}.rs"), text);
    }
    let mut test = project.cargo(&["test", "--workspace", "--no-fail-fast"]);
    test.env("DATABASE_URL", server)
        .env("FORMWORK_TEST_DATABASE", kind);
    printed(&mut test);
}
