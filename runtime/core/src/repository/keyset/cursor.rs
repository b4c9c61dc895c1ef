//! Cursors: the values of a row in the order of its list, and that order. Sealed, because a list may
//! be sorted by a value that it does not show.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use formwork_data::{
    error::{Error, Result},
    value::{parse_date, parse_datetime, parse_time},
};

use super::{KeysetParams, SortKey, Value};
use crate::tag_key::{KEPT, TagKey};

/// The position of a row, by its values in this order.
pub(super) fn write(order: &[SortKey], values: &[Value], key: TagKey) -> String {
    let mut parts = vec![Some(name(order))];
    parts.extend(values.iter().map(written));
    let text = serde_json::Value::from(parts).to_string();
    HEXLOWER.encode(&seal(text.into_bytes(), key))
}

/// The values of the row that a cursor points to; `None`: it points to the end of the list.
///
/// # Errors
/// 400 for a value that is not a cursor, or a cursor of another order.
pub fn read(keyset: &KeysetParams, order: &[SortKey], key: TagKey) -> Result<Option<Vec<Value>>> {
    if keyset.cursor.is_empty() {
        return Ok(None);
    }
    let parameter = keyset.direction.parameter();
    let refused = |why: &str| Error::bad_parameter(parameter, why);
    let no_cursor =
        || refused("The value is not a cursor; take it from the links of another page.");
    let parts = decoded(&keyset.cursor, key).ok_or_else(no_cursor)?;
    let (of, values) = parts.split_first().ok_or_else(no_cursor)?;
    if of.as_deref() != Some(name(order).as_str()) || values.len() != order.len() {
        return Err(refused("The cursor belongs to a list in another order."));
    }
    let value = |text: &Option<String>| text.as_deref().map_or(Some(Value::Null), value_of);
    let values: Option<Vec<Value>> = values.iter().map(value).collect();
    values.map(Some).ok_or_else(no_cursor)
}

/// A value as text, behind a letter for its type; `None` for null.
fn written(value: &Value) -> Option<String> {
    let letter = match value {
        Value::Null => return None,
        Value::Bool(_) => 'b',
        Value::Int(_) => 'i',
        Value::Float(_) => 'f',
        Value::Decimal(_) => 'n',
        Value::Date(_) => 'd',
        Value::Time(time) => return Some(format!("c{}", time.format("%H:%M:%S%.f"))),
        Value::DateTime(_) => 'm',
        Value::Uuid(_) => 'u',
        _ => 't',
    };
    Some(format!("{letter}{value}"))
}

/// The value that [`written`] wrote.
fn value_of(text: &str) -> Option<Value> {
    let letter = text.chars().next()?;
    let text = &text[letter.len_utf8()..];
    Some(match letter {
        'b' => Value::Bool(text.parse().ok()?),
        'i' => Value::Int(text.parse().ok()?),
        'f' => Value::Float(text.parse().ok()?),
        'n' => Value::Decimal(text.parse().ok()?),
        'd' => Value::Date(parse_date(text)?),
        'c' => Value::Time(parse_time(text)?),
        'm' => Value::DateTime(parse_datetime(text)?),
        'u' => Value::Uuid(text.parse().ok()?),
        't' if !text.contains('\0') => Value::Text(text.to_owned()),
        _ => return None,
    })
}

/// An order as a word, by which a cursor is matched to its list.
fn name(order: &[SortKey]) -> String {
    let keys = order.iter().map(|key| {
        let sign = if key.descending { "-" } else { "" };
        format!("{sign}{}", key.column)
    });
    keys.collect::<Vec<_>>().join(",")
}

fn decoded(cursor: &str, key: TagKey) -> Option<Vec<Option<String>>> {
    let sealed = HEXLOWER_PERMISSIVE.decode(cursor.as_bytes()).ok()?;
    serde_json::from_slice(&open(sealed, key)?).ok()
}

/// Encrypts a text with a keyed digest of it in front, which is the start of the key stream and shows
/// later whether the text was changed (the construction of RFC 5297).
fn seal(mut text: Vec<u8>, key: TagKey) -> Vec<u8> {
    let digest = digest_of(&text, key);
    encrypt(&mut text, &digest, key);
    [&digest[..], &text].concat()
}

/// The text that was sealed; `None` for anything else.
fn open(mut sealed: Vec<u8>, key: TagKey) -> Option<Vec<u8>> {
    let mut text = sealed.split_off(KEPT.min(sealed.len()));
    encrypt(&mut text, &sealed, key);
    (digest_of(&text, key)[..] == sealed[..]).then_some(text)
}

fn digest_of(text: &[u8], key: TagKey) -> [u8; KEPT] {
    key.digest(&[b"cursor", text].concat())
}

/// Adds the key stream; done twice, it gives the text back.
fn encrypt(text: &mut [u8], start: &[u8], key: TagKey) {
    for (at, part) in text.chunks_mut(KEPT).enumerate() {
        let block = key.digest(&[b"stream", start, &at.to_be_bytes()[..]].concat());
        for (byte, other) in part.iter_mut().zip(block) {
            *byte ^= other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: TagKey = TagKey::OPEN;

    #[test]
    fn a_changed_cursor_is_none() {
        let key = SortKey {
            column: "price",
            descending: true,
        };
        let cursor = write(&[key], &[Value::Text("secret".to_owned())], KEY);
        let parts = decoded(&cursor, KEY).expect("a cursor");
        assert_eq!(
            parts,
            [Some("-price".to_owned()), Some("tsecret".to_owned())]
        );
        for at in 0..cursor.len() {
            let mut changed = cursor.clone();
            let other = if cursor[at..].starts_with('0') {
                "1"
            } else {
                "0"
            };
            changed.replace_range(at..=at, other);
            assert_eq!(decoded(&changed, KEY), None, "{at}");
        }
        for wrong in [
            "",
            "1",
            "zz",
            "5b",
            "7b7d",
            "+1",
            "5b315d",
            "ää",
            &cursor[2..],
        ] {
            assert_eq!(decoded(wrong, KEY), None, "{wrong}");
        }
        let bytes = HEXLOWER.decode(cursor.as_bytes()).expect("digits");
        assert!(!bytes.windows(3).any(|part| part == b"sec"), "{cursor}");
    }

    #[test]
    fn values_are_read_as_they_were_written() {
        for text in [
            "btrue",
            "i-7",
            "f0.1",
            "n1.00001",
            "n123456789012345678.5",
            "d2026-01-31",
            "c12:00:00.500",
            "m2026-01-31T12:00:00.000006Z",
            "t",
            "t12:00",
            "u67e55044-10b1-426f-9247-bb680e5fe0c8",
        ] {
            let value = value_of(text).expect(text);
            assert_eq!(written(&value).as_deref(), Some(text));
        }
        for wrong in ["", "x1", "i1.5", "d2026", "c25:00", "ä"] {
            assert_eq!(value_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_order_has_a_name() {
        let key = |column, descending| SortKey { column, descending };
        assert_eq!(name(&[key("price", true), key("id", false)]), "-price,id");
    }
}
