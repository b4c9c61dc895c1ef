//! Tables as the database describes them.

use rust_decimal::Decimal;

use super::handle::Db;
use crate::{error::Result, value::Value};

/// A column that leads to another table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// The column.
    pub column: String,
    /// The table it leads to.
    pub table: String,
    /// The column there.
    pub target: String,
}

/// A column of a table, as the database describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// Its type, in capital letters; `INTEGER` for numbers.
    pub kind: String,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether it has a default.
    pub default: bool,
    /// Table and column it points to.
    pub parent: Option<(String, String)>,
}

impl Db {
    /// Whether there is a table of this name.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn has_table(&self, table: &str) -> Result<bool> {
        let sql = self.dialect().has_table();
        let table = self.own_tables().stored(table);
        Ok(!self.rows(sql, [Value::from(&*table)]).await?.is_empty())
    }

    /// The names of all tables.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub(crate) async fn tables(&self) -> Result<Vec<String>> {
        let rows = self.rows(self.dialect().tables(), []).await?;
        let stored = |row: &Vec<Value>| row.first()?.as_str().map(str::to_owned);
        let tables = rows.iter().filter_map(stored);
        Ok(tables
            .map(|table| self.own_tables().spoken(table))
            .collect())
    }

    /// The columns of a table that can be written, each with its type in capital letters.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub(crate) async fn column_types(&self, table: &str) -> Result<Vec<(String, String)>> {
        let sql = self.dialect().column_types();
        let stored = self.own_tables().stored(table);
        let rows = self.rows(sql, [Value::from(&*stored)]).await?;
        let column = |row: Vec<Value>| match <[Value; 2]>::try_from(row) {
            Ok([Value::Text(name), Value::Text(of)]) => Some((name, of)),
            _ => None,
        };
        Ok(rows.into_iter().filter_map(column).collect())
    }

    /// The columns of a table that lead to others.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn foreign_keys(&self, table: &str) -> Result<Vec<ForeignKey>> {
        let sql = self.dialect().foreign_keys();
        let table = self.own_tables().stored(table);
        let rows = self.rows(sql, [Value::from(&*table)]).await?;
        let read = |row: Vec<Value>| match <[Value; 3]>::try_from(row) {
            Ok([Value::Text(column), Value::Text(table), Value::Text(target)]) => {
                Some(ForeignKey {
                    column,
                    table: self.own_tables().spoken(table),
                    target,
                })
            }
            _ => None,
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// The columns of a table but its key.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub async fn columns(&self, table: &str) -> Result<Vec<TableColumn>> {
        let sql = self.dialect().columns();
        let table = &*self.own_tables().stored(table);
        let rows = self.rows(sql, [table, table].map(Value::from)).await?;
        let mut columns: Vec<_> = rows.iter().filter_map(|row| column(row)).collect();
        for (table, _) in columns.iter_mut().filter_map(|it| it.parent.as_mut()) {
            *table = self.own_tables().spoken(std::mem::take(table));
        }
        Ok(columns)
    }
}

fn column(row: &[Value]) -> Option<TableColumn> {
    let [name, kind, nullable, default, table, to] = row else {
        return None;
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Some(TableColumn {
        name: text(name)?,
        kind: text(kind)?,
        nullable: nullable.is_true(),
        default: default.is_true(),
        parent: text(table).zip(text(to)),
    })
}

impl Db {
    /// The first of these columns of a table that cannot hold its value.
    ///
    /// # Errors
    /// As [`Db::execute`].
    pub(crate) async fn unfit_column(
        &self,
        table: &str,
        columns: &[(&'static str, &Value)],
    ) -> Result<Option<&'static str>> {
        let Some(sql) = self.dialect().full_types() else {
            return Ok(None);
        };
        let table = self.own_tables().stored(table);
        let types = self.rows(sql, [Value::from(&*table)]).await?;
        let is_held = |name: &str, value: &Value| {
            let mut types = types.iter().filter(|row| row[0].as_str() == Some(name));
            types.all(|row| row[1].as_str().is_none_or(|kind| holds(kind, value)))
        };
        let mut columns = columns.iter();
        let unfit = columns.find(|(name, value)| !is_held(name, value));
        Ok(unfit.map(|(name, _)| *name))
    }
}

/// Whether a column of this type, `character varying(40)`, holds a value of the model's.
fn holds(kind: &str, value: &Value) -> bool {
    let (name, arguments) = kind.split_once('(').unwrap_or((kind, ""));
    let mut sizes = arguments.trim_end_matches(')').split(',');
    let mut size = || sizes.next().and_then(|size| size.parse::<usize>().ok());
    match (name, value) {
        ("character varying" | "character", Value::Text(text) | Value::Label(text)) => {
            size().is_none_or(|most| text.chars().count() <= most)
        }
        ("smallint", Value::Int(number)) => i16::try_from(*number).is_ok(),
        ("integer", Value::Int(number)) => i32::try_from(*number).is_ok(),
        ("numeric", Value::Decimal(number) | Value::Native(number)) => {
            let whole = size().map(|digits| digits.saturating_sub(size().unwrap_or_default()));
            whole.is_none_or(|most| whole_digits(*number) <= most)
        }
        _ => true,
    }
}

/// The digits before the point.
fn whole_digits(number: Decimal) -> usize {
    let whole = number.abs().trunc();
    if whole.is_zero() {
        return 0;
    }
    whole.to_string().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_type() {
        let decimal = |text: &str| Value::Native(text.parse().expect("a number"));
        for (kind, value, expected) in [
            ("character varying(3)", Value::from("äöü"), true),
            ("character varying(3)", Value::from("abcd"), false),
            ("character varying", Value::from("abcd"), true),
            ("smallint", Value::Int(32_767), true),
            ("smallint", Value::Int(-32_769), false),
            ("integer", Value::Int(i64::MAX), false),
            ("bigint", Value::Int(i64::MAX), true),
            ("numeric(5,2)", decimal("-999.99"), true),
            ("numeric(5,2)", decimal("1000"), false),
            ("numeric(2,2)", decimal("0.99"), true),
            ("numeric(5)", decimal("99999"), true),
            ("numeric", decimal("1000"), true),
            ("text", Value::Int(1), true),
        ] {
            assert_eq!(holds(kind, &value), expected, "{kind} {value:?}");
        }
    }
}
