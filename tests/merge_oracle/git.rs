//! `git merge-file`, many triples in one file: unique lines between them keep them apart.

use std::fs;
use std::process::Command;

use crate::triples::Triple;

/// git's answer to a triple.
#[derive(Debug)]
pub struct Answer {
    /// How many conflicts it has.
    pub conflicts: usize,
    /// What it gives.
    pub text: String,
}

/// Whether there is a git.
pub fn is_there() -> bool {
    Command::new("git")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Lines on all sides between triple `index` and the next.
fn fence(index: usize) -> String {
    (0..6)
        .map(|line| format!("@@ fence {index} {line}\n"))
        .collect()
}

/// Merges all triples.
pub fn merge_all(triples: &[Triple]) -> Vec<Answer> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, side: fn(&Triple) -> &str| {
        let part = |(index, triple): (usize, &Triple)| format!("{}{}", side(triple), fence(index));
        let text: String = triples.iter().enumerate().map(part).collect();
        fs::write(folder.path().join(name), text).expect("a file is written");
    };
    write("ours", |triple| &triple.ours);
    write("base", |triple| &triple.base);
    write("theirs", |triple| &triple.theirs);
    let output = Command::new("git")
        .args(["merge-file", "-p", "ours", "base", "theirs"])
        .current_dir(folder.path())
        .output()
        .expect("git starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut rest = text.as_str();
    let mut answers = Vec::with_capacity(triples.len());
    for index in 0..triples.len() {
        let fence = fence(index);
        let (part, after) = rest
            .split_once(&fence)
            .unwrap_or_else(|| panic!("fence {index} stands:\n{rest}"));
        let marks = part.lines().filter(|line| line.starts_with("<<<<<<<"));
        answers.push(Answer {
            conflicts: marks.count(),
            text: part.to_owned(),
        });
        rest = after;
    }
    answers
}
