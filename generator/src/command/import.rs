//! `formwork import`: manifests from the tables of a live database.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::root;
use crate::cli::{Cli, ImportArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::import::catalogue::Catalogue;
use crate::import::describe::{Described, DescribedManifest, Known, Options, describe};
use crate::import::read::{self, Reading};
use crate::import::settle::{self, Imported};
use crate::import::{known, write};
use crate::manifest::Sources;
use crate::name;
use crate::plan::Plan;
use crate::project::Database;
use crate::report::Mode;
use crate::resolve;
use crate::run::request::{Purpose, Run};
use crate::run::{pipeline, progress};
use crate::state::State;

/// Reads the database, and writes or compares its manifests.
///
/// # Errors
/// A refusal, or what reading or writing failed with.
pub fn run(cli: &Cli, args: &ImportArgs) -> Result<Exit> {
    let root = root::find(cli)?;
    let names = name::extension(&args.ext).map_err(|reason| Refused::new(Exit::Usage, reason))?;
    progress::phase("reading the database".to_owned());
    let sources = Sources::read(&root)?;
    let search_path = resolve::search_path(&sources);
    let known = known::read(&State::load(&root)?, &sources, &names.folder)?;
    let catalogue = read::catalogue(&Reading {
        url: &args.database_url,
        search_path: search_path.as_deref(),
        tables: &tables(&args.tables, &known),
        looks: Duration::from_secs(args.look_seconds.into()),
    })?;
    let (mode, diff) = match (args.check, args.dry_run) {
        (true, _) => (Mode::Check, true),
        (_, true) => (Mode::DryRun, args.diff),
        _ => (Mode::Generate, args.diff),
    };
    let import = Import {
        root: &root,
        folder: &names.folder,
        args,
        catalogue: &catalogue,
    };
    let plan = || import.plan();
    let run = Run {
        mode,
        diff,
        ..Run::new("import", &root, Purpose::Plan(&plan))
    };
    pipeline::report(cli, &run)
}

/// Returns the tables to read: the selected ones, and those that their relations may lead to. Empty for all.
fn tables(selected: &[String], known: &Known) -> Vec<String> {
    let related = known.tables.iter().filter(|_| !selected.is_empty());
    let related = related.filter(|table| !selected.contains(table));
    selected.iter().chain(related).cloned().collect()
}

/// One import.
struct Import<'a> {
    root: &'a Path,
    folder: &'a str,
    args: &'a ImportArgs,
    catalogue: &'a Catalogue,
}

impl Import<'_> {
    fn plan(&self) -> Result<Plan> {
        let sources = Sources::read(self.root)?;
        let options = Options {
            tables: self.args.tables.clone(),
            prefix: self.args.prefix.clone(),
            table_prefix: resolve::table_prefix(&sources),
            known: known::read(&State::load(self.root)?, &sources, self.folder)?,
        };
        let described = describe(self.catalogue, &options);
        let manifests: Vec<Imported> = described.manifests.iter().map(imported).collect();
        let without = described.refused.iter().chain(&described.passed);
        let mut plan = settle::plan(
            self.root,
            &settle::Import {
                manifests: &manifests,
                known: &options.known,
                is_whole: self.args.tables.is_empty(),
                reasons: without.cloned().collect(),
            },
        )?;
        plan.notices.extend(notices(&described));
        plan.notices.extend(self.kind(&sources));
        Ok(plan)
    }

    /// Notice where the project is built for other kinds of database.
    fn kind(&self, sources: &Sources) -> Option<String> {
        let kind = self.catalogue.database;
        let word = match kind {
            Database::Sqlite => "sqlite",
            Database::Postgres => "postgres",
            Database::Mysql => "mysql",
        };
        (!resolve::databases(sources).contains(&kind)).then(|| {
            format!("the project is not built for this kind of database: write `database: {word}` in formwork.yaml")
        })
    }
}

fn imported(manifest: &DescribedManifest) -> Imported {
    let columns = manifest.attributes.iter().map(|one| one.name.clone());
    Imported {
        kind: manifest.kind,
        key: manifest.key.clone(),
        table: manifest.table.clone(),
        columns: columns.collect(),
        text: write::text(manifest),
    }
}

/// Notices about refused tables, tables that need no manifest, and work to do by hand.
fn notices(described: &Described) -> Vec<String> {
    let refused = described.refused.iter();
    let refused = refused.map(|(table, reason)| format!("{table}: not imported: {reason}"));
    let passed = described.passed.iter();
    let passed = passed.map(|(table, reason)| format!("{table}: {reason}"));
    let others = described.notices.iter().cloned();
    refused.chain(others).chain(passed).collect()
}
