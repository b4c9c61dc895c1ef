//! Where the demo's rows are: in a file of its folder, or in a database of a server that was empty.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::digest::Digest;
use crate::error::Refused;
use crate::exit::Exit;

/// The file, in the demo's folder.
const FILE: &str = "data/app.sqlite";
/// Text of the note about a database until its rows are committed, and from then on.
const UNSEEDED: &str = "unseeded";
const SEEDED: &str = "seeded";
/// How many tables of another program a refusal names.
const NAMED: usize = 3;

/// The database of a demo.
pub(super) struct DemoDatabase<'a> {
    server: Option<&'a str>,
}

impl<'a> DemoDatabase<'a> {
    /// The one at this address, or a file.
    ///
    /// # Errors
    /// A refusal where the address is not a server's.
    pub fn new(server: Option<&'a str>) -> Result<Self> {
        if let Some(url) = server {
            server::check(url)?;
        }
        Ok(Self { server })
    }

    /// Its address, as the service reads it in the demo's folder.
    pub fn url(&self) -> String {
        let own = || format!("sqlite://{FILE}");
        self.server.map_or_else(own, str::to_owned)
    }

    /// Returns the features of the restaurant that compile the server's driver; SQLite needs none.
    pub fn features(&self) -> &'static str {
        match self.server {
            Some(url) if url.starts_with("postgres") => "postgres",
            Some(_) => "mysql",
            None => "",
        }
    }

    /// Whether it is to be seeded. A file whose seeding was interrupted is removed.
    ///
    /// # Errors
    /// A refusal where a server's database has tables that no demo of this folder made.
    pub fn is_fresh(&self, folder: &Path) -> Result<bool> {
        let note = fs::read_to_string(self.note(folder)).ok();
        let Some(url) = self.server else {
            if note.is_some() {
                remove(folder)?;
            }
            return Ok(!folder.join(FILE).is_file());
        };
        let tables = server::tables(url)?;
        match note.as_deref() {
            _ if tables.is_empty() => Ok(true),
            Some(note) => Ok(note == UNSEEDED),
            None => Err(occupied(&tables).into()),
        }
    }

    /// Notes that its rows are not complete.
    ///
    /// # Errors
    /// An error while writing the note.
    pub fn begin(&self, folder: &Path) -> Result<()> {
        let note = self.note(folder);
        fs::create_dir_all(folder.join("data"))?;
        fs::write(&note, UNSEEDED).with_context(|| note.display().to_string())
    }

    /// Notes that they are.
    ///
    /// # Errors
    /// As [`DemoDatabase::begin`].
    pub fn finish(&self, folder: &Path) -> Result<()> {
        let note = self.note(folder);
        let noted = match self.server {
            Some(_) => fs::write(&note, SEEDED),
            None => fs::remove_file(&note),
        };
        noted.with_context(|| note.display().to_string())
    }

    /// The file with the note. Its name does not tell a server's password.
    fn note(&self, folder: &Path) -> PathBuf {
        let name = self.server.map_or(UNSEEDED.to_owned(), |url| {
            format!("server-{:.12}", Digest::of(url).to_string())
        });
        folder.join("data").join(name)
    }
}

fn remove(folder: &Path) -> Result<()> {
    for ending in ["", "-wal", "-shm"] {
        let file = folder.join(format!("{FILE}{ending}"));
        if file.is_file() {
            fs::remove_file(&file).with_context(|| file.display().to_string())?;
        }
    }
    Ok(())
}

fn occupied(tables: &[String]) -> Refused {
    let mut names = tables.iter().take(NAMED).cloned().collect::<Vec<_>>();
    if tables.len() > NAMED {
        names.push("…".to_owned());
    }
    let problem = format!(
        "--database-url: the database has tables that this demo did not make ({}); nothing was changed",
        names.join(", ")
    );
    let help = "name an empty database: the demo's accounts and passwords are public";
    Refused::new(Exit::Usage, problem).with_help(help)
}

/// Asking a server, by the drivers of `import`.
#[cfg(feature = "import")]
mod server {
    use std::time::Duration;

    use anyhow::Result;

    use crate::error::Refused;
    use crate::exit::Exit;
    use crate::import::read::{self, Reading};
    use crate::project::Database;

    pub fn check(url: &str) -> Result<()> {
        if read::database(url)? != Database::Sqlite {
            return Ok(());
        }
        let problem = "--database-url: the demo makes a file for SQLite by itself";
        let help = "leave the option out, or write `postgres://user@host/restaurant` or `mysql://user@host/restaurant`";
        Err(Refused::new(Exit::Usage, problem).with_help(help).into())
    }

    pub fn tables(url: &str) -> Result<Vec<String>> {
        let reading = Reading {
            url,
            search_path: None,
            tables: &[],
            // Only the names are read.
            looks: Duration::ZERO,
        };
        let tables = read::catalogue(&reading)?.tables.into_iter();
        Ok(tables.map(|table| table.name).collect())
    }
}

#[cfg(not(feature = "import"))]
mod server {
    use anyhow::Result;

    use crate::error::Refused;
    use crate::exit::Exit;

    pub fn check(_: &str) -> Result<()> {
        let problem = "--database-url: this formwork was built without the drivers of servers (the feature `import`)";
        Err(Refused::new(Exit::Usage, problem).into())
    }

    pub fn tables(_: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}
