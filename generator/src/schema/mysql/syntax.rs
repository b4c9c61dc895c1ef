//! The words of MySQL and MariaDB: definitions of tables and columns, statements, names.

use super::super::convert::{filler, needs_filler};
use super::super::names::{self, foreign_key_name, index_name};
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
    names::constraint(table, column, quote)
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
    let kind = column::column(&column.kind);
    let kind = kind.sql(Database::Mysql, column.native);
    let null = if column.nullable { "NULL" } else { "NOT NULL" };
    let mut sql = format!("{} {kind} {null}", quote(&column.name));
    if let Some(value) = column.default_value() {
        let value = column::sql(Database::Mysql, &column.kind, column.native, &value);
        sql.push_str(&format!(" DEFAULT {}", in_parentheses(column, value)));
    }
    sql
}

/// A new column of a table with rows, and what takes its temporary default away.
pub(super) fn added(table: &Table, column: &Column) -> (String, Option<String>) {
    let line = line(table, column);
    let counted = table.counted && table.primary.contains(&column.name);
    if counted || !needs_filler(column) {
        return (line, None);
    }
    let value = in_parentheses(column, filler(Database::Mysql, column));
    let drop = format!("ALTER COLUMN {} DROP DEFAULT", quote(&column.name));
    (format!("{line} DEFAULT {value}"), Some(drop))
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

pub(super) fn list(columns: &[String]) -> String {
    names::list(columns, quote)
}

pub(super) fn quote(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// One statement: InnoDB makes all of its clauses or none.
pub(super) fn statement(table: &str, clauses: &[String]) -> String {
    let table = quote(table);
    format!("ALTER TABLE {table}\n    {};\n", clauses.join(",\n    "))
}

/// InnoDB requires an index for each foreign key. While a table has none of its own, as between the
/// removal of an index and the addition of a unique one, there is one under the constraint's name.
pub(super) fn support_indexes(before: &Table, after: &Table) -> Vec<String> {
    let (had, has) = (unsupported(before), unsupported(after));
    let name = |column: &Column| quote(&foreign_key_name(&after.name, &column.name));
    let contains = |all: &[&Column], column: &Column| all.iter().any(|one| one.name == column.name);
    let gone = had.iter().filter(|column| !contains(&has, column));
    let new = has.iter().filter(|column| !contains(&had, column));
    let gone = gone.map(|column| format!("DROP INDEX {}", name(column)));
    let new = new.map(|column| format!("ADD INDEX {} ({})", name(column), quote(&column.name)));
    gone.chain(new).collect()
}

/// Columns with a foreign key, with which no index of the table begins.
fn unsupported(table: &Table) -> Vec<&Column> {
    let begins = |column: &Column| {
        let indexes = table.indexes.iter().map(|index| &index.columns);
        let mut all = indexes.chain([&table.primary]);
        all.any(|columns| columns.first() == Some(&column.name))
    };
    let columns = table.columns.iter();
    let columns = columns.filter(|column| column.constraint().is_some() && !begins(column));
    columns.collect()
}
