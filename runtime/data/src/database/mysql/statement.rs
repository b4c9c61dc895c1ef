//! Running statements.

use sqlx::{
    MySqlConnection,
    mysql::{MySqlArguments, MySqlQueryResult, MySqlRow},
};
use tokio::time::sleep;

use super::{
    fault::{ends_transaction, fault},
    pool::{PooledConnection, State},
    value::arguments,
};
use crate::{
    database::{
        fault::{ATTEMPTS, Fault, PAUSE},
        row_stream::{RowSender, send_all},
        sql::Sql,
    },
    error::Error,
    value::Value,
};

/// The columns of a unique index, in its order. A column that is computed counts as the one that it
/// is computed of: `lower("email")`.
const COLUMNS: &str = "SELECT COALESCE(NULLIF(c.GENERATION_EXPRESSION, ''), c.COLUMN_NAME) \
    FROM information_schema.STATISTICS s JOIN information_schema.COLUMNS c \
    ON c.TABLE_SCHEMA = s.TABLE_SCHEMA AND c.TABLE_NAME = s.TABLE_NAME \
    AND c.COLUMN_NAME = s.COLUMN_NAME \
    WHERE s.TABLE_SCHEMA = DATABASE() AND s.TABLE_NAME = ? AND s.INDEX_NAME = ? \
    ORDER BY s.SEQ_IN_INDEX";

/// The text of a check constraint.
const CHECK: &str = "SELECT CAST(c.CHECK_CLAUSE AS CHAR) FROM information_schema.CHECK_CONSTRAINTS c \
    JOIN information_schema.TABLE_CONSTRAINTS t ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA \
    AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME \
    WHERE c.CONSTRAINT_SCHEMA = DATABASE() AND t.TABLE_NAME = ? AND c.CONSTRAINT_NAME = ?";

impl PooledConnection {
    /// All rows of a statement.
    pub async fn fetch(&mut self, sql: Sql, values: Vec<Value>) -> Result<Vec<MySqlRow>, Fault> {
        self.check_open()?;
        let table = table(sql.0.as_str());
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let rows = query.fetch_all(&mut **self).await;
        self.decoded(&table, rows).await
    }

    /// Sends the rows of a statement, one after another.
    pub async fn stream(
        &mut self,
        sql: Sql,
        values: Vec<Value>,
        to: &RowSender,
    ) -> Result<(), Fault> {
        self.check_open()?;
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let sent = send_all(query.fetch(&mut **self), to).await;
        self.decoded("", sent).await
    }

    /// The first row of a statement.
    pub async fn first(&mut self, sql: Sql, values: Vec<Value>) -> Result<Option<MySqlRow>, Fault> {
        self.check_open()?;
        let query = sqlx::query_with(sql.0, arguments(values)?);
        let row = query.fetch_optional(&mut **self).await;
        self.decoded("", row).await
    }

    /// How many rows a statement found to change.
    pub async fn execute(&mut self, sql: Sql, values: Vec<Value>) -> Result<u64, Fault> {
        Ok(self.run(sql, values).await?.rows_affected())
    }

    /// Inserts a row; returns the key that the database counted.
    pub async fn insert(&mut self, sql: Sql, values: Vec<Value>, _key: &str) -> Result<i64, Fault> {
        let key = self.run(sql, values).await?.last_insert_id();
        i64::try_from(key).map_err(|error| Error::internal(error).into())
    }

    /// Runs a statement; one that commits by itself is sent again after a deadlock.
    async fn run(&mut self, sql: Sql, values: Vec<Value>) -> Result<MySqlQueryResult, Fault> {
        self.check_open()?;
        let arguments = arguments(values)?;
        let mut attempt = 1;
        loop {
            let outcome = execute(self, &sql, arguments.clone()).await;
            let may_repeat = attempt < ATTEMPTS && self.state == State::Single;
            if !(may_repeat && outcome.as_ref().err().is_some_and(ends_transaction)) {
                return self.decoded(&table(sql.0.as_str()), outcome).await;
            }
            sleep(PAUSE).await;
            attempt += 1;
        }
    }

    /// The fault of a failed statement. The index of a unique constraint is replaced by its columns.
    async fn decoded<T>(&mut self, table: &str, outcome: sqlx::Result<T>) -> Result<T, Fault> {
        let error = match outcome {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        if self.state == State::Transaction && ends_transaction(&error) {
            self.state = State::RolledBack;
        }
        match fault(error) {
            Fault::Unique(index) => Err(Fault::Unique(self.columns_of(table, index).await)),
            Fault::Check(name) => Err(self.check(table, name).await),
            fault => Err(fault),
        }
    }

    /// The fault about the only column of a check; about its name where it has several.
    async fn check(&mut self, table: &str, name: String) -> Fault {
        // MariaDB names the check of a column so.
        let own = name.strip_prefix(table).and_then(|it| it.strip_prefix('.'));
        let column = match own {
            Some(column) => Some(column.to_owned()),
            None => {
                let clause = sqlx::query_scalar::<_, String>(CHECK)
                    .bind(table)
                    .bind(&name)
                    .fetch_all(&mut **self);
                match clause.await.as_deref() {
                    Ok([only]) => only_name(only),
                    // Checks of several tables may have one name on MariaDB.
                    _ => None,
                }
            }
        };
        match column {
            Some(column) => Fault::Unfit {
                column,
                why: "is invalid",
            },
            None => Fault::Check(name),
        }
    }

    /// The columns of an index; its name where they cannot be read.
    async fn columns_of(&mut self, table: &str, index: Vec<String>) -> Vec<String> {
        let named = index.first().cloned().unwrap_or_default();
        let found = sqlx::query_scalar::<_, String>(COLUMNS)
            .bind(table)
            .bind(named)
            .fetch_all(&mut **self)
            .await;
        match found {
            Ok(columns) if !columns.is_empty() => {
                columns.iter().map(|column| plain(column)).collect()
            }
            _ => index,
        }
    }
}

/// Statements without values are sent as text: MySQL prepares neither savepoints nor most that
/// change tables.
async fn execute(
    connection: &mut MySqlConnection,
    sql: &Sql,
    arguments: MySqlArguments,
) -> sqlx::Result<MySqlQueryResult> {
    let text = sql.0.clone();
    if sqlx::Arguments::len(&arguments) == 0 {
        sqlx::raw_sql(text).execute(connection).await
    } else {
        let query = sqlx::query_with(text, arguments);
        query.execute(connection).await
    }
}

/// The first name in quotes: the table that an INSERT or UPDATE writes to. Without quotes it is the
/// word behind `INTO` or `UPDATE`.
fn table(sql: &str) -> String {
    if let Some((_, rest)) = sql.split_once('"') {
        return rest.split('"').next().unwrap_or_default().to_owned();
    }
    let mut words = sql.split_whitespace();
    let is_before = |word: &&str| {
        ["INTO", "UPDATE"]
            .iter()
            .any(|it| word.eq_ignore_ascii_case(it))
    };
    words.find(is_before);
    let name = words.next().unwrap_or_default();
    name.split('(').next().unwrap_or_default().to_owned()
}

/// The name in quotes, if it is the only one of an expression.
fn only_name(expression: &str) -> Option<String> {
    let mut names = expression.split(['`', '"']).skip(1).step_by(2);
    let first = names.next()?;
    names.all(|name| name == first).then(|| first.to_owned())
}

/// The column that an expression is about: `email` of ``lcase(`email`)``.
fn plain(expression: &str) -> String {
    let inner = expression.rsplit('(').next().unwrap_or_default();
    let inner = inner.split(')').next().unwrap_or_default();
    inner.trim_matches(['`', '"']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_that_is_written_to_is_named_first() {
        for sql in [
            "INSERT INTO \"menus\" (\"id\") VALUES (?)",
            "UPDATE \"menus\" SET \"a\" = ?",
            "insert into menus(id) VALUES (1)",
            "UPDATE menus SET a = 1",
        ] {
            assert_eq!(table(sql), "menus", "{sql}");
        }
        assert_eq!(table("SELECT 1"), "");
    }

    #[test]
    fn a_check_of_one_column_is_about_it() {
        let found = only_name("`price` >= 0 and `price` < 1000");
        assert_eq!(found.as_deref(), Some("price"));
        assert_eq!(only_name("`a` < `b`"), None);
        assert_eq!(only_name("1 = 1"), None);
    }

    #[test]
    fn a_computed_column_counts_as_the_one_it_is_computed_of() {
        for expression in [
            "email",
            "lcase(`email`)",
            "lcase(\"email\")",
            "(lower(`email`))",
        ] {
            assert_eq!(plain(expression), "email", "{expression}");
        }
    }
}
