//! Numbers in bodies, as rules compare them.

use std::{cmp::Ordering, str::FromStr};

use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde_json::Value as Json;

/// A number: exactly, where it has no more digits than a decimal holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    /// To 28 digits.
    Exact(Decimal),
    /// Beyond them.
    Float(f64),
}

impl Number {
    /// The number that a value holds, as a number or as a string.
    pub fn of(value: &Json) -> Option<Self> {
        match value {
            Json::Number(number) => Self::parse(&number.to_string()),
            Json::String(text) => Self::parse(text),
            _ => None,
        }
    }

    /// Whether PHP's `is_numeric` accepts a text, as Laravel's `numeric` does; spaces are trimmed
    /// before.
    pub fn parse(text: &str) -> Option<Self> {
        if !is_numeric(text) {
            return None;
        }
        let exact = Decimal::from_str_exact(text).or_else(|_| Decimal::from_scientific(text));
        if let Ok(exact) = exact {
            return Some(Self::Exact(exact));
        }
        let float = f64::from_str(text).ok().filter(|float| float.is_finite());
        float.map(Self::Float)
    }

    /// The number as a decimal, if it is one.
    pub fn exact(self) -> Option<Decimal> {
        match self {
            Self::Exact(number) => Some(number),
            Self::Float(_) => None,
        }
    }

    /// How it compares with a bound.
    pub fn compare(self, bound: Decimal) -> Ordering {
        match self {
            Self::Exact(number) => number.cmp(&bound),
            Self::Float(number) => {
                let bound = bound.to_f64().unwrap_or_default();
                number.total_cmp(&bound)
            }
        }
    }

    /// Whether both are the same number, however they are written: `5` and `5.0000`.
    pub fn equals(self, other: Self) -> bool {
        match (self, other) {
            (_, Self::Exact(other)) => self.compare(other) == Ordering::Equal,
            (Self::Exact(own), _) => other.compare(own) == Ordering::Equal,
            (Self::Float(own), Self::Float(other)) => own.total_cmp(&other) == Ordering::Equal,
        }
    }
}

/// A sign, digits with a point among them or at one end, an exponent.
fn is_numeric(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, exponent) = match text.split_once(['e', 'E']) {
        Some((digits, exponent)) => (digits, Some(exponent)),
        None => (text, None),
    };
    let all = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let counted = !(whole.is_empty() && fraction.is_empty()) && all(whole) && all(fraction);
    let raised = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && all(exponent)
    });
    counted && raised
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Number> {
        Number::parse(text)
    }

    #[test]
    fn numbers_are_read_as_php_reads_them() {
        for good in [
            "0", "-1", "+1.5", ".5", "5.", "1e5", "1E-2", "007", "1e300", "1e-300",
        ] {
            assert!(read(good).is_some(), "{good}");
        }
        for bad in [
            "", ".", "-", "1_000", "1e", "e5", "0x1A", "1,5", "NaN", "inf", "1e999", "١",
        ] {
            assert!(read(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn numbers_compare_by_their_value() {
        let number = |text: &str| read(text).unwrap();
        assert!(number("5").equals(number("5.0000")));
        assert!(number("1e300").equals(number("1E300")));
        assert!(!number("1e300").equals(number("5")));
        assert!(!number("0.1").equals(number("0.10000000000000000000001")));
        let three = Decimal::from(3);
        assert_eq!(number("1e300").compare(three), Ordering::Greater);
        assert_eq!(number("-1e300").compare(three), Ordering::Less);
        assert_eq!(
            number("2.9999999999999999999").compare(three),
            Ordering::Less
        );
    }
}
