//! Decimals in JSON: strings with their scale; strings and numbers are accepted.

use std::fmt;

use rust_decimal::Decimal as Number;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

use super::Decimal;

impl<const S: u32> Serialize for Decimal<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const S: u32> Deserialize<'de> for Decimal<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DecimalVisitor)
    }
}

struct DecimalVisitor<const S: u32>;

impl<const S: u32> Visitor<'_> for DecimalVisitor<S> {
    type Value = Decimal<S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a decimal with at most {S} digits after the point")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal<S>, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Decimal<S>, E> {
        Decimal::exact(Number::from(value)).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Decimal<S>, E> {
        Decimal::exact(Number::from(value)).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Decimal<S>, E> {
        // The shortest text that gives this float is what the client wrote.
        self.visit_str(&value.to_string())
    }
}
