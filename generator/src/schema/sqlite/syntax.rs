//! The words of SQLite: definitions of tables and columns, names and texts.

use super::super::table::{Column, Table};
use crate::column;
use crate::project::Database;

/// `CREATE TABLE`, under a name that may be another than the table's own.
pub(super) fn definition(table: &Table, name: &str) -> String {
    let alone = table.primary.len() == 1;
    let mut lines: Vec<String> = table
        .columns
        .iter()
        .map(|column| line(table, column))
        .collect();
    if !alone {
        lines.push(format!("PRIMARY KEY ({})", list(&table.primary)));
    }
    let body = lines.join(",\n    ");
    // Where the primary key is a pair, each row is its own index.
    let end = if alone { ")" } else { ") WITHOUT ROWID" };
    format!("CREATE TABLE {} (\n    {body}\n{end};\n", quote(name))
}

pub(super) fn line(table: &Table, column: &Column) -> String {
    let primary = table.primary.len() == 1 && table.primary.contains(&column.name);
    match (primary, table.counted) {
        (true, true) => format!(
            "{} INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL",
            quote(&column.name)
        ),
        (true, false) => format!("{} TEXT PRIMARY KEY NOT NULL", quote(&column.name)),
        (false, _) => declared(column),
    }
}

pub(super) fn declared(column: &Column) -> String {
    let row = column::column(&column.kind);
    let mut sql = format!(
        "{} {}",
        quote(&column.name),
        row.sql(Database::Sqlite, column.native)
    );
    if !column.nullable {
        sql.push_str(" NOT NULL");
    }
    if let Some(value) = column.default_value() {
        let value = column::sql(Database::Sqlite, &column.kind, column.native, &value);
        sql.push_str(&format!(" DEFAULT {value}"));
    }
    // In the column's own line, so that the column can be dropped.
    if let Some(to) = column.constraint() {
        let (there, key) = (quote(&to.table), quote(&to.column));
        sql.push_str(&format!(" REFERENCES {there} ({key})"));
    }
    sql
}

pub(super) fn list(names: &[String]) -> String {
    super::super::names::list(names, quote)
}

pub(super) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

pub(super) fn text(value: &str) -> String {
    column::text(Database::Sqlite, value)
}
