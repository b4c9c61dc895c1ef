//! Large databases.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use formwork_tests::project::Project;

use crate::database;

#[test]
fn two_hundred_tables_are_imported_in_seconds() {
    let mut sql = String::new();
    for table in 0..200 {
        let _ = write!(sql, "CREATE TABLE part_{table}s (id INTEGER PRIMARY KEY");
        for column in 0..14 {
            let _ = write!(sql, ", field_{column} VARCHAR(40) NOT NULL DEFAULT ''");
        }
        let other = table / 2;
        let _ = write!(sql, ", other_id INTEGER REFERENCES part_{other}s(id));");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let url = database::sqlite(&folder.path().join("large.db"), &sql);
    let project = Project::new("large");
    let began = Instant::now();
    project
        .run(&["import", "--database-url", &url])
        .exits(0)
        .says("200 created");
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    project
        .run(&["manifest", "check"])
        .exits(0)
        .says("200 resources");
}
