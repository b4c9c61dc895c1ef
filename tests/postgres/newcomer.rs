//! The first hour on a server: what `formwork new` prints leads to the answer that it names.

use std::path::Path;

use formwork_tests::{client::Client, formwork, printed, project::Project, server::Database};
use tempfile::TempDir;

use crate::page::{blocks, typed};
use crate::program::Program;

/// What `formwork new` prints: the lines to type, and how the answer of the last begins.
fn told(folder: &Path, name: &str, kinds: &str) -> (Vec<String>, String) {
    let mut new = formwork();
    new.args(["new", name, "--database", kinds]);
    let text = printed(new.current_dir(folder));
    let lines = text.lines().skip_while(|line| !line.starts_with("  "));
    let lines = lines.map_while(|line| line.strip_prefix("  "));
    let lines = lines.map(str::to_owned).collect();
    let mut answers = text.lines().filter(|line| line.starts_with("  {"));
    let answer = answers.next().expect("an answer").trim().to_owned();
    (lines, answer)
}

/// Types what is told, but for the container of the database.
fn assert_leads_to_an_answer(name: &'static str, kinds: &str, server: &str) {
    let folder = TempDir::new().expect("a folder");
    let (lines, answer) = told(folder.path(), name, kinds);
    let project = Project::at(folder, name);
    let database = Database::beside(server);
    let program = Program {
        project: &project,
        name,
        database: Some(database.url()),
    };
    let (mut service, mut answered) = (None, None);
    for line in &lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["cd", folder] => assert_eq!(*folder, name),
            ["formwork", arguments @ ..] => {
                project.run(arguments).exits(0);
                program.build();
            }
            ["docker", "compose", ..] => assert!(project.has("compose.yaml")),
            ["export", setting] => assert!(setting.starts_with("DATABASE_URL="), "{line}"),
            ["cargo", "run", "--", "serve"] => service = Some(program.serve()),
            ["cargo", "run", "--", command @ ..] => drop(program.run(&command.join(" "))),
            ["curl", address] => {
                let path = address.strip_prefix("http://127.0.0.1:8000");
                let service = service.as_ref().expect("it serves");
                let client = Client::new(&service.base, None);
                answered = Some(client.get(path.expect("an address")));
            }
            _ => panic!("{line}"),
        }
    }
    let answered = answered.expect("an answer");
    let begins = answer.strip_suffix('…').expect("the begin of an answer");
    assert_eq!(answered.status, 200, "{answered:?}");
    assert!(answered.body.starts_with(begins), "{answered:?}");
}

#[test]
fn the_printed_lines_lead_to_an_answer_on_postgresql() {
    match std::env::var("FORMWORK_TEST_POSTGRES_URL") {
        Ok(server) => assert_leads_to_an_answer("newcomer", "postgres,sqlite", &server),
        Err(_) => println!("skipped: FORMWORK_TEST_POSTGRES_URL is not set"),
    }
}

#[test]
fn the_printed_lines_lead_to_an_answer_on_mariadb() {
    match std::env::var("FORMWORK_TEST_MYSQL_URL") {
        Ok(server) => assert_leads_to_an_answer("bistro-mysql", "mysql", &server),
        Err(_) => println!("skipped: FORMWORK_TEST_MYSQL_URL is not set"),
    }
}

/// docs/guide/databases.md shows what is printed.
#[test]
fn the_page_has_the_printed_lines() {
    let folder = TempDir::new().expect("a folder");
    let (lines, answer) = told(folder.path(), "bistro", "postgres,sqlite");
    let block = &blocks("databases.md", "console")[0];
    let shown = typed(block);
    assert_eq!(shown[0], "formwork new bistro --database postgres,sqlite");
    assert_eq!(shown[1..], lines);
    assert_eq!(block.last(), Some(&answer));
}
