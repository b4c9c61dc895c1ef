//! The edits of `Cargo.toml` files.

use crate::project::{Extension, Project};
use crate::rendered::TomlEdit;
use crate::schema::database_name;

/// The edits of a project's file. `gone` are folders of extensions that do not exist any more.
pub(super) fn of_project(project: &Project, gone: &[String]) -> Vec<TomlEdit> {
    let removed = gone.iter().flat_map(|folder| without(folder));
    let members = project.extensions.iter().flat_map(member);
    removed.chain(members).chain([drivers(project)]).collect()
}

/// The edits of an extension's file.
pub(super) fn of_extension(extension: &Extension) -> [TomlEdit; 3] {
    let shared = "{ workspace = true }";
    [
        ensure(
            &["package", "metadata", "formwork"],
            "id",
            format!("{:?}", extension.id),
        ),
        ensure(&["dependencies"], "formwork", shared.to_owned()),
        ensure(&["dependencies"], "serde", shared.to_owned()),
    ]
}

fn member(extension: &Extension) -> [TomlEdit; 2] {
    let folder = format!("extensions/{}", extension.folder);
    [
        TomlEdit::EnsureInArray {
            path: keys(&["workspace", "members"]),
            value: folder.clone(),
        },
        TomlEdit::EnsureMember {
            path: keys(&["dependencies"]),
            package: extension.package.clone(),
            folder,
        },
    ]
}

/// Cargo reads no workspace that names a member which is not there. A dependency that has moved elsewhere stays.
fn without(folder: &str) -> [TomlEdit; 2] {
    let folder = format!("extensions/{folder}");
    [
        TomlEdit::RemoveFromArray {
            path: keys(&["workspace", "members"]),
            value: folder.clone(),
        },
        TomlEdit::RemoveMember {
            path: keys(&["dependencies"]),
            folder,
        },
    ]
}

fn drivers(project: &Project) -> TomlEdit {
    let names = project.databases.iter();
    TomlEdit::EnsureDrivers {
        path: keys(&["workspace", "dependencies"]),
        drivers: names.map(|one| database_name(*one).to_owned()).collect(),
    }
}

fn ensure(path: &[&str], key: &str, value: String) -> TomlEdit {
    TomlEdit::EnsureKey {
        path: keys(path),
        key: key.to_owned(),
        value,
    }
}

fn keys(path: &[&str]) -> Vec<String> {
    path.iter().map(|key| (*key).to_owned()).collect()
}
