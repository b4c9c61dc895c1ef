//! SQLite's catalogue: `sqlite_schema` and its pragmas.

mod checks;
mod rows;

use std::fmt::Display;

use anyhow::{Context as _, Result};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Row, Sqlite, SqliteConnection};

use super::arguments::Declared;
use super::keys::check_keys;
use super::kinds::read_kinds;
use super::looks::{Looks, Unlooked};
use super::reader::{Reader, Reading};
use crate::import::catalogue::{
    CatalogueColumn, CatalogueIndex, CatalogueTable, ColumnDefault, Unreachable,
};
use crate::project::ColumnType;

/// Endings of the names of tables in which virtual tables keep their index: FTS3 to FTS5, and R-trees.
const SHADOWS: [&str; 11] = [
    "config", "content", "data", "docsize", "idx", "node", "parent", "rowid", "segdir", "segments",
    "stat",
];

const TABLES: &str = "SELECT s.name, l.type, coalesce(s.sql, '') FROM sqlite_schema AS s \
    JOIN pragma_table_list AS l ON l.name = s.name AND l.schema = 'main' \
    WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";

/// A file that is only read.
pub(super) async fn connect(reading: &Reading<'_>) -> Result<SqliteConnection> {
    let options: SqliteConnectOptions = reading.url.parse().context("--database-url")?;
    Ok(options.read_only(true).connect().await?)
}

impl Reader for SqliteConnection {
    async fn read(&mut self, names: &[String]) -> Result<(Vec<CatalogueTable>, Vec<Unreachable>)> {
        let rows: Vec<(String, String, String)> =
            sqlx::query_as(TABLES).fetch_all(&mut *self).await?;
        let is_wanted =
            |name: &str| names.is_empty() || names.iter().any(|one| one.eq_ignore_ascii_case(name));
        let (mut tables, mut unreachable) = (Vec::new(), Vec::new());
        for (name, kind, sql) in rows.iter().filter(|(name, ..)| is_wanted(name)) {
            if let Some(reason) = no_table(name, kind, &rows) {
                unreachable.push((name.clone(), reason));
                continue;
            }
            match table(self, name, kind, sql).await {
                Ok(mut table) => {
                    close(&mut table, &rows);
                    tables.push(table);
                }
                Err(error) => unreachable.push(unreadable(name, &error)),
            }
        }
        Ok((tables, unreachable))
    }

    async fn look(
        &mut self,
        tables: &mut Vec<CatalogueTable>,
        looks: &mut Looks,
    ) -> Vec<Unreachable> {
        let mut without = Vec::new();
        for table in tables.iter_mut() {
            match rows::look(self, table, looks).await {
                Ok(()) => {}
                Err(Unlooked::Late) => rows::note_unlooked(table),
                Err(Unlooked::Failed(error)) => without.push(unreadable(&table.name, &error)),
            }
        }
        tables.retain(|table| without.iter().all(|(name, _)| *name != table.name));
        read_kinds::<Sqlite>(self, tables, looks, ('"', "TEXT")).await;
        check_keys::<Sqlite>(self, tables, looks, true, ('"', "TEXT")).await;
        without
    }
}

/// Closes a table whose foreign key leads to a table that is not there: SQLite refuses each new row, and each new value
/// of the column.
fn close(table: &mut CatalogueTable, all: &[(String, String, String)]) {
    let is_there = |name: &str| all.iter().any(|one| one.0.eq_ignore_ascii_case(name));
    let keys = table.foreign.iter();
    let gone = keys.filter(|key| !is_there(&key.table));
    for key in gone {
        let to = &key.table;
        table.closed = Some(format!(
            "SQLite refuses new rows, because a foreign key leads to `{to}`, which is not there"
        ));
        let mut columns = table.columns.iter_mut();
        let column = columns.find(|column| column.name.eq_ignore_ascii_case(&key.column));
        column
            .into_iter()
            .for_each(|column| column.is_read_only = true);
    }
}

fn unreadable(name: &str, error: &dyn Display) -> Unreachable {
    (name.to_owned(), format!("it cannot be read: {error}"))
}

/// The reason to leave out a table that a module of SQLite keeps.
fn no_table(name: &str, kind: &str, all: &[(String, String, String)]) -> Option<String> {
    if kind == "virtual" {
        return Some("a virtual table: a module of SQLite computes its rows".to_owned());
    }
    // SQLite knows these as shadow tables only where it has the module.
    let is_part_of = |(other, kind, _): &&(String, String, String)| {
        let rest = name.strip_prefix(other.as_str());
        let part = rest.and_then(|rest| rest.strip_prefix('_'));
        kind == "virtual" && part.is_some_and(|part| SHADOWS.contains(&part))
    };
    match all.iter().find(is_part_of) {
        Some((of, ..)) => Some(format!("it holds the index of the virtual table `{of}`")),
        None => (kind == "shadow").then(|| "it holds the index of a virtual table".to_owned()),
    }
}

async fn table(
    connection: &mut SqliteConnection,
    name: &str,
    kind: &str,
    sql: &str,
) -> Result<CatalogueTable> {
    let mut table = CatalogueTable {
        name: name.to_owned(),
        is_view: kind == "view",
        checks: checks::of(sql),
        ..CatalogueTable::default()
    };
    columns(connection, &mut table).await?;
    foreign_keys(connection, &mut table).await?;
    indexes(connection, &mut table).await?;
    counted_key(connection, &mut table).await?;
    Ok(table)
}

/// A whole number that is the only key is another name of SQLite's row number, which it counts. Other keys have an
/// index (SQLite's documentation, "ROWIDs and the INTEGER PRIMARY KEY").
async fn counted_key(connection: &mut SqliteConnection, table: &mut CatalogueTable) -> Result<()> {
    let sql = "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'";
    let indexes: i64 = sqlx::query_scalar(sql)
        .bind(&table.name)
        .fetch_one(connection)
        .await?;
    if let ([only], 0) = (table.primary.as_slice(), indexes) {
        let mut columns = table.columns.iter_mut();
        let key = columns.find(|column| column.name == *only);
        key.into_iter().for_each(|key| key.is_counted = true);
    }
    Ok(())
}

async fn columns(connection: &mut SqliteConnection, table: &mut CatalogueTable) -> Result<()> {
    let sql = "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)";
    let rows = sqlx::query(sql)
        .bind(&table.name)
        .fetch_all(connection)
        .await?;
    let mut primary: Vec<(i64, String)> = Vec::new();
    for row in rows {
        let hidden: i64 = row.try_get(5)?;
        let (name, declared): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let place: i64 = row.try_get(4)?;
        if place > 0 {
            primary.push((place, name.clone()));
        }
        if hidden == 1 {
            continue;
        }
        let (kind, note) = kind(&declared);
        table.columns.push(CatalogueColumn {
            // The only type of a boolean that is a guess has a note.
            is_guessed: kind == Some(ColumnType::Boolean) && note.is_some(),
            kind,
            note,
            nullable: row.try_get::<i64, _>(2)? == 0 && place == 0,
            default: row
                .try_get::<Option<String>, _>(3)?
                .and_then(|text| default(&text)),
            is_generated: hidden > 1,
            ..CatalogueColumn::new(&name, &declared)
        });
    }
    primary.sort();
    table.primary = primary.into_iter().map(|(_, name)| name).collect();
    Ok(())
}

/// The type by SQLite's own rules of affinity, refined by the words that programs write; `None` where only the rows
/// tell.
fn kind(declared: &str) -> (Option<ColumnType>, Option<String>) {
    let parsed = Declared::parse(declared);
    let words = parsed.words.as_str();
    let has = |part: &str| words.contains(part);
    let kind = match words {
        "" => return (None, None),
        "boolean" | "bool" => ColumnType::Boolean,
        "tinyint" if parsed.length() == Some(1) => {
            let note = "Guessed: a boolean, because it has one digit.";
            return (Some(ColumnType::Boolean), Some(note.to_owned()));
        }
        "datetime" | "timestamp" | "timestamptz" => ColumnType::DateTime,
        "date" => ColumnType::Date,
        "time" => ColumnType::Time,
        "json" | "jsonb" => ColumnType::Json,
        "uuid" | "guid" => ColumnType::Uuid,
        "numeric" | "decimal" => {
            let (kind, note) = parsed.decimal((18, 4));
            return (Some(kind), note);
        }
        _ if words.starts_with("timestamp with") => ColumnType::DateTime,
        _ if has("int") => ColumnType::BigInt,
        _ if has("char") => parsed.string(),
        _ if has("clob") || has("text") => ColumnType::Text,
        _ if has("real") || has("floa") || has("doub") => ColumnType::Float,
        _ => return (None, None),
    };
    (Some(kind), None)
}

/// A default: a literal is a value, other texts are expressions; NULL is no default.
fn default(text: &str) -> Option<ColumnDefault> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("null") {
        return None;
    }
    let inner = text
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''));
    let is_number = text.parse::<f64>().is_ok();
    let is_word = ["true", "false"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    Some(match inner {
        Some(inner) => ColumnDefault::Value(inner.replace("''", "'")),
        None if is_number => ColumnDefault::Value(text.to_owned()),
        None if is_word => ColumnDefault::Value(text.to_lowercase()),
        None => ColumnDefault::Expression(text.to_owned()),
    })
}

async fn foreign_keys(connection: &mut SqliteConnection, table: &mut CatalogueTable) -> Result<()> {
    let sql =
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq";
    let rows = sqlx::query_as(sql)
        .bind(&table.name)
        .fetch_all(connection)
        .await?;
    let keys: Vec<(i64, String, String, Option<String>)> = rows;
    for parts in keys.chunk_by(|one, next| one.0 == next.0) {
        let columns = parts.iter().map(|part| (part.2.clone(), part.3.clone()));
        table.add_foreign_key(&columns.collect::<Vec<_>>(), &parts[0].1);
    }
    Ok(())
}

async fn indexes(connection: &mut SqliteConnection, table: &mut CatalogueTable) -> Result<()> {
    let sql = "SELECT l.name, l.\"unique\", l.partial, i.name FROM pragma_index_list(?) AS l, \
        pragma_index_info(l.name) AS i WHERE l.origin <> 'pk' ORDER BY l.name, i.seqno";
    let rows = sqlx::query_as(sql)
        .bind(&table.name)
        .fetch_all(connection)
        .await?;
    // An index of an expression has no column; a partial index covers only some rows.
    let mut parts: Vec<(String, i64, i64, Option<String>)> = rows;
    parts.retain(|part| part.2 == 0 && part.3.is_some());
    for parts in parts.chunk_by(|one, next| one.0 == next.0) {
        table.indexes.push(CatalogueIndex {
            columns: parts.iter().filter_map(|part| part.3.clone()).collect(),
            is_unique: parts[0].1 == 1,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_values_or_expressions() {
        assert_eq!(
            default("'it''s'"),
            Some(ColumnDefault::Value("it's".to_owned()))
        );
        assert_eq!(default("NULL"), None);
        assert_eq!(
            default("CURRENT_TIMESTAMP"),
            Some(ColumnDefault::Expression("CURRENT_TIMESTAMP".to_owned()))
        );
    }
}
