//! The catalogue of MySQL and MariaDB: `information_schema`.

mod rows;
mod types;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use sqlx::mysql::{MySqlConnectOptions, MySqlRow};
use sqlx::{AssertSqlSafe, ConnectOptions, FromRow, MySql, MySqlConnection, Row};

use super::keys::check_keys;
use super::kinds::read_kinds;
use super::looks::Looks;
use super::reader::{Reader, Reading};
use crate::import::catalogue::{CatalogueColumn, CatalogueIndex, CatalogueTable, Unreachable};
use crate::project::ColumnType;

// MySQL's catalogue has names in a binary collation, which drivers read as bytes: hence the casts.
const TABLES: &str = "SELECT CAST(table_name AS CHAR), CAST(table_type AS CHAR), CAST(table_comment AS CHAR), \
    CAST(table_rows AS SIGNED) FROM information_schema.tables \
    WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') {only}";

const COLUMNS: &str = "SELECT CAST(table_name AS CHAR), CAST(column_name AS CHAR), CAST(column_type AS CHAR), \
    CAST(is_nullable AS CHAR), CAST(column_default AS CHAR), CAST(extra AS CHAR), CAST(column_comment AS CHAR) \
    FROM information_schema.columns WHERE table_schema = DATABASE() {only} ORDER BY table_name, ordinal_position";

const INDEXES: &str = "SELECT CAST(table_name AS CHAR), CAST(index_name AS CHAR), CAST(column_name AS CHAR), \
    CAST(non_unique AS SIGNED), CAST(sub_part AS SIGNED) FROM information_schema.statistics \
    WHERE table_schema = DATABASE() {only} ORDER BY table_name, index_name, seq_in_index";

const FOREIGN: &str = "SELECT CAST(table_name AS CHAR), CAST(constraint_name AS CHAR), CAST(column_name AS CHAR), \
    CAST(IF(referenced_table_schema = table_schema, referenced_table_name, \
    CONCAT(referenced_table_schema, '.', referenced_table_name)) AS CHAR), CAST(referenced_column_name AS CHAR) \
    FROM information_schema.key_column_usage \
    WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL {only} ORDER BY 1, 2, ordinal_position";

/// MariaDB's checks: those of two tables may have one name.
const CHECKS: &str = "SELECT CAST(table_name AS CHAR), CAST(check_clause AS CHAR) \
    FROM information_schema.check_constraints WHERE constraint_schema = DATABASE() {only} ORDER BY 1, 2";

/// MySQL's checks: its catalogue does not say their tables beside them.
const CHECKS_BY_NAME: &str = "SELECT CAST(t.table_name AS CHAR), CAST(c.check_clause AS CHAR) \
    FROM information_schema.check_constraints AS c JOIN information_schema.table_constraints AS t \
    ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name \
    WHERE c.constraint_schema = DATABASE() AND t.constraint_type = 'CHECK' {only} ORDER BY 1, 2";

/// A session of the server.
pub(super) struct Session {
    connection: MySqlConnection,
    /// Estimates of the number of rows, by table.
    rows: BTreeMap<String, i64>,
}

pub(super) async fn connect(reading: &Reading<'_>) -> Result<Session> {
    let options: MySqlConnectOptions = reading.url.parse().context("--database-url")?;
    Ok(Session {
        connection: options.connect().await?,
        rows: BTreeMap::new(),
    })
}

impl Reader for Session {
    async fn read(&mut self, names: &[String]) -> Result<(Vec<CatalogueTable>, Vec<Unreachable>)> {
        let mut tables = BTreeMap::new();
        for row in rows_of(&mut self.connection, TABLES, names).await? {
            let table = table(&row)?;
            // A view says none.
            let rows = row.try_get::<Option<i64>, _>(3)?.unwrap_or(i64::MAX);
            self.rows.insert(table.name.clone(), rows);
            tables.insert(table.name.clone(), table);
        }
        let connection = &mut self.connection;
        for row in rows_of(connection, COLUMNS, names).await? {
            if let Some(table) = tables.get_mut(&row.try_get::<String, _>(0)?) {
                table.columns.push(column(&row)?);
            }
        }
        indexes(connection, &mut tables, names).await?;
        foreign_keys(connection, &mut tables, names).await?;
        for (name, text) in checks(connection, names).await {
            if let Some(table) = tables.get_mut(&name) {
                check(&text, table);
            }
        }
        Ok((tables.into_values().collect(), Vec::new()))
    }

    async fn look(
        &mut self,
        tables: &mut Vec<CatalogueTable>,
        looks: &mut Looks,
    ) -> Vec<Unreachable> {
        let connection = &mut self.connection;
        read_kinds::<MySql>(connection, tables, looks, ('`', "CHAR")).await;
        check_keys::<MySql>(connection, tables, looks, false, ('`', "CHAR")).await;
        rows::odd_values(connection, tables, looks, &self.rows).await;
        Vec::new()
    }
}

/// The rows of the catalogue for these tables, or for all. Servers find a table by one name without a look at the others.
async fn rows_of(
    connection: &mut MySqlConnection,
    sql: &str,
    names: &[String],
) -> Result<Vec<MySqlRow>> {
    if names.is_empty() {
        let sql = AssertSqlSafe(sql.replace("{only}", ""));
        return Ok(sqlx::query(sql).fetch_all(connection).await?);
    }
    let mut rows = Vec::new();
    for name in names {
        let sql = AssertSqlSafe(sql.replace("{only}", "AND table_name = ?"));
        let query = sqlx::query(sql).bind(name);
        rows.extend(query.fetch_all(&mut *connection).await?);
    }
    Ok(rows)
}

fn table(row: &MySqlRow) -> Result<CatalogueTable> {
    let is_view = row.try_get::<String, _>(1)? == "VIEW";
    let comment: Option<String> = row.try_get(2)?;
    Ok(CatalogueTable {
        name: row.try_get(0)?,
        is_view,
        comment: comment.filter(|text| !text.is_empty() && !is_view),
        ..CatalogueTable::default()
    })
}

fn column(row: &MySqlRow) -> Result<CatalogueColumn> {
    let (name, declared): (String, String) = (row.try_get(1)?, row.try_get(2)?);
    let extra: String = row
        .try_get::<Option<String>, _>(5)?
        .unwrap_or_default()
        .to_lowercase();
    let comment: Option<String> = row.try_get(6)?;
    let (kind, note) = types::kind(&declared);
    let default: Option<String> = row.try_get(4)?;
    let default =
        default.and_then(|text| types::default(&text, extra.contains("default_generated")));
    let is_no_uuid = !types::may_be_uuid(&declared, default.as_ref());
    let (kind, note) = match is_no_uuid {
        true => (Some(ColumnType::String(36)), None),
        false => (kind, note),
    };
    let is_zero = types::is_zero_date(default.as_ref());
    Ok(CatalogueColumn {
        range: types::range(&declared),
        members: types::members(&declared),
        words: types::words(&declared),
        holds_zero_dates: is_zero,
        is_guessed: types::is_guess(&declared) && !is_no_uuid,
        kind,
        note,
        nullable: row.try_get::<String, _>(3)? == "YES",
        is_counted: extra.contains("auto_increment"),
        is_generated: extra.contains("generated") && !extra.contains("default_generated"),
        default: default.filter(|_| !is_zero),
        comment: comment.filter(|text| !text.is_empty()),
        ..CatalogueColumn::new(&name, &declared)
    })
}

/// A column of a foreign key: table, constraint, column, the table that it leads to, the column there.
type KeyPart = (String, String, String, String, String);

async fn foreign_keys(
    connection: &mut MySqlConnection,
    tables: &mut BTreeMap<String, CatalogueTable>,
    names: &[String],
) -> Result<()> {
    let rows = rows_of(connection, FOREIGN, names).await?;
    let keys = rows.iter().map(KeyPart::from_row);
    let keys = keys.collect::<Result<Vec<KeyPart>, _>>()?;
    for parts in keys.chunk_by(|one, next| (&one.0, &one.1) == (&next.0, &next.1)) {
        if let Some(table) = tables.get_mut(&parts[0].0) {
            let columns = parts
                .iter()
                .map(|part| (part.2.clone(), Some(part.4.clone())));
            table.add_foreign_key(&columns.collect::<Vec<_>>(), &parts[0].3);
        }
    }
    Ok(())
}

/// Tables and their checks.
async fn checks(connection: &mut MySqlConnection, names: &[String]) -> Vec<(String, String)> {
    for sql in [CHECKS, CHECKS_BY_NAME] {
        if let Ok(found) = rows_of(connection, sql, names).await {
            let found = found.iter().map(FromRow::from_row);
            return found.filter_map(Result::ok).collect();
        }
    }
    // Servers before MySQL 8.0.16 and MariaDB 10.2 have no such catalogue, and no checks.
    Vec::new()
}

/// A check of a table. MariaDB has no type for JSON but a check that a text is JSON.
fn check(text: &str, table: &mut CatalogueTable) {
    let plain = text.replace('"', "`");
    let mut columns = table.columns.iter_mut();
    let json = columns.find(|column| plain == format!("json_valid(`{}`)", column.name));
    match json {
        Some(column) => column.kind = Some(ColumnType::Json),
        None => table.checks.push(types::check(text)),
    }
}

/// A column of an index: table, index, column, whether values may be there twice, and how many of its characters are
/// indexed. An expression has no column.
type Part = (String, String, Option<String>, i64, Option<i64>);

async fn indexes(
    connection: &mut MySqlConnection,
    tables: &mut BTreeMap<String, CatalogueTable>,
    names: &[String],
) -> Result<()> {
    let rows = rows_of(connection, INDEXES, names).await?;
    let parts = rows.iter().map(Part::from_row);
    let parts = parts.collect::<Result<Vec<Part>, _>>()?;
    for parts in parts.chunk_by(|one, next| (&one.0, &one.1) == (&next.0, &next.1)) {
        if let Some(table) = tables.get_mut(&parts[0].0) {
            index(parts, table);
        }
    }
    Ok(())
}

/// An index, by its columns.
fn index(parts: &[Part], table: &mut CatalogueTable) {
    let columns = parts.iter().map(|part| part.2.clone());
    let Some(columns) = columns.collect::<Option<Vec<String>>>() else {
        return;
    };
    let is_whole = parts.iter().all(|part| part.4.is_none());
    if parts[0].1 == "PRIMARY" {
        table.primary = columns;
    } else if is_whole {
        table.indexes.push(CatalogueIndex {
            columns,
            is_unique: parts[0].3 == 0,
        });
    }
}
