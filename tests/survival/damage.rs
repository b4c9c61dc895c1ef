//! A damaged state, mostly merged by hand: reported with file and line, and repaired if the lost
//! text can be derived; else refused. No damage is skipped, and no base is lost.

use std::fs;
use std::path::Path;

use formwork_tests::cases;

use super::{CONTROLLER, DOCS, Tree, assert_same, copy, finished, formwork, project, tree};

const LOCK: &str = ".formwork/lock/shop.dishes.lock";
const SCHEMA: &str = ".formwork/schema/dishes.schema";

/// A project without pending changes.
fn settled() -> Tree {
    finished(&tree(project().root())).0
}

/// What a run makes of a tree: exit status, what it says, and the tree afterwards.
fn run(before: &Tree, args: &[&str]) -> (Option<i32>, String, Tree) {
    let folder = tempfile::tempdir().expect("a folder");
    copy(before, folder.path());
    let mut command = formwork();
    command.args(args).current_dir(folder.path());
    command.env("SOURCE_DATE_EPOCH", "1790000100");
    let output = command.output().expect("formwork starts");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    (output.status.code(), said, tree(folder.path()))
}

fn text(tree: &Tree, path: &str) -> String {
    String::from_utf8_lossy(&tree[path]).into_owned()
}

fn with(tree: &Tree, path: &str, text: &str) -> Tree {
    let mut tree = tree.clone();
    tree.insert(path.to_owned(), text.as_bytes().to_vec());
    tree
}

/// Lines of a text, spread over it, with the text in which each is damaged: cut, and in one more way.
fn damaged(text: &str) -> Vec<(usize, String)> {
    let cut = |line: &str| line.chars().take(line.len() / 2).collect();
    let others: [fn(&str) -> String; 3] = [
        |line| line.replacen(' ', "", 1),
        |line| format!("? {line}"),
        |line| line.chars().rev().collect(),
    ];
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut all = Vec::new();
    let step = (lines.len() / cases(4) as usize).max(1);
    for (number, (index, line)) in lines.iter().enumerate().step_by(step).enumerate() {
        for damaged in [cut(line), others[number % 3](line)] {
            let mut lines = lines.clone();
            lines[index] = damaged;
            all.push((index + 1, lines.join("\n") + "\n"));
        }
    }
    all
}

#[test]
fn a_damaged_line_of_a_lock_is_reported_and_restored() {
    let settled = settled();
    for (number, lock) in damaged(&text(&settled, LOCK)) {
        let broken = with(&settled, LOCK, &lock);
        let (exit, said, checked) = run(&broken, &["generate", "--check"]);
        assert_eq!(exit, Some(0), "{lock}{said}");
        assert!(
            said.contains(&format!("{LOCK}, line {number}, ")),
            "{lock}{said}"
        );
        assert_same(&checked, &broken);
        let (exit, said, after) = run(&broken, &["generate"]);
        assert_eq!(exit, Some(0), "{lock}{said}");
        assert_same(&after, &settled);
        let (exit, said, _) = run(&after, &["generate", "--check"]);
        assert!(exit == Some(0) && !said.contains(LOCK), "{said}");
    }
    for lock in ["", "nonsense\n"] {
        let broken = with(&settled, LOCK, lock);
        let (exit, said, after) = run(&broken, &["generate"]);
        assert!(exit == Some(0) && said.contains(LOCK), "{said}");
        for path in [CONTROLLER, DOCS] {
            assert_eq!(after[path], settled[path]);
        }
        let (exit, said, _) = run(&after, &["generate", "--check"]);
        assert!(exit == Some(0) && !said.contains(LOCK), "{said}");
    }
}

#[test]
fn a_lock_of_which_a_merge_kept_one_side_hides_no_later_render() {
    let beers = "extensions/shop/resources/beers.yaml";
    let lock = ".formwork/lock/shop.beers.lock";
    let before = settled();
    let manifest = text(&before, beers);
    let other = format!("{manifest}description: Drinks of the house\n");
    let (exit, said, after) = run(&with(&before, beers, &other), &["generate"]);
    assert_eq!(exit, Some(0), "{said}");
    let docs = "extensions/shop/docs/beers.md";
    assert_ne!(after[docs], before[docs]);
    let kept = with(&after, lock, &text(&before, lock));
    let (exit, said, mended) = run(&kept, &["generate"]);
    assert_eq!(exit, Some(0), "{said}");
    assert_same(&mended, &after);
    for one in [kept, mended] {
        let (exit, said, last) = run(&with(&one, beers, &manifest), &["generate"]);
        assert_eq!(exit, Some(0), "{said}");
        assert_same(&last, &before);
    }
}

#[test]
fn a_file_that_is_rendered_no_more_is_not_forgotten_with_its_line() {
    let settled = settled();
    let beers = "extensions/shop/docs/beers.md";
    let lock = ".formwork/lock/shop.beers.lock";
    let lines = text(&settled, lock);
    let lines = lines.lines().filter(|line| !line.ends_with(beers));
    let cut = lines.map(|line| format!("{line}\n")).collect::<String>() + "file user shop/beers\n";
    let mut broken = with(&settled, lock, &cut);
    broken.remove("extensions/shop/resources/beers.yaml");
    let edited = format!("{}mine\n", text(&settled, beers));
    let broken = with(&broken, beers, &edited);
    let (exit, said, after) = run(&broken, &["generate"]);
    assert_eq!(exit, Some(3), "{said}");
    assert!(
        said.contains("is damaged") && said.contains("orphaned"),
        "{said}"
    );
    assert_eq!(text(&after, beers), edited);
    assert!(
        after.contains_key(&format!(".formwork/base/{beers}")),
        "its base waits"
    );
}

#[test]
fn a_damaged_line_of_a_table_stops_the_run() {
    let settled = settled();
    for (number, schema) in damaged(&text(&settled, SCHEMA)) {
        let broken = with(&settled, SCHEMA, &schema);
        for args in [&["generate"][..], &["generate", "--check"]] {
            let (exit, said, after) = run(&broken, args);
            assert_eq!(exit, Some(2), "line {number} of\n{schema}\n{said}");
            assert!(said.contains(SCHEMA), "{schema}{said}");
            assert_same(&after, &broken);
        }
    }
}

#[test]
fn a_path_out_of_the_project_in_a_lock_is_never_touched() {
    let settled = settled();
    let lock = text(&settled, LOCK);
    let line = lock
        .lines()
        .find(|line| line.ends_with(DOCS))
        .expect("its line");
    let outside = tempfile::tempdir().expect("a folder");
    let victim = outside.path().join("victim.md");
    fs::write(&victim, &settled[&format!(".formwork/base/{DOCS}")]).expect("a file");
    for path in [
        format!("../../..{}", victim.display()),
        victim.display().to_string(),
        format!("../../../../../../../..{}", victim.display()),
    ] {
        let evil = lock.replace(line, &line.replace(DOCS, &path));
        let (exit, said, _) = run(&with(&settled, LOCK, &evil), &["generate"]);
        assert_eq!(exit, Some(1), "{said}");
        assert!(said.contains("leads out of the project"), "{said}");
        assert!(Path::new(&victim).exists());
    }
}
