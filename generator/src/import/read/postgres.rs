//! PostgreSQL's catalogue: the tables of the search path.

mod column;
mod rows;

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection, Postgres, Row};

use super::kinds::read_kinds;
use crate::import::catalogue::{CatalogueForeignKey, CatalogueIndex, CatalogueTable, Unreachable};

/// Tables (foreign tables too) and views that are found by a name without a schema.
const TABLES: &str = "SELECT c.oid::int8, c.relname::text, c.relkind IN ('v', 'm'), \
    obj_description(c.oid, 'pg_class'), has_any_column_privilege(c.oid, 'SELECT') FROM pg_class AS c \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND pg_table_is_visible(c.oid) \
    AND c.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')";

/// Tables and views that are found only by a name with a schema, and whether the search path finds another one of this name.
const UNREACHABLE: &str = "SELECT n.nspname::text, c.relname::text, to_regclass(quote_ident(c.relname)) IS NOT NULL \
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace \
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND NOT pg_table_is_visible(c.oid) \
    AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1, 2";

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
    WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum";

const CONSTRAINTS: &str = "SELECT k.conrelid::int8, k.contype::text, pg_get_expr(k.conbin, k.conrelid), \
    k.confrelid::regclass::text, \
    (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(k.conkey) WITH ORDINALITY AS p(num, n) \
     JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = p.num), \
    (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(k.confkey) WITH ORDINALITY AS p(num, n) \
     JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = p.num) \
    FROM pg_constraint AS k WHERE k.contype IN ('p', 'f', 'c') AND k.conrelid <> 0 ORDER BY k.conname";

const INDEXES: &str = "SELECT i.indrelid::int8, i.indisunique, \
    (SELECT array_agg(a.attname::text ORDER BY p.n) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS p(num, n) \
     JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = p.num WHERE p.n <= i.indnkeyatts) \
    FROM pg_index AS i WHERE NOT i.indisprimary AND i.indpred IS NULL AND i.indexprs IS NULL \
    ORDER BY i.indexrelid";

/// The tables of the search path, and those of other schemas.
pub(super) async fn tables(
    url: &str,
    search_path: Option<&str>,
) -> Result<(Vec<CatalogueTable>, Vec<Unreachable>)> {
    let options: PgConnectOptions = url.parse().context("--database-url")?;
    let options = options.options(search_path.map(|path| ("search_path", path)));
    let mut connection = options.connect().await?;
    sqlx::query("SET default_transaction_read_only = on")
        .execute(&mut connection)
        .await?;
    let mut tables = BTreeMap::new();
    let mut forbidden = Vec::new();
    for row in sqlx::query(TABLES).fetch_all(&mut connection).await? {
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
    for row in sqlx::query(COLUMNS).fetch_all(&mut connection).await? {
        if let Some(table) = tables.get_mut(&row.try_get::<i64, _>(0)?) {
            let column = column::read(&row)?;
            table.columns.push(column);
            let checks: Option<Vec<String>> = row.try_get(14)?;
            table.checks.extend(checks.unwrap_or_default());
        }
    }
    for row in sqlx::query(CONSTRAINTS).fetch_all(&mut connection).await? {
        if let Some(table) = tables.get_mut(&row.try_get::<i64, _>(0)?) {
            constraint(&row, table)?;
        }
    }
    for row in sqlx::query(INDEXES).fetch_all(&mut connection).await? {
        let columns: Option<Vec<String>> = row.try_get(2)?;
        if let (Some(table), Some(columns)) = (tables.get_mut(&row.try_get::<i64, _>(0)?), columns)
        {
            table.indexes.push(CatalogueIndex {
                columns,
                is_unique: row.try_get(1)?,
            });
        }
    }
    let mut tables: Vec<CatalogueTable> = tables.into_values().collect();
    sqlx::query("SET statement_timeout = '5s'")
        .execute(&mut connection)
        .await?;
    read_kinds::<Postgres>(&mut connection, &mut tables, ('"', "TEXT")).await;
    rows::odd_values(&mut connection, &mut tables).await;
    let unreachable = unreachable(&mut connection).await?;
    Ok((tables, [forbidden, unreachable].concat()))
}

async fn unreachable(connection: &mut PgConnection) -> Result<Vec<Unreachable>> {
    let mut found = Vec::new();
    for row in sqlx::query(UNREACHABLE).fetch_all(connection).await? {
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

fn constraint(row: &sqlx::postgres::PgRow, table: &mut CatalogueTable) -> Result<()> {
    let columns: Vec<String> = row.try_get::<Option<_>, _>(4)?.unwrap_or_default();
    let others: Vec<String> = row.try_get::<Option<_>, _>(5)?.unwrap_or_default();
    match row.try_get::<String, _>(1)?.as_str() {
        "p" => table.primary = columns,
        "c" => table.checks.extend(row.try_get::<Option<String>, _>(2)?),
        _ => {
            if let ([column], [other]) = (columns.as_slice(), others.as_slice()) {
                let target: String = row.try_get(3)?;
                table.foreign.push(CatalogueForeignKey {
                    column: column.clone(),
                    table: target.trim_matches('"').to_owned(),
                    other: Some(other.clone()),
                });
            } else {
                let target: String = row.try_get(3)?;
                table.note_wide_key(columns.iter().map(String::as_str), &target);
            }
        }
    }
    Ok(())
}
