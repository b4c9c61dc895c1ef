//! The questions that every kind of database answers.

use std::time::Duration;

use anyhow::Result;

use super::looks::Looks;
use crate::import::catalogue::{CatalogueTable, Unreachable};

/// What to read of a database.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Its URL.
    pub url: &'a str,
    /// The schemas in which PostgreSQL looks for tables.
    pub search_path: Option<&'a str>,
    /// Only these tables; all of them when empty.
    pub tables: &'a [String],
    /// How long all reading of rows may take.
    pub looks: Duration,
}

/// A connection that reads a catalogue.
pub(super) trait Reader {
    /// Reads these tables, or all of them, without a look at their rows. What cannot be imported has a reason.
    async fn read(&mut self, names: &[String]) -> Result<(Vec<CatalogueTable>, Vec<Unreachable>)>;

    /// Looks at the rows of tables; those that turn out to be unreadable are taken out, with a reason.
    async fn look(
        &mut self,
        tables: &mut Vec<CatalogueTable>,
        looks: &mut Looks,
    ) -> Vec<Unreachable>;
}
