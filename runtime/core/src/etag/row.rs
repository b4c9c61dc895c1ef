//! The visible columns of a row: the first part of a tag is their digest.

use formwork_data::{
    column::{Column, Columns},
    error::Result,
    model::Model,
    value::Value,
};

/// The visible columns of a record, one after the other, as bytes. Written as JSON they would take
/// three times as long.
pub(super) fn seen<M: Model>(record: &mut M) -> Result<Vec<u8>> {
    let mut seen = Seen {
        hidden: M::HIDDEN,
        // Room for most rows.
        bytes: Vec::with_capacity(1024),
    };
    record.columns(&mut seen)?;
    Ok(seen.bytes)
}

struct Seen {
    hidden: &'static [&'static str],
    bytes: Vec<u8>,
}

impl Seen {
    /// Each value says its kind, and text its length: no two rows have the same bytes.
    fn add(&mut self, name: &str, value: impl FnOnce() -> Value) -> Result<()> {
        if self.hidden.contains(&name) {
            return Ok(());
        }
        match value() {
            Value::Null => self.bytes.push(0),
            Value::DateTime(moment) => self.fixed(1, moment.timestamp_micros().to_be_bytes()),
            Value::Bool(value) => self.fixed(2, i64::from(value).to_be_bytes()),
            Value::Int(value) => self.fixed(2, value.to_be_bytes()),
            Value::Float(value) => self.fixed(3, value.to_be_bytes()),
            // The number is at its column's scale: its digits identify it.
            Value::Decimal(value) => match i64::try_from(value.mantissa()) {
                Ok(digits) => self.fixed(2, digits.to_be_bytes()),
                Err(_) => self.text(&value.to_string()),
            },
            Value::Text(text) => self.text(&text),
            other => self.text(&other.to_string()),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        self.fixed(4, (text.len() as u64).to_be_bytes());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn fixed(&mut self, kind: u8, value: [u8; 8]) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(&value);
    }
}

impl Columns for Seen {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        self.add(name, || field.value())
    }

    fn native<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        self.add(name, || field.native_value())
    }
}
