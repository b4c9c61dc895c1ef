//! From `?` to PostgreSQL's placeholders.

use super::value::{array_name, nulls};
use crate::{database::fault::Fault, error::Error, value::Value};

/// The statement with `$1::int8`, `$2::text` for its `?`. A null is written into the text: it has
/// no type, and the server infers it. `??` is the operator `?` of jsonb.
///
/// The text holds the types because connections keep prepared statements by their text: one that
/// was prepared for integers would read the bytes of a float as an integer. A label has none: the
/// server infers the enum from the column.
pub(super) fn numbered(sql: &str, values: &[Value]) -> Result<String, Fault> {
    let mut text = String::with_capacity(sql.len() + 12 * values.len());
    let mut left = values.iter();
    let mut number = 0;
    let mut rest = sql;
    while let Some(at) = rest.find(['?', '\'', '"', '-', '/']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let literal = literal(rest);
        if literal > 0 {
            text.push_str(&rest[..literal]);
            rest = &rest[literal..];
            continue;
        }
        rest = &rest[1..];
        if let Some(after) = rest.strip_prefix('?') {
            text.push('?');
            rest = after;
            continue;
        }
        match left.next() {
            None => return Err(miscounted()),
            Some(Value::Null) => text.push_str("NULL"),
            Some(Value::Array(items)) if array_name(items).is_none() => {
                text.push_str(&nulls(items.len()));
            }
            Some(value) => {
                number += 1;
                text.push_str(&format!("${number}"));
                if let Some(name) = type_name(value) {
                    text.push_str("::");
                    text.push_str(name);
                }
            }
        }
    }
    text.push_str(rest);
    match left.next() {
        None => Ok(text),
        Some(_) => Err(miscounted()),
    }
}

/// Returns the length of the text, name or comment that the statement goes on with; 0 for a
/// placeholder, else 1. Texts with escapes (`E'\''`) or between dollars are not recognised.
fn literal(sql: &str) -> usize {
    let until = |start: usize, end: &str| {
        let found = sql[start..].find(end);
        found.map_or(sql.len(), |at| start + at + end.len())
    };
    match sql.as_bytes() {
        [b'?', ..] => 0,
        [b'\'', ..] => until(1, "'"),
        [b'"', ..] => until(1, "\""),
        [b'-', b'-', ..] => until(2, "\n"),
        [b'/', b'*', ..] => until(2, "*/"),
        _ => 1,
    }
}

fn type_name(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null | Value::Label(_) => return None,
        Value::Bool(_) => "bool",
        Value::Int(_) => "int8",
        Value::Float(_) => "float8",
        Value::Text(_) => "text",
        Value::Decimal(_) | Value::Native(_) => "numeric",
        Value::Date(_) => "date",
        Value::Time(_) => "time",
        Value::DateTime(_) => "timestamptz",
        Value::Json(_) => "jsonb",
        Value::Uuid(_) => "uuid",
        Value::Array(items) => return array_name(items),
    })
}

fn miscounted() -> Fault {
    Error::internal("a statement has one `?` for each of its values, and `??` for a question mark")
        .into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(sql: &str, values: &[Value]) -> String {
        numbered(sql, values).expect("as many marks as values")
    }

    #[test]
    fn each_mark_has_a_number_and_the_type_of_its_value() {
        let values = [Value::Int(1), Value::from("a"), Value::from(true)];
        assert_eq!(
            written("x = ? AND y IN (?, ?)", &values),
            "x = $1::int8 AND y IN ($2::text, $3::bool)"
        );
    }

    #[test]
    fn nulls_stand_in_the_text() {
        let values = [Value::Null, Value::Int(1)];
        assert_eq!(written("(?, ?)", &values), "(NULL, $1::int8)");
    }

    #[test]
    fn labels_have_the_type_of_their_column() {
        let values = [Value::Label("calm".to_owned()), Value::from("a")];
        assert_eq!(written("(?, ?)", &values), "($1, $2::text)");
    }

    #[test]
    fn arrays_have_the_type_of_their_items() {
        let values = [json!([1, null]), json!([1, 1.5]), json!(["a"]), json!([])];
        let values = values.map(|list| Value::Array(list.as_array().cloned().unwrap_or_default()));
        assert_eq!(
            written("(?, ?, ?, ?)", &values),
            "($1::int8[], $2::float8[], $3::text[], '{}')"
        );
    }

    #[test]
    fn marks_in_texts_names_and_comments_are_none() {
        let sql = "'it''s ?' \"a?\" -- ?\n /* ? */ - / ? ?? 'é?";
        let expected = "'it''s ?' \"a?\" -- ?\n /* ? */ - / $1::int8 ? 'é?";
        assert_eq!(written(sql, &[Value::Int(1)]), expected);
    }

    #[test]
    fn values_are_counted() {
        assert!(numbered("?", &[]).is_err());
        assert!(numbered("1", &[Value::Int(1)]).is_err());
    }
}
