//! The result of rendering: texts with paths and owners, still in memory.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::error::Refused;

/// Everything a run renders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rendered {
    /// Files of the project; their texts as the templates gave them: planning formats what differs.
    pub files: Vec<RenderedFile>,
    /// The text of each unit's manifest, for its lock, and to say what changed in it.
    pub manifests: BTreeMap<String, String>,
    /// The tables of each unit, for its lock.
    pub tables: BTreeMap<String, Vec<String>>,
    /// Further files of the state, by their path below `.formwork`: their text, or `None` to
    /// remove one. A file that is not named stays as it is.
    pub state_files: BTreeMap<String, Option<String>>,
    /// Units with the name they had before (`was:`): their files follow.
    pub was: BTreeMap<String, String>,
    /// Notices about it, for people.
    pub notices: Vec<String>,
    /// Tables and columns that this run renames: former and new.
    pub renamed: Vec<(String, String)>,
    /// Relations with a former name: unit, former and new name.
    pub relations: Vec<(String, String, String)>,
    /// The refusal, if a migration would destroy values of rows.
    pub refused: Option<Refused>,
}

/// One file as this run renders it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFile {
    /// Path below the project, with `/`.
    pub path: String,
    /// Stable id of the artefact (`igniter_cart/menus/controller`): a template's rename follows the edited file by it.
    pub artefact: String,
    /// The lock it is recorded in: `igniter_cart.menus` for a resource, `igniter_cart` for an extension,
    /// `project` for the project.
    pub unit: String,
    /// The template that rendered it, with its hash.
    pub template: Option<(String, Digest)>,
    /// The owner of the file, which decides how planning treats it.
    pub owner: Owner,
    /// Its content.
    pub content: Content,
}

/// The owner of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The user's from then on: merged three-way.
    User,
    /// Formwork's own (an aggregate with a banner): exempt from the marker row, rendered anew; edits are merged.
    Formwork,
    /// Created when the project or extension is made, never compared again (`src/main.rs`, `README.md`).
    Once,
    /// Edited structurally (`Cargo.toml`).
    Structured,
    /// A migration: emitted once, never rewritten, removed or merged.
    Migration,
}

/// The content of a rendered file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The whole text as its template gave it; planning formats what differs from the last run.
    Text(String),
    /// Edits of a TOML file, made on what is on disk; `initial` where there is none.
    Toml {
        /// The text of a new file.
        initial: String,
        /// Edits, in order.
        edits: Vec<TomlEdit>,
    },
}

/// A structured edit that is idempotent and keeps comments and order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TomlEdit {
    /// Adds `value` to the string array at `path` (`["workspace", "members"]`), where it is missing.
    EnsureInArray {
        /// Keys down to the array.
        path: Vec<String>,
        /// The element.
        value: String,
    },
    /// Adds `key = value` to the table at `path`, where the key is missing; `value` is TOML
    /// (`{ path = "extensions/cart" }`).
    EnsureKey {
        /// Keys down to the table.
        path: Vec<String>,
        /// The key.
        key: String,
        /// The value, as TOML.
        value: String,
    },
    /// Compiles the runtime (`formwork` below `path`) with the drivers of these databases and of no other.
    EnsureDrivers {
        /// Keys down to the table of dependencies.
        path: Vec<String>,
        /// Features of the runtime, one for each database.
        drivers: Vec<String>,
    },
    /// Removes `value` from the string array at `path`.
    RemoveFromArray {
        /// Keys down to the array.
        path: Vec<String>,
        /// The element.
        value: String,
    },
    /// Adds `package = { path = "folder" }` to the table at `path`, where the key is missing. A line that still
    /// has the name which the package of this folder had before gets the new one.
    EnsureMember {
        /// Keys down to the table.
        path: Vec<String>,
        /// Name of the package.
        package: String,
        /// Its folder.
        folder: String,
    },
    /// Removes the keys of the table at `path` whose value is by path, and names `folder`.
    RemoveMember {
        /// Keys down to the table.
        path: Vec<String>,
        /// The folder.
        folder: String,
    },
}
