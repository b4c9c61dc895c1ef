//! The SQL that differs between databases.
//!
//! Statements are written once, in what databases have in common: names in double quotes, `?` for each
//! value. Drivers bring placeholders and values into their own form.

mod catalogue;
mod keyset;
mod migration;
mod pattern;
mod text;

use sea_query::{
    Expr, NullOrdering, Order, QueryStatementWriter, SqliteQueryBuilder, Value as Bound,
};

use crate::value::{DateTime, Value, plain_datetime_text};

/// SQLite's function that reads a moment, `2026-01-31 12:00:00` as well as `2026-01-31T12:00:00.000000Z`.
const MOMENT: &str = "strftime('%Y-%m-%d %H:%M:%f', ";

/// The kinds of database whose SQL differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// SQLite 3.
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MariaDB and MySQL.
    Mysql,
}

impl Dialect {
    /// Each of them.
    pub(crate) const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::Mysql];

    /// The word for it in migrations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }

    /// At most this many rows.
    ///
    /// SQLite plans by the value of a bare `LIMIT ?`, and prepares such a statement anew whenever a
    /// value is bound (`sqlite3ExprIsInteger`): for a page of rows that is a fifth of the work. The
    /// value of a sum is unknown then. MariaDB and MySQL take no sum.
    pub(crate) const fn limit(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgres => " LIMIT ? + 0",
            Self::Mysql => " LIMIT ?",
        }
    }

    /// Without this many of the first rows.
    pub(crate) const fn offset(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgres => " OFFSET ? + 0",
            Self::Mysql => " OFFSET ?",
        }
    }

    /// The text of a statement and its values. The SQL of sea-query for SQLite is standard SQL with
    /// `?`, which is also the mark in pieces of SQL of the user's own; so it serves every driver.
    pub(crate) fn build(self, statement: &impl QueryStatementWriter) -> (String, Vec<Bound>) {
        let (text, values) = statement.build(SqliteQueryBuilder);
        let text = match self {
            Self::Postgres | Self::Mysql if text.contains(MOMENT) => text.replace(MOMENT, "("),
            _ => text,
        };
        (text, values.0)
    }

    /// A moment as other programs store it.
    pub(crate) fn foreign_moment(self, moment: DateTime) -> Value {
        match self {
            Self::Sqlite => Value::Text(plain_datetime_text(moment)),
            Self::Postgres | Self::Mysql => Value::DateTime(moment),
        }
    }

    /// A moment in the one form in which all are compared, whichever a row has: to the millisecond.
    pub(crate) fn moment(expr: Expr) -> Expr {
        // `build` takes it off again where the database has a type for moments.
        Expr::cust_with_expr(format!("{MOMENT}?)"), expr)
    }

    /// The function that makes a JSON array of the values of a group.
    pub(crate) const fn json_array(self) -> &'static str {
        match self {
            Self::Sqlite => "json_group_array",
            Self::Postgres => "json_agg",
            Self::Mysql => "JSON_ARRAYAGG",
        }
    }

    /// The values of a group as one text, with commas between.
    pub fn joined(self, column: &str) -> String {
        match self {
            Self::Sqlite => format!("GROUP_CONCAT({column})"),
            Self::Postgres => format!("string_agg(CAST({column} AS text), ',')"),
            Self::Mysql => format!("GROUP_CONCAT({column})"),
        }
    }

    /// The bytes of a text, in hexadecimal digits.
    pub fn hex(self, column: &str) -> String {
        match self {
            Self::Sqlite | Self::Mysql => format!("hex({column})"),
            Self::Postgres => format!("upper(encode(convert_to({column}, 'UTF8'), 'hex'))"),
        }
    }

    /// The end of an INSERT, after the table's name, of a row that has its defaults alone.
    pub const fn default_row(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Postgres => "DEFAULT VALUES",
            Self::Mysql => "() VALUES ()",
        }
    }

    /// Whether the columns of the index that an upsert is about are named in it
    /// (`ON CONFLICT (…)`), and the written row is returned.
    pub(super) const fn has_on_conflict(self) -> bool {
        match self {
            Self::Sqlite | Self::Postgres => true,
            Self::Mysql => false,
        }
    }

    /// Where nulls go in an order by a term that may be null; `None`: the database takes null for
    /// smaller than every value by itself.
    pub(crate) const fn nulls(self, order: &Order) -> Option<NullOrdering> {
        match (self, order) {
            (Self::Sqlite | Self::Mysql, _) => None,
            (Self::Postgres, Order::Desc) => Some(NullOrdering::Last),
            (Self::Postgres, _) => Some(NullOrdering::First),
        }
    }

    /// The end of a SELECT whose rows the transaction is going to change. SQLite has one writer at
    /// a time, and this transaction is it.
    pub const fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            // Rows that point to it by their foreign keys may be stored meanwhile.
            Self::Postgres => " FOR NO KEY UPDATE",
            Self::Mysql => " FOR UPDATE",
        }
    }

    /// Makes runners that create tables wait for each other, where `IF NOT EXISTS` does not.
    pub(super) const fn lock_tables(self) -> Option<&'static str> {
        match self {
            Self::Sqlite | Self::Mysql => None,
            // An arbitrary number that other programs do not use.
            Self::Postgres => Some("SELECT pg_advisory_xact_lock(7266697775726)"),
        }
    }
}
