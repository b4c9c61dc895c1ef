//! Migrations of extensions, and the two parts of their SQL.

use crate::{
    database::Dialect,
    error::{Error, Result},
};

/// A migration: generated once, from then on the project's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migration {
    /// When it was made, `YYYYMMDDhhmmss`: its position in the sequence.
    pub version: i64,
    /// Its name: `create_menus`.
    pub name: &'static str,
    /// Its SQL by kind of database. The part below a line `-- down` undoes it; a line `-- down: `
    /// with a reason says that it cannot be undone.
    pub sql: &'static [(&'static str, &'static str)],
}

/// Extensions and their migrations, in the order of registration.
pub type Migrations = [(&'static str, &'static [Migration])];

impl Migration {
    /// Returns the SQL that applies it.
    ///
    /// # Errors
    /// 500 if it has no SQL for this database.
    pub(super) fn up(&self, dialect: Dialect) -> Result<&'static str> {
        self.text(dialect).map(|sql| split(sql).0).ok_or_else(|| {
            let Self { version, name, .. } = self;
            let dialect = dialect.name();
            Error::internal(format!(
                "the migration {version} {name} has no SQL for {dialect}"
            ))
        })
    }

    /// Returns the SQL that undoes it, or why there is none.
    pub(super) fn down(&self, dialect: Dialect) -> Result<&'static str, &'static str> {
        let sql = self.text(dialect);
        sql.map_or(Err("it has no SQL for this database"), |sql| split(sql).1)
    }

    fn text(&self, dialect: Dialect) -> Option<&'static str> {
        let mut texts = self.sql.iter();
        let (_, sql) = texts.find(|(name, _)| *name == dialect.name())?;
        Some(sql)
    }
}

/// The line that begins the down part. With a reason after it, there is none.
const DOWN: &str = "-- down";

/// Splits the SQL of a migration at the line of its down part.
fn split(sql: &'static str) -> (&'static str, Result<&'static str, &'static str>) {
    let mut at = 0;
    for line in sql.split_inclusive('\n') {
        let (up, down) = (&sql[..at], &sql[at + line.len()..]);
        at += line.len();
        match line.trim_end().strip_prefix(DOWN) {
            Some("") => return (up, Ok(down)),
            Some(why) if why.starts_with(": ") => return (up, Err(&why[2..])),
            _ => {}
        }
    }
    (sql, Err("it has no down part"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_separates_the_sql_from_its_down_part() {
        assert_eq!(split("A;\n-- down\nB;\n"), ("A;\n", Ok("B;\n")));
        assert_eq!(split("A;\n-- down: rows\n"), ("A;\n", Err("rows")));
        assert_eq!(
            split("-- down the road\nA"),
            ("-- down the road\nA", Err("it has no down part"))
        );
    }
}
