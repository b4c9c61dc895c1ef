//! The texts that the upgrade stories merge; files whose path changes are left out.

use std::fs;

use formwork_cli::format::{Formatter, Job};
use formwork_cli::merge::Language;
use formwork_tests::project::Project;
use formwork_tests::upgrade_case::Case;

use crate::triples::Triple;

const BASE: &str = ".formwork/base";

/// Files of stories that both sides changed, each with the name of its story.
pub fn triples() -> Vec<(String, Triple)> {
    Case::all().iter().flat_map(of_case).collect()
}

fn of_case(case: &Case) -> Vec<(String, Triple)> {
    let project = case.before_run();
    let before: Vec<[String; 3]> = bases(&project)
        .into_iter()
        .filter_map(|path| {
            let ours = fs::read_to_string(project.root().join(&path)).ok()?;
            let base = project.read(&format!("{BASE}/{path}"));
            Some([path, base, ours])
        })
        .collect();
    case.run(&project);
    let changed = before.into_iter().filter_map(|[path, base, ours]| {
        let base_path = format!("{BASE}/{path}");
        let theirs = fs::read_to_string(project.root().join(base_path)).ok()?;
        let [base, ours, theirs] =
            [base, ours, theirs].map(|text| formatted(&project, &path, text));
        let triple = Triple {
            language: Language::of(&path),
            base,
            ours,
            theirs,
        };
        let both = triple.base != triple.ours
            && triple.base != triple.theirs
            && triple.ours != triple.theirs;
        both.then(|| (case.name().to_owned(), triple))
    });
    changed
        .filter(|(_, triple)| !triple.base.starts_with("["))
        .collect()
}

/// Paths of the files whose last render is known.
fn bases(project: &Project) -> Vec<String> {
    let folder = project.root().join(BASE);
    let files = walkdir::WalkDir::new(&folder).sort_by_file_name();
    files
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(&folder).ok()?;
            Some(path.to_string_lossy().into_owned())
        })
        .collect()
}

fn formatted(project: &Project, path: &str, text: String) -> String {
    if Language::of(path) != Language::Rust {
        return text;
    }
    let job = Job { path, text: &text };
    let batch = Formatter::find(project.root()).format(&[job]);
    match batch.texts.into_iter().next() {
        Some(Ok(text)) => text,
        _ => text,
    }
}
