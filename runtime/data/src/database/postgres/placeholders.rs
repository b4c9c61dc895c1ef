//! From `?` to PostgreSQL's placeholders.

use super::array::{array_name, nulls};
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
    while let Some(at) = rest.find(['?', '\'', '"', '-', '/', '$']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let literal = literal(&sql[..sql.len() - rest.len()], rest);
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

/// The length of the part at the start of this text that is copied; 0 for a placeholder. `before`
/// is the text above it (PostgreSQL's documentation, "Lexical Structure").
fn literal(before: &str, text: &str) -> usize {
    let behind = |start: usize, end: &str| {
        let found = text[start..].find(end);
        found.map_or(text.len(), |at| start + at + end.len())
    };
    match text.as_bytes() {
        [b'?', ..] => 0,
        [b'\'', ..] if has_escapes(before) => escaped(text),
        [b'\'', ..] => behind(1, "'"),
        [b'"', ..] => behind(1, "\""),
        [b'$', ..] => dollar_tag(before, text).map_or(1, |tag| behind(tag.len(), tag)),
        [b'-', b'-', ..] => behind(2, "\n"),
        [b'/', b'*', ..] => comment(text),
        _ => 1,
    }
}

fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// Whether `E` is before a text: then a backslash in it escapes the next character.
fn has_escapes(before: &str) -> bool {
    let before = before.strip_suffix(['e', 'E']);
    before.is_some_and(|before| !before.ends_with(is_in_name))
}

/// The length of a text that has escapes. A doubled quote does not end it.
fn escaped(text: &str) -> usize {
    let mut at = 1;
    while let Some(found) = text[at..].find(['\\', '\'']) {
        at += found;
        match &text.as_bytes()[at..] {
            [b'\\', ..] => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            [b'\'', b'\'', ..] => at += 2,
            _ => return at + 1,
        }
    }
    text.len()
}

/// The tag around a text between dollars: `$$`, `$name$`.
fn dollar_tag<'t>(before: &str, text: &'t str) -> Option<&'t str> {
    let (name, _) = text[1..].split_once('$')?;
    let is_name = !name.starts_with(|letter: char| letter.is_ascii_digit())
        && name.chars().all(is_in_name)
        && !before.ends_with(is_in_name);
    is_name.then(|| &text[..name.len() + 2])
}

/// The length of a comment, which may hold others.
fn comment(text: &str) -> usize {
    let (mut at, mut depth) = (2, 1);
    while depth > 0 {
        let Some(found) = text[at..].find(['/', '*']) else {
            return text.len();
        };
        at += found;
        let (step, deeper) = match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (2, 1),
            [b'*', b'/', ..] => (2, -1),
            _ => (1, 0),
        };
        at += step;
        depth += deeper;
    }
    at
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
    Error::internal("a statement has one `?` for each of its values").into()
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
    fn marks_in_texts_with_escapes_are_none() {
        for sql in [r"E'it\'s ?'", r"e'a''b\'?'", r"(E'\\')", r"E'ä\ä?"] {
            assert_eq!(written(sql, &[]), sql);
        }
        // These have no `E` before them.
        for sql in [r"'\' = ?", r#"name'\' = ?"#] {
            let expected = sql.replace('?', "$1::int8");
            assert_eq!(written(sql, &[Value::Int(1)]), expected);
        }
    }

    #[test]
    fn marks_between_dollars_are_none() {
        for sql in ["$$ it's ? $$", "$a$ $$ ? $ $a$", "x=$ä_1$?$ä_1$", "$$ ?"] {
            assert_eq!(written(sql, &[]), sql);
        }
        for sql in ["a$b$ = ?", "$1 = ?"] {
            let expected = sql.replace('?', "$1::int8");
            assert_eq!(written(sql, &[Value::Int(1)]), expected);
        }
    }

    #[test]
    fn marks_in_comments_within_comments_are_none() {
        let sql = "/* /* ? */ ? **/ ?";
        let expected = "/* /* ? */ ? **/ $1::int8";
        assert_eq!(written(sql, &[Value::Int(1)]), expected);
        assert_eq!(written("/*/ ?", &[]), "/*/ ?");
    }

    #[test]
    fn values_are_counted() {
        assert!(numbered("?", &[]).is_err());
        assert!(numbered("1", &[Value::Int(1)]).is_err());
    }
}
