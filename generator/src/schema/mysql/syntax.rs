//! The words of MySQL and MariaDB: definitions of tables and columns, names and texts.

use super::super::convert::{filler, needs_filler};
use super::super::names::{foreign_key_name, index_name};
use super::super::table::{Column, Index, Table};
use crate::column;
use crate::project::{ColumnType, Database};

/// Texts are compared by their bytes, trailing spaces included, as SQLite does. MariaDB reads the
/// first comment alone, MySQL the second.
const OPTIONS: &str = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 /*M! COLLATE=utf8mb4_nopad_bin */ /*!80017 COLLATE=utf8mb4_0900_bin */";

/// `CREATE TABLE` with its indexes, in one statement.
pub(super) fn definition(table: &Table) -> String {
    let columns = table.columns.iter().map(|column| line(table, column));
    let key = format!("PRIMARY KEY ({})", list(&table.primary));
    let indexes = table.indexes.iter();
    let indexes = indexes.map(|index| index_line(&table.name, index));
    let keys = table.columns.iter();
    let keys = keys.filter_map(|column| constraint(&table.name, column));
    let lines: Vec<String> = columns.chain([key]).chain(indexes).chain(keys).collect();
    format!(
        "CREATE TABLE {} (\n    {}\n) {OPTIONS};\n",
        quote(&table.name),
        lines.join(",\n    ")
    )
}

/// The constraint of a column that points to another table.
pub(super) fn constraint(table: &str, column: &Column) -> Option<String> {
    let to = column.constraint()?;
    let name = quote(&foreign_key_name(table, &column.name));
    let (own, there, key) = (quote(&column.name), quote(&to.table), quote(&to.column));
    Some(format!(
        "CONSTRAINT {name} FOREIGN KEY ({own}) REFERENCES {there} ({key})"
    ))
}

/// ``UNIQUE INDEX `menus_name_unique` (`name`)``.
pub(super) fn index_line(table: &str, index: &Index) -> String {
    let unique = if index.unique { "UNIQUE " } else { "" };
    let name = quote(&index_name(table, index));
    format!("{unique}INDEX {name} ({})", list(&index.columns))
}

pub(super) fn drop_foreign_key(table: &str, column: &str) -> String {
    format!(
        "DROP FOREIGN KEY {}",
        quote(&foreign_key_name(table, column))
    )
}

/// A column as its table declares it.
pub(super) fn line(table: &Table, column: &Column) -> String {
    match table.counted && table.primary.contains(&column.name) {
        true => format!("{} BIGINT NOT NULL AUTO_INCREMENT", quote(&column.name)),
        false => declared(column),
    }
}

/// `` `name` VARCHAR(40) NOT NULL DEFAULT '' ``.
pub(super) fn declared(column: &Column) -> String {
    let default = column.default_value().map(|value| {
        let value = column::sql(Database::Mysql, &column.kind, column.native, &value);
        in_parentheses(column, value)
    });
    defaulted(column, default)
}

/// A new column of a table with rows, and what takes its temporary default away.
pub(super) fn added(table: &Table, column: &Column) -> (String, Option<String>) {
    let counted = table.counted && table.primary.contains(&column.name);
    if counted || !needs_filler(column) {
        return (line(table, column), None);
    }
    let value = in_parentheses(column, filler(Database::Mysql, column));
    let drop = format!("ALTER COLUMN {} DROP DEFAULT", quote(&column.name));
    (defaulted(column, Some(value)), Some(drop))
}

fn defaulted(column: &Column, default: Option<String>) -> String {
    let row = column::column(&column.kind);
    let kind = row.sql(Database::Mysql, column.native);
    let null = if column.nullable { "NULL" } else { "NOT NULL" };
    let default = default.map(|value| format!(" DEFAULT {value}"));
    format!(
        "{} {kind} {null}{}",
        quote(&column.name),
        default.unwrap_or_default()
    )
}

/// Long texts and JSON have a default only as an expression. MariaDB keeps its text, and would keep a
/// literal of bytes as `'\x0A'`, from which it takes the backslash.
fn in_parentheses(column: &Column, value: String) -> String {
    match (&column.kind, value.strip_prefix("_utf8mb4 ")) {
        (ColumnType::Text | ColumnType::Json, Some(bytes)) => {
            format!("(CONVERT({bytes} USING utf8mb4))")
        }
        (ColumnType::Text | ColumnType::Json, None) => format!("({value})"),
        _ => value,
    }
}

pub(super) fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| quote(name)).collect();
    names.join(", ")
}

pub(super) fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

pub(super) fn text(value: &str) -> String {
    column::text(Database::Mysql, value)
}
