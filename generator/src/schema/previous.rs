//! Tables and migrations of earlier runs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rayon::prelude::*;
use walkdir::WalkDir;

use super::databases::database_name;
use super::migration::{Emitted, FOLDER};
use super::table::{Schema, Table};
use super::{ancestry, damage};
use crate::error::Refused;
use crate::exit::Exit;
use crate::merge::markers;
use crate::moment;
use crate::project::Database;
use crate::state::{State, is_of};

/// Values of enums, by unit and column.
pub type EnumValues = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Everything earlier runs emitted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Previous {
    /// The tables after the last emitted migration.
    pub schema: Schema,
    /// Every migration, by version.
    pub emitted: Vec<Emitted>,
    /// Tables whose texts are removed: former names that another branch's state still had, and
    /// those of an extension that is left out.
    pub(super) joined: Vec<String>,
    /// Tables that earlier migrations made and none dropped, as the locks name them.
    pub recorded: BTreeSet<String>,
    /// Notices about files among the migrations.
    pub notices: Vec<String>,
    /// Paths of migrations that were emitted, and whose files are gone.
    pub gone: BTreeSet<String>,
    /// The values of enums in manifests that changed since.
    pub enum_values: EnumValues,
    /// The youngest version that was ever given, in seconds.
    pub(super) youngest: Option<i64>,
    /// The folder of the project, where their SQL is.
    root: Option<PathBuf>,
}

impl Previous {
    /// Reads the state of a project.
    ///
    /// # Errors
    /// An error while reading the state; [`Refused`] where it is damaged.
    pub fn read(state: &State) -> Result<Self> {
        let mut previous = Self {
            root: Some(state.root().to_owned()),
            recorded: state.tables().map(str::to_owned).collect(),
            ..Self::default()
        };
        let mut faults = Vec::new();
        let texts = state.files_below(FOLDER)?.into_par_iter();
        let read: Vec<(Option<Table>, Vec<String>)> = texts
            .map(|(name, text)| damage::read(&name, &text))
            .collect();
        for (table, found) in read {
            faults.extend(found);
            previous.take(table);
        }
        Refused::unless_empty(Exit::Usage, faults)?;
        previous.joined = previous.schema.join_twins();
        let known = state.migrations();
        let known = known
            .iter()
            .map(|entry| (entry.path.clone(), entry.unit.clone()));
        let mut paths: BTreeMap<String, String> = known.collect();
        let found = on_disk(state.root())?;
        let gone = paths.keys().filter(|path| !found.contains(*path));
        previous.gone = gone.cloned().collect();
        previous.notices = found.iter().filter_map(|path| unlisted(path)).collect();
        for path in found {
            // A git merge may keep one side's state: all migrations on disk are listed.
            let folder = path.split('/').nth(1).unwrap_or_default().to_owned();
            paths.entry(path).or_insert(folder);
        }
        previous.emitted = listed(
            paths
                .iter()
                .map(|(path, unit)| (path.as_str(), unit.as_str())),
        );
        Ok(previous)
    }

    /// The folder of the project, where the SQL is.
    pub(super) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Tables from their texts, migrations from paths and units.
    pub fn new<'t>(
        texts: impl IntoIterator<Item = &'t str>,
        migrations: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Self {
        let mut previous = Self {
            emitted: listed(migrations),
            ..Self::default()
        };
        texts
            .into_iter()
            .for_each(|text| previous.take(table(text)));
        previous
    }

    /// As it was before some SQL was emitted, when the tables had these texts.
    ///
    /// # Errors
    /// Parts of the texts that name those migrations, one sentence each.
    pub fn before(
        mut self,
        is_left_out: impl Fn(&Emitted, Database) -> bool,
        texts: &[String],
    ) -> Result<Self, Vec<String>> {
        let versions = self.emitted.iter().map(|one| one.version);
        self.youngest = versions.filter_map(moment::seconds).max();
        let mut gone = Vec::new();
        self.emitted.retain_mut(|one| {
            let whole = one.clone();
            one.databases.retain(|kind| !is_left_out(&whole, *kind));
            let is_left = !one.databases.is_empty();
            gone.extend((!is_left).then_some(whole));
            is_left
        });
        let tables = std::mem::take(&mut self.schema).tables.into_keys();
        let tables: Vec<String> = tables.collect();
        texts.iter().for_each(|text| self.take(table(text)));
        self.joined.extend(self.schema.join_twins());
        let known = &self.schema.tables;
        self.joined.extend(
            tables
                .into_iter()
                .filter(|table| !known.contains_key(table)),
        );
        self.recorded.retain(|table| known.contains_key(table));
        let is_of_gone = |at: i64| gone.iter().any(|one| one.version == at);
        let knows = |table: &&Table| {
            table.since.is_some_and(is_of_gone) || table.touched.values().any(|at| is_of_gone(*at))
        };
        let ahead = known.values().filter(knows);
        let ahead = ahead.map(|table| {
            let name = &table.name;
            format!(
                ".formwork/{FOLDER}/{name}.schema is committed, and names a migration that is not"
            )
        });
        let ahead: Vec<String> = ahead.collect();
        match ahead.is_empty() {
            true => Ok(self),
            false => Err(ahead),
        }
    }

    /// Leaves out an extension whose crate is removed, with its tables and migrations.
    pub fn forget_extension(&mut self, folder: &str) {
        let below = format!("extensions/{folder}/");
        self.emitted.retain(|migration| migration.folder != folder);
        self.gone.retain(|path| !path.starts_with(&below));
        let tables = self.schema.tables.values();
        let lost = tables.filter(|table| is_of(&table.unit, folder));
        let lost: Vec<String> = lost.map(|table| table.name.clone()).collect();
        for table in &lost {
            self.schema.tables.remove(table);
        }
        self.joined.extend(lost);
    }

    /// The last migrations, as the next one names them.
    pub(super) fn heads(&self) -> Vec<String> {
        ancestry::heads(&self.emitted, self.root.as_deref())
    }

    /// Migrations that are missing in the state, one sentence each.
    pub(super) fn lost(&self) -> Vec<String> {
        ancestry::lost(&self.emitted, &self.schema, self.root.as_deref())
    }

    fn take(&mut self, table: Option<Table>) {
        self.schema
            .tables
            .extend(table.map(|table| (table.name.clone(), table)));
    }
}

/// A table as its text says it, where both sides of a conflict count.
fn table(text: &str) -> Option<Table> {
    Table::from_text(&markers::both_sides(text))
}

/// Paths of the SQL below the extensions, with `/`: emitted ones, and those users wrote themselves.
fn on_disk(root: &Path) -> Result<BTreeSet<String>> {
    let extensions = root.join("extensions");
    if !is_there(&extensions)? {
        return Ok(BTreeSet::new());
    }
    let mut found = BTreeSet::new();
    for extension in fs::read_dir(&extensions)? {
        let below = extension?.path().join("migrations");
        if !is_there(&below)? {
            continue;
        }
        for entry in WalkDir::new(&below).min_depth(1).max_depth(2) {
            let entry = entry.context("cannot read the migrations")?;
            if entry.file_type().is_dir() {
                continue;
            }
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            found.insert(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(found)
}

fn is_there(folder: &Path) -> Result<bool> {
    match fs::metadata(folder) {
        Ok(found) => Ok(found.is_dir()),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", folder.display())),
    }
}

/// The notice about SQL that is not a migration.
fn unlisted(path: &str) -> Option<String> {
    let is_migration = !path.ends_with(".sql") || parsed(path, "").is_some();
    (!is_migration).then(|| {
        format!(
            "{path}: this is not a migration, and does not run: name it as in \
             `extensions/…/migrations/sqlite/20261121120000_name.sql`"
        )
    })
}

/// Migrations from paths and units; one with SQL for several databases is one.
fn listed<'t>(paths: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<Emitted> {
    let mut found: BTreeMap<(i64, String, String, String), Emitted> = BTreeMap::new();
    for (path, unit) in paths {
        if let Some((emitted, database)) = parsed(path, unit) {
            let key = (
                emitted.version,
                emitted.folder.clone(),
                emitted.name.clone(),
                emitted.number.clone(),
            );
            found.entry(key).or_insert(emitted).databases.push(database);
        }
    }
    found.into_values().collect()
}

fn parsed(path: &str, unit: &str) -> Option<(Emitted, Database)> {
    let rest = path.strip_prefix("extensions/")?;
    let (folder, rest) = rest.split_once("/migrations/")?;
    let (database, file) = rest.split_once('/')?;
    let (version, name) = file.strip_suffix(".sql")?.split_once('_')?;
    let all = [Database::Sqlite, Database::Postgres, Database::Mysql];
    let database = all
        .into_iter()
        .find(|one| database_name(*one) == database)?;
    let emitted = Emitted {
        version: version.parse().ok()?,
        number: version.to_owned(),
        name: name.to_owned(),
        folder: folder.to_owned(),
        unit: unit.to_owned(),
        databases: Vec::new(),
    };
    Some((emitted, database))
}
