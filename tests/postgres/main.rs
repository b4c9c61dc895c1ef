//! Generated code on PostgreSQL and MariaDB: a project as `formwork generate` writes it answers on the
//! servers that `FORMWORK_TEST_POSTGRES_URL` and `FORMWORK_TEST_MYSQL_URL` name.

mod moving;
mod newcomer;
mod page;

use formwork_tests::server::servers;
use formwork_tests::{checkout, printed, project::Project};

/// Requests to the service, beside the generated tests of its resources.
const QUESTIONS: &str = include_str!("questions.rs");

/// SQL of its own.
const OWN_SQL: &str = include_str!("own_sql.rs");

#[test]
fn a_project_that_began_on_sqlite_answers_on_servers() {
    let servers = servers();
    if servers.is_empty() {
        return;
    }
    let project = Project::new("bistro");
    project.take(&checkout().join("fixtures/kitchen"));
    project.run(&["generate"]).exits(0);
    project.edit(
        "formwork.yaml",
        "kinds: [sqlite]",
        "kinds: [sqlite, postgres, mysql]",
    );
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    project.write("tests/questions.rs", QUESTIONS);
    project.write("tests/own_sql.rs", OWN_SQL);
    let mut test = project.test();
    // Each test makes a database of its own. SQL of its own is PostgreSQL's.
    for server in servers {
        let kind = server.split(':').next().expect("a kind");
        test.env("DATABASE_URL", &server)
            .env("FORMWORK_TEST_DATABASE", kind);
        if kind != "postgres" {
            test.args(["--", "--skip", "own_sql"]);
        }
        printed(&mut test);
    }
}
