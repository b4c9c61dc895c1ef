//! Migrations as extensions bring them.

/// A migration: poured once, from then on the project's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// When it was made, `YYYYMMDDhhmmss`: its place in the sequence.
    pub version: i64,
    /// Its name: `create_menus`.
    pub name: &'static str,
    /// Its SQL by kind of database. The part below a line `-- down` undoes it; a line `-- down: `
    /// with a reason says that it cannot be undone.
    pub sql: &'static [(&'static str, &'static str)],
}

/// Extensions and their migrations, in the order of registration.
pub type Migrations = [(&'static str, &'static [Migration])];
