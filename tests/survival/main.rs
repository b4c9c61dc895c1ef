//! Writing survives everything, by the real process: kills at random
//! moments, a full disk, what may not be read or written, a damaged state, names that differ in case only, a
//! second formwork at the same time.

mod case;
mod damage;
mod disk;
mod kill;
mod killed;
#[cfg(unix)]
mod rights;
mod second;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use formwork_tests::formwork;
use formwork_tests::project::Project;

const CONTROLLER: &str = "extensions/shop/src/api_resources/dishes/controller.rs";
const DOCS: &str = "extensions/shop/docs/dishes.md";
const MANIFEST: &str = "extensions/shop/resources/dishes.yaml";
const WINES: &str = "extensions/shop/resources/wines.yaml";

/// Path below the project and content of every file, but for what a run leaves of itself.
type Tree = BTreeMap<String, Vec<u8>>;

fn tree(root: &Path) -> Tree {
    let files = walkdir::WalkDir::new(root).into_iter();
    let files = files.map(|entry| entry.expect("a file"));
    let named = files
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(root).expect("below the root");
            let content = fs::read(entry.path()).expect("a file");
            (path.to_string_lossy().into_owned(), content)
        });
    let own =
        |path: &String| path.starts_with(".formwork/journal/") || path == ".formwork/run.lock";
    named.filter(|(path, _)| !own(path)).collect()
}

/// A project in which a run creates, writes, merges, deletes and migrates.
fn project() -> Project {
    let project = Project::new("bistro");
    for name in ["dishes", "wines"] {
        project.add(name, &["title:string:required"]);
    }
    project.edit(
        CONTROLLER,
        "    const REQUIRED_ABILITIES",
        "    async fn before_save(&self, _ctx: &Context, dish: &mut Dish) -> Result<()> {\n        \
         dish.title = dish.title.trim().to_owned();\n        Ok(())\n    }\n\n    const REQUIRED_ABILITIES",
    );
    project.edit(DOCS, "# Dishes", "# Dishes, as we serve them");
    project.write("src/mine.rs", "// mine alone\n");
    project.edit(MANIFEST, "page_limit: 20", "page_limit: 30");
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    title: string required\n    notes: text nullable\n",
    );
    project.remove(WINES);
    project.write(
        "extensions/shop/resources/beers.yaml",
        "name: Beers\nmodel:\n  attributes:\n    title: string required\n",
    );
    project
}

fn copy(tree: &Tree, root: &Path) {
    for (path, content) in tree {
        let file = root.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, content).expect("a file is written");
    }
}

/// `formwork generate` in a folder, with the clock of migrations held still.
fn generate(root: &Path) -> Command {
    let mut command = formwork();
    command
        .args(["generate", "--quiet"])
        .current_dir(root)
        .env("SOURCE_DATE_EPOCH", "1790000100")
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// What a run makes of `before`, and how long it takes.
fn finished(before: &Tree) -> (Tree, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    copy(before, folder.path());
    let start = Instant::now();
    let output = generate(folder.path()).output().expect("formwork starts");
    let took = start.elapsed();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (tree(folder.path()), took)
}

fn assert_same(found: &Tree, wanted: &Tree) {
    let paths = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(found), paths(wanted));
    for (path, content) in wanted {
        let (found, wanted) = (
            String::from_utf8_lossy(&found[path]),
            String::from_utf8_lossy(content),
        );
        assert_eq!(found, wanted, "{path}");
    }
}
