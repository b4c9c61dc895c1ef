//! Migrations as extensions bring them.

/// A migration: poured once, from then on the project's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// When it was made, `YYYYMMDDhhmmss`: its place in the sequence.
    pub version: i64,
    /// What it does: `create_menus`.
    pub name: &'static str,
    /// Its SQL by kind of database. What follows a line `-- down` undoes it; a line `-- down: ` with a
    /// reason says that nothing does.
    pub sql: &'static [(&'static str, &'static str)],
}

/// Extensions and their migrations, in the order of registration.
pub type Migrations = [(&'static str, &'static [Migration])];
