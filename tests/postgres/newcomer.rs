//! The first hour on a server: what `formwork new` prints leads to the answer that it names.

use std::path::Path;

use formwork_tests::{formwork, printed, program::Program, project::Project, server::Database};
use tempfile::TempDir;

use crate::page::{blocks, typed};

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
fn assert_leads_to_an_answer(name: &'static str, kinds: &str) {
    let kind = kinds.split(',').next().expect("a kind");
    let Some(database) = Database::on(kind) else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let (lines, answer) = told(folder.path(), name, kinds);
    let project = Project::at(folder, name);
    let mut program = None;
    let (mut service, mut answered) = (None, None);
    for line in &lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            ["cd", folder] => assert_eq!(*folder, name),
            ["formwork", arguments @ ..] => {
                project.run(arguments).exits(0);
                let built = Program::build(&project, name);
                program = Some(built.with("DATABASE_URL", &database.url()));
            }
            ["docker", "compose", ..] => assert!(project.has("compose.yaml")),
            ["export", setting] => assert!(setting.starts_with("DATABASE_URL="), "{line}"),
            ["cargo", "run", "--", "serve"] => {
                service = program.as_ref().map(|program| program.serve("none"));
            }
            ["cargo", "run", "--", command @ ..] => {
                program.as_ref().expect("built").run(&command.join(" "));
            }
            ["curl", address] => {
                let path = address.strip_prefix("http://127.0.0.1:8000");
                let service = service.as_ref().expect("it serves");
                answered = Some(service.guest().get(path.expect("an address")));
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
fn the_printed_lines_lead_to_an_answer() {
    assert_leads_to_an_answer("newcomer", "postgres,sqlite");
    assert_leads_to_an_answer("bistro-mysql", "mysql");
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
