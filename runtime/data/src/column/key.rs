//! Primary keys.

use std::{fmt, hash::Hash};

use formwork_vocabulary::inflect::words;
use serde::Serialize;

use super::definition::Column;
use crate::value::{Uuid, Value};

/// A type that can be a primary key: `i64`, `Uuid` or `String`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a primary key",
    label = "keys are i64, Uuid or String"
)]
pub trait Key: Column + Default + Eq + Hash + fmt::Display + Serialize + Into<Value> {
    /// The key that a segment of a path names. `None` where the text cannot be a key: then the
    /// answer is 404.
    fn parse(text: &str) -> Option<Self>;

    /// A key made by the service for a new record; `None` where the database counts or the record
    /// brings its own.
    fn generate() -> Option<Self>;

    /// The key that the database counted.
    fn counted(id: i64) -> Option<Self>;
}

impl Key for i64 {
    fn parse(text: &str) -> Option<Self> {
        // Neither a sign nor leading zeros: one record, one address.
        let digits = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits { text.parse().ok() } else { None }
    }

    fn generate() -> Option<Self> {
        None
    }

    fn counted(id: i64) -> Option<Self> {
        Some(id)
    }
}

impl Key for Uuid {
    fn parse(text: &str) -> Option<Self> {
        // Hyphenated and in lower-case letters only: one record, one address.
        let key = Self::try_parse(text).ok()?;
        (key.to_string() == text).then_some(key)
    }

    fn generate() -> Option<Self> {
        Some(Self::now_v7())
    }

    fn counted(_id: i64) -> Option<Self> {
        None
    }
}

impl Key for String {
    fn parse(text: &str) -> Option<Self> {
        // PostgreSQL stores no text with U+0000.
        let is_key = !text.is_empty() && !text.contains('\0');
        is_key.then(|| text.to_owned())
    }

    fn generate() -> Option<Self> {
        None
    }

    fn counted(_id: i64) -> Option<Self> {
        None
    }
}

/// Whether a record with this key would have no usable link: proxies refuse control characters, and
/// clients resolve dots (RFC 3986, section 5.2.4).
pub fn is_no_segment(key: &str) -> bool {
    key.chars().any(char::is_control) || matches!(key, "." | "..")
}

/// The message about such a key.
pub fn no_segment(name: &str) -> String {
    let label = words(name);
    format!("The {label} field cannot be part of an address.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positive_whole_numbers_are_keys() {
        assert_eq!(i64::parse("12"), Some(12));
        for wrong in [
            "",
            "0",
            "-1",
            "+1",
            "01",
            "abc",
            "1.0",
            "9223372036854775808",
            " 1",
        ] {
            assert_eq!(i64::parse(wrong), None, "{wrong:?}");
        }
        assert!(Uuid::parse("67e55044-10b1-426f-9247-bb680e5fe0c8").is_some());
        for wrong in [
            "67e5504410b1426f9247bb680e5fe0c8",
            "67E55044-10B1-426F-9247-BB680E5FE0C8",
            "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
        ] {
            assert_eq!(Uuid::parse(wrong), None, "{wrong}");
        }
        for wrong in ["", "a\0"] {
            assert_eq!(String::parse(wrong), None, "{wrong:?}");
        }
    }
}
