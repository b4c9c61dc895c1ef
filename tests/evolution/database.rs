//! An embedded SQLite that migrations are applied to as a poured service applies them.

use std::collections::{BTreeMap, BTreeSet};

use formwork_cli::project::ColumnType;
use formwork_cli::schema::{Column, Migrations, Schema, Table};
use formwork_tests::facts::FACTS;
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};
use tokio::runtime::Runtime;

/// A database in memory.
pub struct Database {
    runtime: Runtime,
    connection: SqliteConnection,
}

/// Values of a table: by key, column and SQL literal.
pub type Rows = BTreeMap<String, BTreeMap<String, String>>;

impl Database {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let connection = runtime.block_on(SqliteConnection::connect("sqlite::memory:"));
        Self {
            connection: connection.expect("a database"),
            runtime,
        }
    }

    pub fn execute(&mut self, sql: &str) -> Result<(), String> {
        let run = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut self.connection);
        let done = self.runtime.block_on(run);
        done.map(|_| ()).map_err(|error| format!("{error}\n{sql}"))
    }

    /// Rows of texts.
    pub fn query(&mut self, sql: &str) -> Vec<Vec<String>> {
        let query = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut self.connection);
        let rows = self.runtime.block_on(query);
        let rows = rows.unwrap_or_else(|error| panic!("{error}: {sql}"));
        let texts = |row: &sqlx::sqlite::SqliteRow| {
            (0..row.len()).map(|i| row.get::<String, _>(i)).collect()
        };
        rows.iter().map(texts).collect()
    }

    /// Applies the migrations of a run, each in a transaction, foreign keys checked at its end.
    pub fn migrate(&mut self, run: &Migrations) -> Result<(), String> {
        for migration in &run.new {
            let (_, sql) = migration.sql.first().expect("SQL for SQLite");
            self.execute("PRAGMA foreign_keys = OFF")?;
            self.execute("BEGIN IMMEDIATE")?;
            let done = self
                .execute(sql)
                .and_then(|()| self.check_foreign_keys(sql));
            self.execute(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
            self.execute("PRAGMA foreign_keys = ON")?;
            done?;
        }
        Ok(())
    }

    fn check_foreign_keys(&mut self, sql: &str) -> Result<(), String> {
        let broken = self.query("SELECT \"table\" || ' ' || parent FROM pragma_foreign_key_check");
        match broken.first() {
            None => Ok(()),
            Some(row) => Err(format!("FOREIGN KEY check failed: {row:?}\n{sql}")),
        }
    }

    /// Names of tables.
    pub fn tables(&mut self) -> Vec<String> {
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
        self.query(sql).into_iter().flatten().collect()
    }

    /// Everything the database says about its tables, but for the order of columns.
    pub fn described(&mut self) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        for table in self.tables() {
            let mut facts = BTreeSet::new();
            for sql in FACTS {
                facts.extend(self.query(&sql.replace("{}", &table)).into_iter().flatten());
            }
            all.insert(table, facts);
        }
        all
    }

    /// What rows hold.
    pub fn rows(&mut self, table: &Table) -> Rows {
        let literals: Vec<String> = table
            .columns
            .iter()
            .map(|column| format!("quote(\"{}\")", column.name))
            .collect();
        let keys: Vec<String> = table
            .primary
            .iter()
            .map(|name| format!("quote(\"{name}\")"))
            .collect();
        let (key, values) = (keys.join(" || ',' || "), literals.join(", "));
        let sql = format!("SELECT {key}, {values} FROM \"{}\"", table.name);
        let rows = self.query(&sql).into_iter().map(|mut row| {
            let values = row.split_off(1);
            let names = table.columns.iter().map(|column| column.name.clone());
            (row.remove(0), names.zip(values).collect())
        });
        rows.collect()
    }

    /// Adds rows to every table, distinguished by `batch`; each points to those of the same number.
    pub fn fill(&mut self, schema: &Schema, batch: u32) {
        self.execute("PRAGMA foreign_keys = OFF").expect("a pragma");
        for table in schema.tables.values() {
            for number in [batch * 10 + 1, batch * 10 + 2] {
                let names: Vec<String> = table
                    .columns
                    .iter()
                    .map(|column| format!("\"{}\"", column.name))
                    .collect();
                let values: Vec<String> = table
                    .columns
                    .iter()
                    .map(|column| value(column, number))
                    .collect();
                let (name, names, values) = (&table.name, names.join(", "), values.join(", "));
                let sql = format!("INSERT INTO \"{name}\" ({names}) VALUES ({values})");
                self.execute(&sql).unwrap_or_else(|error| panic!("{error}"));
            }
        }
        self.check_foreign_keys("rows").expect("rows that fit");
        self.execute("PRAGMA foreign_keys = ON").expect("a pragma");
    }
}

/// A value of a column's type as SQLite stores it; one in three is NULL where it may be.
fn value(column: &Column, number: u32) -> String {
    if column.nullable && column.references.is_none() && number.is_multiple_of(3) {
        return "NULL".to_owned();
    }
    match &column.kind {
        ColumnType::Integer | ColumnType::BigInt => number.to_string(),
        ColumnType::Float => format!("{number}.5"),
        ColumnType::Decimal(_, scale) if column.native => {
            format!("{number}.{}", "5".repeat(usize::from(*scale)))
        }
        ColumnType::Decimal(_, scale) => format!("{number}{}", "5".repeat(usize::from(*scale))),
        ColumnType::Boolean => (number % 2).to_string(),
        ColumnType::Date => format!("'2026-01-{:02}'", number % 28 + 1),
        ColumnType::Time => format!("'12:{:02}:00'", number % 60),
        ColumnType::DateTime => format!("'2026-01-{:02}T12:00:00.000000Z'", number % 28 + 1),
        ColumnType::Json => format!("'{{\"n\":{number}}}'"),
        ColumnType::Uuid => format!("'00000000-0000-4000-8000-{number:012}'"),
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => format!("'{number}'"),
    }
}
