//! The SQL that differs between databases.
//!
//! Statements are written once, in what databases have in common: names in double quotes, `?` for each
//! value. Drivers bring placeholders and values into their own form.

mod catalogue;
mod migration;

use sea_query::{
    Alias, Expr, ExprTrait, Func, QueryStatementWriter, SqliteQueryBuilder, Value as Bound,
};

/// The kinds of database whose SQL differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// SQLite 3.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// At most this many rows.
///
/// SQLite plans by the value of a bare `LIMIT ?`, and prepares such a statement anew whenever a
/// value is bound (`sqlite3ExprIsInteger`): for a page of rows that is a fifth of the work. The
/// value of a sum is unknown then.
pub const LIMIT: &str = " LIMIT ? + 0";

/// Without this many of the first rows.
pub const OFFSET: &str = " OFFSET ? + 0";

impl Dialect {
    /// The word for it in migrations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// The text of a statement and its values. What sea-query writes for SQLite is standard SQL with
    /// `?`, which is also the mark in pieces of SQL of the user's own; so it serves every driver.
    pub(crate) fn build(self, statement: &impl QueryStatementWriter) -> (String, Vec<Bound>) {
        let (text, values) = statement.build(SqliteQueryBuilder);
        (text, values.0)
    }

    /// The function that makes a JSON array of the values of a group.
    pub(crate) const fn json_array(self) -> &'static str {
        match self {
            Self::Sqlite => "json_group_array",
            Self::Postgres => "json_agg",
        }
    }

    /// The values of a group as one text, with commas between.
    pub fn joined(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("GROUP_CONCAT({column})"),
            Self::Postgres => format!("string_agg(CAST({column} AS text), ',')"),
        }
    }

    /// The bytes of a text, in hexadecimal digits.
    pub fn hex(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("hex({column})"),
            Self::Postgres => format!("upper(encode(convert_to({column}, 'UTF8'), 'hex'))"),
        }
    }

    /// A decimal with so many digits after the point as the text that clients see.
    pub fn decimal_text(self, column: Expr, scale: u32, native: bool) -> Expr {
        match self {
            Self::Sqlite => {
                let power = 10_f64.powi(i32::try_from(scale).unwrap_or_default());
                let number = match native {
                    true => column,
                    false => column.div(Expr::val(power)),
                };
                let format = Expr::val(format!("%.{scale}f"));
                Func::cust("printf").arg(format).arg(number).into()
            }
            // It has the scale of its column.
            Self::Postgres => Func::cast_as(column, Alias::new("text")).into(),
        }
    }

    /// The end of a SELECT whose rows the transaction is going to change. SQLite has one writer at
    /// a time, and this transaction is it.
    pub(crate) const fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres => " FOR UPDATE",
        }
    }

    /// Defers foreign keys to the end of the transaction.
    pub(super) const fn defer_foreign_keys(self) -> &'static str {
        match self {
            Self::Sqlite => "PRAGMA defer_foreign_keys = ON",
            Self::Postgres => "SET CONSTRAINTS ALL DEFERRED",
        }
    }

    /// Makes runners that create tables wait for each other, where `IF NOT EXISTS` does not.
    pub(super) const fn lock_tables(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            // An arbitrary number that other programs do not use.
            Self::Postgres => Some("SELECT pg_advisory_xact_lock(7266697775726)"),
        }
    }
}
