//! Many poured projects as members of one workspace: one `cargo check` for all.

use std::fs;
use std::path::Path;

use formwork_tests::project::{FEATURES, Project, lock};
use formwork_tests::{cargo, printed};
use toml_edit::{Array, DocumentMut, Item, Table, value};

/// Checks all projects, and fails with what cargo says.
pub fn check(projects: &[(String, Project)]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut workspace = DocumentMut::new();
    let mut members = Array::new();
    for (name, project) in projects {
        copy(project.root(), &folder.path().join(name));
        members.extend(join(&folder.path().join(name), name, &mut workspace));
    }
    workspace["workspace"]["members"] = value(members);
    workspace["workspace"]["resolver"] = value("3");
    fs::write(folder.path().join("Cargo.toml"), workspace.to_string())
        .expect("the workspace is written");
    lock(folder.path());
    let mut cargo = cargo(&["check", "--workspace", "--all-targets", "--quiet"]);
    printed(cargo.args(FEATURES).current_dir(folder.path()));
}

/// Copies the sources of a project.
fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.expect("a file");
        let path = to.join(entry.path().strip_prefix(from).expect("below the project"));
        if entry.file_type().is_dir() {
            fs::create_dir_all(path).expect("a folder");
        } else {
            fs::copy(entry.path(), path).expect("a file is copied");
        }
    }
}

/// Makes a project and its extensions members: each package gets a name of its own, what the
/// workspace shares moves there. Returns the members.
fn join(root: &Path, name: &str, workspace: &mut DocumentMut) -> Vec<String> {
    let mut members = vec![name.to_owned()];
    let mut own = toml(root);
    for shared in ["workspace", "profile"] {
        if let Some(table) = own.remove(shared) {
            workspace[shared] = table;
        }
    }
    let names: Vec<String> = own["dependencies"]
        .as_table()
        .expect("dependencies")
        .iter()
        .map(|(name, _)| name.to_owned())
        .collect();
    for extension in names {
        let dependency = &mut own["dependencies"][&extension];
        let Some(folder) = dependency
            .get("path")
            .and_then(Item::as_str)
            .map(str::to_owned)
        else {
            continue;
        };
        let package = format!("{name}--{extension}");
        dependency["package"] = value(package.as_str());
        let mut manifest = toml(&root.join(&folder));
        call(&mut manifest, &package);
        fs::write(root.join(&folder).join("Cargo.toml"), manifest.to_string()).expect("written");
        members.push(format!("{name}/{folder}"));
    }
    call(&mut own, name);
    fs::write(root.join("Cargo.toml"), own.to_string()).expect("written");
    members
}

/// Renames a package; its library is called as before.
fn call(manifest: &mut DocumentMut, package: &str) {
    let library = manifest["package"]["name"].as_str().expect("a name");
    let library = library.replace('-', "_");
    manifest["package"]["name"] = value(package);
    manifest.entry("lib").or_insert(Item::Table(Table::new()))["name"] = value(library);
}

fn toml(folder: &Path) -> DocumentMut {
    let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a Cargo.toml");
    text.parse().expect("TOML")
}
