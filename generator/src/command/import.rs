//! `formwork import`: manifests from the tables of a live database.

use std::path::Path;

use anyhow::Result;

use super::pipeline::{locked, show};
use super::run::Done;
use super::{progress, root};
use crate::apply;
use crate::cli::{Cli, ImportArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::import::catalogue::Catalogue;
use crate::import::describe::{Described, Options, describe};
use crate::import::settle::{self, Imported};
use crate::import::{read, write};
use crate::manifest::Sources;
use crate::name;
use crate::project::Database;
use crate::report::Mode;
use crate::resolve;

/// Reads the database, and writes or compares its manifests.
///
/// # Errors
/// A refusal, or what reading or writing failed with.
pub fn run(cli: &Cli, args: &ImportArgs) -> Result<Exit> {
    let root = root::find(cli)?;
    let names = name::extension(&args.ext).map_err(|reason| Refused::new(Exit::Usage, reason))?;
    progress::phase("reading the database".to_owned());
    let search_path = resolve::search_path(&Sources::read(&root)?);
    let catalogue = read::catalogue(&args.database_url, search_path.as_deref())?;
    let options = Options {
        tables: args.tables.clone(),
        prefix: args.prefix.clone(),
        is_public: args.public,
    };
    let described = describe(&catalogue, &options);
    let (mode, diff) = match (args.check, args.dry_run) {
        (true, _) => (Mode::Check, true),
        (_, true) => (Mode::DryRun, args.diff),
        _ => (Mode::Generate, args.diff),
    };
    let import = Import {
        root: &root,
        folder: &names.folder,
        is_whole: args.tables.is_empty(),
        catalogue: &catalogue,
        described: &described,
    };
    let done = match mode {
        Mode::Generate => locked(&root, |lock| {
            let done = import.plan()?;
            if !done.plan.has_markers() {
                apply::apply(&done.plan, &root, lock)?;
            }
            Ok(done)
        }),
        _ => import.plan(),
    }?;
    show(cli, "import", mode, diff, &done)
}

/// One import.
struct Import<'a> {
    root: &'a Path,
    folder: &'a str,
    is_whole: bool,
    catalogue: &'a Catalogue,
    described: &'a Described,
}

impl Import<'_> {
    fn plan(&self) -> Result<Done> {
        let imported: Vec<Imported> = self
            .described
            .manifests
            .iter()
            .map(|manifest| Imported {
                kind: manifest.kind,
                key: manifest.key.clone(),
                text: write::text(manifest),
            })
            .collect();
        let mut plan = settle::plan(self.root, self.folder, &imported, self.is_whole)?;
        plan.notices.extend(self.notices()?);
        Ok(Done {
            plan,
            diagnostics: Vec::new(),
        })
    }

    /// What was refused, and what is to do by hand.
    fn notices(&self) -> Result<Vec<String>> {
        let refused = self.described.refused.iter();
        let mut notices: Vec<String> = refused
            .map(|(table, reason)| format!("{table}: not imported: {reason}"))
            .collect();
        notices.extend(self.described.notices.iter().cloned());
        let sources = Sources::read(self.root)?;
        let databases = resolve::databases(&sources);
        let kind = self.catalogue.database;
        if !databases.contains(&kind) {
            notices.push(format!(
                "the project is not built for this kind of database: write `database: {}` in formwork.yaml",
                match kind {
                    Database::Sqlite => "sqlite",
                    Database::Postgres => "postgres",
                    Database::Mysql => "mysql",
                }
            ));
        }
        Ok(notices)
    }
}
