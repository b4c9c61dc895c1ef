//! SQLite's catalogue: `sqlite_schema` and its pragmas.

use anyhow::{Context as _, Result};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Row, Sqlite, SqliteConnection};

use super::arguments::{Declared, quoted};
use super::kinds::read_kinds;
use crate::import::catalogue::{Column, Default, ForeignKey, Index, Table};
use crate::project::ColumnType;

/// Rows that are looked at to tell the type of a column that declares none.
const LOOKED_AT: usize = 1000;

pub(super) async fn tables(url: &str) -> Result<Vec<Table>> {
    let options: SqliteConnectOptions = url.parse().context("--database-url")?;
    let mut connection = options.read_only(true).connect().await?;
    let sql = "SELECT name, type, coalesce(sql, '') FROM sqlite_schema \
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let rows = sqlx::query(sql).fetch_all(&mut connection).await?;
    let mut tables = Vec::new();
    for row in rows {
        let mut table = Table {
            name: row.try_get(0)?,
            is_view: row.try_get::<String, _>(1)? == "view",
            checks: checks(&row.try_get::<String, _>(2)?),
            ..Table::default()
        };
        columns(&mut connection, &mut table).await?;
        undeclared(&mut connection, &mut table).await?;
        foreign_keys(&mut connection, &mut table).await?;
        indexes(&mut connection, &mut table).await?;
        tables.push(table);
    }
    read_kinds::<Sqlite>(&mut connection, &mut tables, ('"', "TEXT")).await?;
    Ok(tables)
}

async fn columns(connection: &mut SqliteConnection, table: &mut Table) -> Result<()> {
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
        table.columns.push(Column {
            kind,
            note,
            nullable: row.try_get::<i64, _>(2)? == 0 && place == 0,
            default: row
                .try_get::<Option<String>, _>(3)?
                .and_then(|text| default(&text)),
            is_generated: hidden > 1,
            ..Column::new(&name, &declared)
        });
    }
    primary.sort();
    table.primary = primary.into_iter().map(|(_, name)| name).collect();
    Ok(())
}

/// The type by SQLite's own rules of affinity, refined by the words that programs write.
fn kind(declared: &str) -> (Option<ColumnType>, Option<String>) {
    let parsed = Declared::parse(declared);
    let words = parsed.words.as_str();
    let has = |part: &str| words.contains(part);
    let kind = match words {
        "" => return (None, None),
        "boolean" | "bool" => ColumnType::Boolean,
        "tinyint" if parsed.length() == Some(1) => ColumnType::Boolean,
        "datetime" | "timestamp" => ColumnType::DateTime,
        "date" => ColumnType::Date,
        "time" => ColumnType::Time,
        "json" | "jsonb" => ColumnType::Json,
        "uuid" | "guid" => ColumnType::Uuid,
        "numeric" | "decimal" => {
            let (kind, note) = parsed.decimal((18, 4));
            return (Some(kind), note);
        }
        _ if has("int") => ColumnType::BigInt,
        _ if has("char") => parsed.string(),
        _ if has("clob") || has("text") => ColumnType::Text,
        _ if has("real") || has("floa") || has("doub") => ColumnType::Float,
        _ => return (None, None),
    };
    (Some(kind), None)
}

/// A default: a literal is a value, other texts are expressions; NULL is none.
fn default(text: &str) -> Option<Default> {
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
        Some(inner) => Default::Value(inner.replace("''", "'")),
        None if is_number => Default::Value(text.to_owned()),
        None if is_word => Default::Value(text.to_lowercase()),
        None => Default::Expression(text.to_owned()),
    })
}

/// The types of columns that declare none, by the values that are stored.
async fn undeclared(connection: &mut SqliteConnection, table: &mut Table) -> Result<()> {
    let name = quoted(&table.name, '"');
    for column in table
        .columns
        .iter_mut()
        .filter(|one| one.declared.is_empty())
    {
        let own = quoted(&column.name, '"');
        let sql = format!(
            "SELECT DISTINCT typeof(v) FROM (SELECT {own} AS v FROM {name} \
             WHERE {own} IS NOT NULL LIMIT {LOOKED_AT})"
        );
        let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&mut *connection)
            .await?;
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let (kind, why) = match found.as_slice() {
            ["integer"] => (ColumnType::BigInt, "its rows hold whole numbers"),
            ["real"] | ["integer", "real"] | ["real", "integer"] => {
                (ColumnType::Float, "its rows hold numbers")
            }
            ["text"] => (ColumnType::Text, "its rows hold texts"),
            [] => (
                ColumnType::Text,
                "no row holds a value, so it is taken as text",
            ),
            _ => continue,
        };
        column.kind = Some(kind);
        column.note = Some(format!("the table declares no type; {why}"));
    }
    Ok(())
}

async fn foreign_keys(connection: &mut SqliteConnection, table: &mut Table) -> Result<()> {
    let sql =
        "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq";
    let rows = sqlx::query(sql)
        .bind(&table.name)
        .fetch_all(connection)
        .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    for row in rows {
        let id: i64 = row.try_get(0)?;
        // A key of several columns is no relation of one column.
        if ids.iter().filter(|other| **other == id).count() == 1 {
            table.foreign.push(ForeignKey {
                table: row.try_get(1)?,
                column: row.try_get(2)?,
                other: row.try_get(3)?,
            });
        }
    }
    Ok(())
}

async fn indexes(connection: &mut SqliteConnection, table: &mut Table) -> Result<()> {
    let sql = "SELECT l.name, l.\"unique\", l.partial, i.name FROM pragma_index_list(?) AS l, \
        pragma_index_info(l.name) AS i WHERE l.origin <> 'pk' ORDER BY l.name, i.seqno";
    let rows = sqlx::query(sql)
        .bind(&table.name)
        .fetch_all(connection)
        .await?;
    let mut last = None;
    for row in rows {
        let name: String = row.try_get(0)?;
        let partial: i64 = row.try_get(2)?;
        // An index of an expression has no column; a partial one holds for some rows alone.
        let Some(column) = row
            .try_get::<Option<String>, _>(3)?
            .filter(|_| partial == 0)
        else {
            continue;
        };
        if last.as_ref() == Some(&name) {
            let index = table.indexes.last_mut();
            index
                .into_iter()
                .for_each(|index| index.columns.push(column.clone()));
        } else {
            table.indexes.push(Index {
                columns: vec![column],
                is_unique: row.try_get::<i64, _>(1)? == 1,
            });
            last = Some(name);
        }
    }
    Ok(())
}

/// The texts behind `CHECK` in the statement that made a table: SQLite keeps no other catalogue of them.
fn checks(sql: &str) -> Vec<String> {
    let upper = sql.to_ascii_uppercase();
    let mut found = Vec::new();
    for (at, _) in upper.match_indices("CHECK") {
        let rest = sql[at + 5..].trim_start();
        let mut depth = 0usize;
        let closed = rest.char_indices().find(|(_, sign)| {
            depth = match sign {
                '(' => depth + 1,
                ')' => depth.saturating_sub(1),
                _ => depth,
            };
            depth == 0
        });
        if let Some((end, ')')) = closed {
            found.push(rest[1..end].to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_found_in_the_statement() {
        let sql = "CREATE TABLE t (a TEXT CHECK (a IN ('x', 'y')), b INT, check(b >= 0))";
        assert_eq!(checks(sql), ["a IN ('x', 'y')", "b >= 0"]);
    }

    #[test]
    fn defaults_are_values_or_expressions() {
        assert_eq!(default("'it''s'"), Some(Default::Value("it's".to_owned())));
        assert_eq!(default("NULL"), None);
        assert_eq!(
            default("CURRENT_TIMESTAMP"),
            Some(Default::Expression("CURRENT_TIMESTAMP".to_owned()))
        );
    }
}
