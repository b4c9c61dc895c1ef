//! The first mistake that serde finds in a value.

use std::fmt;

use formwork_vocabulary::did_you_mean::nearest;
use serde::de;

/// The message of a missing member.
pub(crate) const MISSING: &str = "is missing";

/// A mistake and its place.
#[derive(Debug)]
pub(super) struct Fault {
    /// Unknown until the member passes it on.
    pub place: Option<String>,
    pub message: String,
    /// The field that its struct lacks.
    missing: Option<&'static str>,
}

impl Fault {
    /// An error of serde_json, which reads enums with content.
    pub fn of(error: serde_json::Error) -> Self {
        de::Error::custom(error)
    }

    /// The same, at this place where none is known.
    pub fn at(mut self, place: &str) -> Self {
        self.place.get_or_insert_with(|| place.to_owned());
        self
    }

    /// The same; a missing field is at its own place.
    pub fn in_struct(mut self, place: impl Fn(&str) -> String) -> Self {
        if let Some(field) = self.missing.take() {
            self.place = Some(place(field));
        }
        self
    }
}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            place: None,
            message: message.to_string(),
            missing: None,
        }
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(format!("expected {expected}"))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(format!("{found} is not {expected}"))
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            missing: Some(field),
            ..Self::custom(MISSING)
        }
    }

    fn unknown_variant(word: &str, variants: &'static [&'static str]) -> Self {
        let words = variants.join(", ");
        Self::custom(match nearest(word, variants.iter().copied()) {
            Some(near) => format!("expected one of {words}; did you mean `{near}`?"),
            None => format!("expected one of {words}"),
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}
