//! Cursors: the values of a row in the order of its list, and that order. Opaque to clients.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use formwork_data::{
    error::{Error, Result},
    model::Model,
};

use super::{KeysetParams, Schema, SortKey, Value, value_of};
use crate::filters::{FilterValue, read_value};

/// The position of a row in this order.
pub(super) fn write<M: Model>(order: &[SortKey], record: &M) -> String {
    let mut parts = vec![Some(name(order))];
    parts.extend(order.iter().map(|key| {
        let value = value_of(record, key.column).filter(|value| !value.is_null())?;
        Some(value.to_string())
    }));
    let text = serde_json::Value::from(parts).to_string();
    HEXLOWER.encode(text.as_bytes())
}

/// The values of the row that a cursor points to; `None`: it points to the end of the list.
///
/// # Errors
/// 400 for a value that is not a cursor, or a cursor of another order.
pub fn read(
    keyset: &KeysetParams,
    order: &[SortKey],
    schema: &Schema,
) -> Result<Option<Vec<Value>>> {
    if keyset.cursor.is_empty() {
        return Ok(None);
    }
    let parameter = keyset.direction.parameter();
    let refused = |why: &str| Error::bad_parameter(parameter, why);
    let parts = decoded(&keyset.cursor).ok_or_else(|| {
        refused("The value is not a cursor; take it from the links of another page.")
    })?;
    let (of, values) = parts
        .split_first()
        .ok_or_else(|| refused("The value is not a cursor."))?;
    if of.as_deref() != Some(name(order).as_str()) || values.len() != order.len() {
        return Err(refused("The cursor belongs to a list in another order."));
    }
    let value = |(key, text): (&SortKey, &Option<String>)| {
        let (Some(info), Some(text)) = (schema.column(key.column), text) else {
            return Ok(Value::Null);
        };
        read_value(info, &FilterValue::new(parameter, text), text)
    };
    order
        .iter()
        .zip(values)
        .map(value)
        .collect::<Result<_>>()
        .map(Some)
}

/// An order as a word, by which a cursor is matched to its list.
fn name(order: &[SortKey]) -> String {
    let keys = order.iter().map(|key| {
        let sign = if key.descending { "-" } else { "" };
        format!("{sign}{}", key.column)
    });
    keys.collect::<Vec<_>>().join(",")
}

fn decoded(cursor: &str) -> Option<Vec<Option<String>>> {
    let bytes = HEXLOWER_PERMISSIVE.decode(cursor.as_bytes()).ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_cursors_decode_to_none() {
        assert!(decoded("").is_none_or(|parts| parts.is_empty()));
        for wrong in ["1", "zz", "5b", "7b7d", "+1", "5b315d", "ää"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
        let parts = decoded("5b226964222c6e756c6c5d");
        assert_eq!(parts, Some(vec![Some("id".to_owned()), None]));
    }

    #[test]
    fn an_order_has_a_name() {
        let key = |column, descending| SortKey { column, descending };
        assert_eq!(name(&[key("price", true), key("id", false)]), "-price,id");
    }
}
