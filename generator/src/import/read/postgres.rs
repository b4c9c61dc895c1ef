//! PostgreSQL's catalogue: the tables of the search path.

mod column;
mod rows;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{ConnectOptions, PgConnection, Postgres, Row};

use super::keys::check_keys;
use super::kinds::read_kinds;
use super::looks::Looks;
use super::reader::{Reader, Reading};
use crate::import::catalogue::{CatalogueIndex, CatalogueTable, Unreachable};

/// Tables (foreign tables too) and views that are found by a name without a schema.
const TABLES: &str = "SELECT c.oid::int8, c.relname::text, c.relkind IN ('v', 'm'), \
    obj_description(c.oid, 'pg_class'), has_any_column_privilege(c.oid, 'SELECT') FROM pg_class AS c \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND pg_table_is_visible(c.oid) \
    AND c.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema') \
    AND (cardinality($1::text[]) = 0 OR c.relname = ANY($1))";

/// Tables and views that are found only by a name with a schema, and whether the search path finds another one of this name.
const UNREACHABLE: &str = "SELECT n.nspname::text, c.relname::text, to_regclass(quote_ident(c.relname)) IS NOT NULL \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND NOT pg_table_is_visible(c.oid) \
    AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' \
    AND (cardinality($1::text[]) = 0 OR n.nspname || '.' || c.relname = ANY($1)) ORDER BY 1, 2";

const COLUMNS: &str = "SELECT a.attrelid::int8, a.attname::text, format_type(a.atttypid, a.atttypmod), \
    a.attnotnull, a.attgenerated::text, a.attidentity::text, pg_get_expr(d.adbin, d.adrelid), \
    col_description(a.attrelid, a.attnum), t.typtype::text, \
    (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum AS e \
     WHERE e.enumtypid IN (t.oid, t.typbasetype)), \
    format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault, a.attndims > 1, \
    (SELECT array_agg(replace(pg_get_expr(k.conbin, 0), 'VALUE', quote_ident(a.attname))) FROM pg_constraint AS k \
     WHERE k.contypid = t.oid AND k.contype = 'c') \
    FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid \
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
    WHERE a.attrelid = ANY($1::int8[]::oid[]) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum";

const CONSTRAINTS: &str = "SELECT k.conrelid::int8, k.contype::text, pg_get_expr(k.conbin, k.conrelid), \
    k.confrelid::regclass::text, \
    (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(k.conkey) WITH ORDINALITY AS p(num, n) \
     JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = p.num), \
    (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(k.confkey) WITH ORDINALITY AS p(num, n) \
     JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = p.num) \
    FROM pg_constraint AS k WHERE k.contype IN ('p', 'f', 'c') AND k.conrelid = ANY($1::int8[]::oid[]) ORDER BY k.conname";

const INDEXES: &str = "SELECT i.indrelid::int8, i.indisunique, \
    (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS p(num, n) \
     JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = p.num WHERE p.n <= i.indnkeyatts) \
    FROM pg_index AS i WHERE i.indrelid = ANY($1::int8[]::oid[]) AND NOT i.indisprimary AND i.indpred IS NULL AND i.indexprs IS NULL \
    ORDER BY i.indexrelid";

/// A session that only reads.
pub(super) async fn connect(reading: &Reading<'_>) -> Result<PgConnection> {
    let options: PgConnectOptions = reading.url.parse().context("--database-url")?;
    let options = options.options(reading.search_path.map(|path| ("search_path", path)));
    let mut connection = options.connect().await?;
    sqlx::query("SET default_transaction_read_only = on")
        .execute(&mut connection)
        .await?;
    Ok(connection)
}

impl Reader for PgConnection {
    async fn read(&mut self, names: &[String]) -> Result<(Vec<CatalogueTable>, Vec<Unreachable>)> {
        let (mut tables, forbidden) = found(self, names).await?;
        let ids: Vec<i64> = tables.keys().copied().collect();
        for row in rows_of(self, COLUMNS, &ids).await? {
            if let Some(table) = tables.get_mut(&row.try_get::<i64, _>(0)?) {
                let column = column::read(&row)?;
                table.columns.push(column);
                let checks: Option<Vec<String>> = row.try_get(14)?;
                table.checks.extend(checks.unwrap_or_default());
            }
        }
        for row in rows_of(self, CONSTRAINTS, &ids).await? {
            if let Some(table) = tables.get_mut(&row.try_get::<i64, _>(0)?) {
                constraint(&row, table)?;
            }
        }
        for row in rows_of(self, INDEXES, &ids).await? {
            let (table, columns) = (row.try_get::<i64, _>(0)?, row.try_get(2)?);
            if let (Some(table), Some(columns)) = (tables.get_mut(&table), columns) {
                table.indexes.push(CatalogueIndex {
                    columns,
                    is_unique: row.try_get(1)?,
                });
            }
        }
        let unreachable = unreachable(self, names).await?;
        let tables = tables.into_values().collect();
        Ok((tables, [forbidden, unreachable].concat()))
    }

    async fn look(
        &mut self,
        tables: &mut Vec<CatalogueTable>,
        looks: &mut Looks,
    ) -> Vec<Unreachable> {
        read_kinds::<Postgres>(self, tables, looks, ('"', "TEXT")).await;
        check_keys::<Postgres>(self, tables, looks, false, ('"', "TEXT")).await;
        rows::odd_values(self, tables, looks).await;
        Vec::new()
    }
}

async fn rows_of(
    connection: &mut PgConnection,
    sql: &'static str,
    ids: &[i64],
) -> Result<Vec<PgRow>> {
    let rows = sqlx::query(sql).bind(ids).fetch_all(connection).await?;
    Ok(rows)
}

/// The tables of these names, by their number in the catalogue, and those that the user may not read.
async fn found(
    connection: &mut PgConnection,
    names: &[String],
) -> Result<(BTreeMap<i64, CatalogueTable>, Vec<Unreachable>)> {
    let (mut tables, mut forbidden) = (BTreeMap::new(), Vec::new());
    let rows = sqlx::query(TABLES).bind(names);
    for row in rows.fetch_all(connection).await? {
        if !row.try_get::<bool, _>(4)? {
            forbidden.push((row.try_get(1)?, "this user may not read it".to_owned()));
            continue;
        }
        let table = CatalogueTable {
            name: row.try_get(1)?,
            is_view: row.try_get(2)?,
            comment: row.try_get(3)?,
            ..CatalogueTable::default()
        };
        tables.insert(row.try_get::<i64, _>(0)?, table);
    }
    Ok((tables, forbidden))
}

async fn unreachable(connection: &mut PgConnection, names: &[String]) -> Result<Vec<Unreachable>> {
    let mut found = Vec::new();
    let rows = sqlx::query(UNREACHABLE).bind(names);
    for row in rows.fetch_all(connection).await? {
        let (schema, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let reason = match row.try_get(2)? {
            true => {
                format!("a schema before `{schema}` on the search path has a table of this name")
            }
            false => format!(
                "the schema `{schema}` is not on the search path: name the schemas in `database.search_path` of formwork.yaml"
            ),
        };
        found.push((format!("{schema}.{name}"), reason));
    }
    Ok(found)
}

fn constraint(row: &PgRow, table: &mut CatalogueTable) -> Result<()> {
    let columns: Vec<String> = row.try_get::<Option<_>, _>(4)?.unwrap_or_default();
    let others: Vec<String> = row.try_get::<Option<_>, _>(5)?.unwrap_or_default();
    match row.try_get::<String, _>(1)?.as_str() {
        "p" => table.primary = columns,
        "c" => table.checks.extend(row.try_get::<Option<String>, _>(2)?),
        _ => {
            let target: String = row.try_get(3)?;
            let columns = columns.into_iter().zip(others.into_iter().map(Some));
            table.add_foreign_key(&columns.collect::<Vec<_>>(), target.trim_matches('"'));
        }
    }
    Ok(())
}
