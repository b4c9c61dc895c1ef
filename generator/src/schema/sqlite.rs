//! SQLite.

use super::dialect::Dialect;
use super::names::index_name;
use super::table::{Column, Index, Table};
use crate::column;
use crate::project::Database;

/// SQLite's SQL.
pub(crate) struct Sqlite;

impl Dialect for Sqlite {
    fn create_table(&self, table: &Table) -> String {
        let alone = table.primary.len() == 1;
        let mut lines: Vec<String> = table
            .columns
            .iter()
            .map(|column| line(table, column, alone))
            .collect();
        if !alone {
            lines.push(format!("PRIMARY KEY ({})", list(&table.primary)));
        }
        let constraints = table.columns.iter().filter_map(|column| {
            column.constraint().map(|to| {
                let (own, there, key) = (quote(&column.name), quote(&to.table), quote(&to.column));
                format!("FOREIGN KEY ({own}) REFERENCES {there} ({key})")
            })
        });
        lines.extend(constraints);
        let body = lines.join(",\n    ");
        // Where the primary key is a pair, each row is its own index.
        let end = if alone { ")" } else { ") WITHOUT ROWID" };
        let mut sql = format!(
            "CREATE TABLE {} (\n    {body}\n{end};\n",
            quote(&table.name)
        );
        for index in &table.indexes {
            sql = format!("{sql}\n{}", self.add_index(&table.name, index));
        }
        sql
    }

    fn add_column(&self, table: &str, column: &Column) -> String {
        let to = column
            .constraint()
            .map(|to| format!(" REFERENCES {} ({})", quote(&to.table), quote(&to.column)));
        format!(
            "ALTER TABLE {} ADD COLUMN {}{};\n",
            quote(table),
            declared(column),
            to.unwrap_or_default()
        )
    }

    fn add_index(&self, table: &str, index: &Index) -> String {
        let unique = if index.unique { "UNIQUE " } else { "" };
        let name = quote(&index_name(table, index));
        format!(
            "CREATE {unique}INDEX {name} ON {} ({});\n",
            quote(table),
            list(&index.columns)
        )
    }

    fn drop_index(&self, table: &str, index: &Index) -> String {
        format!("DROP INDEX {};\n", quote(&index_name(table, index)))
    }

    /// With foreign keys enforced, SQLite adds a constrained column only where its default is NULL.
    fn constrains_added(&self, column: &Column) -> bool {
        column.nullable && column.default.is_none()
    }
}

fn line(table: &Table, column: &Column, alone: bool) -> String {
    let primary = alone && table.primary.contains(&column.name);
    match (primary, table.counted) {
        (true, true) => format!(
            "{} INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL",
            quote(&column.name)
        ),
        (true, false) => format!("{} TEXT PRIMARY KEY NOT NULL", quote(&column.name)),
        (false, _) => declared(column),
    }
}

fn declared(column: &Column) -> String {
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
    sql
}

fn list(names: &[String]) -> String {
    names
        .iter()
        .map(|name| quote(name))
        .collect::<Vec<_>>()
        .join(", ")
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
