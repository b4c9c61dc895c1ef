//! Large databases.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use formwork_tests::project::Project;
use formwork_tests::server::Database;
use formwork_tests::{formwork, printed};

use crate::key;

/// Two hundred tables with three thousand columns.
const TABLES: usize = 200;

/// The processor time that an import may take.
const IMPORT: Duration = Duration::from_secs(5);

/// The processor time that `generate` may take, rustfmt's with it: the program is not optimised. It takes 3 to 4 s.
const GENERATE: Duration = Duration::from_secs(15);

/// Runs statements that make the tables.
fn fill(kind: &str, database: &Database) {
    let key = key(kind);
    let mut sql = String::new();
    for table in 0..TABLES {
        let other = table / 2;
        let _ = write!(sql, "CREATE TABLE part_{table}s ({key}");
        for column in 0..13 {
            let _ = write!(sql, ", field_{column} VARCHAR(40) NOT NULL DEFAULT ''");
        }
        let _ = write!(
            sql,
            ", other_id INTEGER, FOREIGN KEY (other_id) REFERENCES part_{other}s(id));"
        );
    }
    database.run(&sql);
}

/// What a run prints, and its processor time: other tests run at the same time.
fn timed(project: &Project, args: &[&str]) -> (String, Duration) {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "\"$0\" \"$@\" && times"])
        .arg(formwork().get_program())
        .args(args)
        .current_dir(project.root());
    let said = printed(&mut shell);
    // The last line is of the shell's children: `0m1.234s 0m0.056s`.
    let times = said.lines().last().unwrap_or_default().split_whitespace();
    let seconds = times.map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').expect("a time");
        let number = |text: &str| text.parse::<f64>().expect("a number");
        number(minutes) * 60.0 + number(seconds)
    });
    let seconds: f64 = seconds.sum();
    (said, Duration::from_secs_f64(seconds))
}

#[test]
fn two_hundred_tables_are_imported_and_generated_in_seconds() {
    for (kind, database) in Database::each() {
        fill(kind, &database);
        let project = Project::new_on("large", kind);
        let url = database.url();
        let (report, took) = timed(&project, &["import", "--database-url", &url]);
        assert!(report.contains(&format!("{TABLES} created")), "{report}");
        assert!(took < IMPORT, "{kind}: {took:?}");
        if kind == "sqlite" {
            project
                .run(&["manifest", "check"])
                .exits(0)
                .says(&format!("{TABLES} resources"));
            let (_, took) = timed(&project, &["generate"]);
            assert!(took < GENERATE, "{took:?}");
            project.run(&["generate", "--check"]).exits(0);
        }
    }
}
