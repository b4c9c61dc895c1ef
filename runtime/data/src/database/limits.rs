//! Which column is too small for a value, where the database does not name it.

use rust_decimal::Decimal;

use super::handle::Db;
use crate::{error::Result, value::Value};

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
