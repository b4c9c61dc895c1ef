//! A table as text, one fact per line, so that two branches that change two tables merge:
//!
//! ```text
//! table menus
//! unit igniter_cart.menus
//! primary menu_id counted
//! column menu_id bigint not_null
//! column menu_price decimal(15,4) not_null default="0.0000"
//! column category_id bigint null references=categories.category_id
//! index category_id
//! unique menu_name
//! ```

use super::table::{Column, ForeignKey, Index, Table};
use crate::project::ColumnType;

impl Table {
    /// The table as text.
    pub fn to_text(&self) -> String {
        let counted = if self.counted { " counted" } else { "" };
        let mut text = format!("table {}\nunit {}\n", self.name, self.unit);
        text.push_str(&format!("primary {}{counted}\n", self.primary.join(",")));
        for column in &self.columns {
            text.push_str(&line(column));
        }
        for index in &self.indexes {
            let word = if index.unique { "unique" } else { "index" };
            text.push_str(&format!("{word} {}\n", index.columns.join(",")));
        }
        text
    }

    /// Reads a table; lines that are not understood are passed over. `None` where it has no name.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut table = Self {
            name: String::new(),
            unit: String::new(),
            primary: Vec::new(),
            counted: false,
            columns: Vec::new(),
            indexes: [].into(),
        };
        for line in text.lines() {
            match line.trim_end().split_once(' ') {
                Some(("table", name)) => table.name = name.to_owned(),
                Some(("unit", unit)) => table.unit = unit.to_owned(),
                Some(("primary", rest)) => {
                    table.counted = rest.ends_with(" counted");
                    table.primary = names(rest.trim_end_matches(" counted"));
                }
                Some(("column", rest)) => table.take(column(rest)),
                Some((word @ ("index" | "unique"), rest)) => {
                    let unique = word == "unique";
                    table.indexes.insert(Index {
                        columns: names(rest),
                        unique,
                    });
                }
                _ => {}
            }
        }
        (!table.name.is_empty()).then_some(table)
    }

    /// After a git merge that left both sides, a column may stand there twice.
    fn take(&mut self, column: Option<Column>) {
        let Some(column) = column else { return };
        if self.column(&column.name).is_none() {
            self.columns.push(column);
        }
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(ToOwned::to_owned).collect()
}

fn line(column: &Column) -> String {
    let null = if column.nullable { "null" } else { "not_null" };
    let mut line = format!("column {} {} {null}", column.name, column.type_name());
    if column.native {
        line.push_str(" native");
    }
    if let Some(to) = &column.references {
        line.push_str(&format!(" references={}.{}", to.table, to.column));
    }
    if column.deferred {
        line.push_str(" deferred");
    }
    // The default stands last, because it may hold anything.
    if let Some(default) = &column.default {
        line.push_str(&format!(
            " default={}",
            serde_json::Value::from(default.as_str())
        ));
    }
    line.push('\n');
    line
}

fn column(rest: &str) -> Option<Column> {
    let (facts, default) = match rest.split_once(" default=") {
        Some((facts, default)) => (facts, serde_json::from_str::<String>(default).ok()),
        None => (rest, None),
    };
    let mut words = facts.split(' ');
    let (name, kind) = (words.next()?, kind(words.next()?)?);
    let mut column = Column {
        default,
        ..Column::new(name, &kind)
    };
    for word in words {
        match word.split_once('=') {
            Some(("references", to)) => {
                let (table, key) = to.split_once('.')?;
                let to = ForeignKey {
                    table: table.to_owned(),
                    column: key.to_owned(),
                };
                column.references = Some(to);
            }
            _ => {
                column.nullable |= word == "null";
                column.native |= word == "native";
                column.deferred |= word == "deferred";
            }
        }
    }
    Some(column)
}

fn kind(word: &str) -> Option<ColumnType> {
    let (name, args) = match word.split_once('(') {
        Some((name, args)) => (name, args.trim_end_matches(')')),
        None => (word, ""),
    };
    Some(match name {
        "string" => ColumnType::String(args.parse().ok()?),
        "text" => ColumnType::Text,
        "integer" => ColumnType::Integer,
        "bigint" => ColumnType::BigInt,
        "float" => ColumnType::Float,
        "decimal" => {
            let (precision, scale) = args.split_once(',')?;
            ColumnType::Decimal(precision.parse().ok()?, scale.parse().ok()?)
        }
        "boolean" => ColumnType::Boolean,
        "date" => ColumnType::Date,
        "time" => ColumnType::Time,
        "datetime" => ColumnType::DateTime,
        "json" => ColumnType::Json,
        "uuid" => ColumnType::Uuid,
        _ => return None,
    })
}
