//! From `?` to PostgreSQL's placeholders.

use crate::{database::fault::Fault, error::Error, value::Value};

/// The statement with `$1::int8`, `$2::text` for its `?`. A null stands in the text: it has no type,
/// and the server finds out which it needs. `??` is the operator `?` of jsonb.
///
/// The types stand in the text because connections keep prepared statements by their text: one that
/// was prepared for integers would read the bytes of a float as an integer.
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
            Some(value) => {
                number += 1;
                text.push_str(&format!("${number}::{}", type_name(value)));
            }
        }
    }
    text.push_str(rest);
    match left.next() {
        None => Ok(text),
        Some(_) => Err(miscounted()),
    }
}

/// The bytes of what is copied at the start of this text; 0 where a placeholder stands.
fn literal(text: &str) -> usize {
    let behind = |start: usize, end: &str| {
        let found = text[start..].find(end);
        found.map_or(text.len(), |at| start + at + end.len())
    };
    match text.as_bytes() {
        [b'?', ..] => 0,
        [b'\'', ..] => behind(1, "'"),
        [b'"', ..] => behind(1, "\""),
        [b'-', b'-', ..] => behind(2, "\n"),
        [b'/', b'*', ..] => behind(2, "*/"),
        _ => 1,
    }
}

const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "unknown",
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
    }
}

fn miscounted() -> Fault {
    Error::internal("a statement has one `?` for each of its values").into()
}

#[cfg(test)]
mod tests {
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
