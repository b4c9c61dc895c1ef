//! Literals for the default values of poured models.
//!
//! The generator has checked what it pours; a wrong literal fails at compile time in a `const`.

use chrono::NaiveDateTime;

use crate::decimal::Decimal;
use crate::value::{Date, DateTime, Time, Uuid};

/// A decimal: `decimal("4.9900")`. Its scale is the field's.
///
/// # Panics
/// When `text` is no decimal of at most 18 digits, or has more digits after the point than the
/// scale.
#[must_use]
pub const fn decimal<const S: u32>(text: &str) -> Decimal<S> {
    let bytes = text.as_bytes();
    let negative = !bytes.is_empty() && bytes[0] == b'-';
    let mut at = if negative { 1 } else { 0 };
    let mut scaled: i64 = 0;
    let mut fraction: Option<u32> = None;
    assert!(at < bytes.len(), "an empty decimal");
    while at < bytes.len() {
        if bytes[at] == b'.' {
            assert!(fraction.is_none(), "a decimal with two points");
            fraction = Some(0);
        } else {
            scaled = scaled * 10 + digit(bytes[at]);
            assert!(
                scaled < 1_000_000_000_000_000_000,
                "a decimal with more than 18 digits"
            );
            if let Some(digits) = fraction {
                fraction = Some(digits + 1);
            }
        }
        at += 1;
    }
    let mut digits = match fraction {
        Some(digits) => digits,
        None => 0,
    };
    assert!(
        digits <= S,
        "a decimal with more digits after the point than its scale"
    );
    while digits < S {
        scaled *= 10;
        assert!(
            scaled < 1_000_000_000_000_000_000,
            "a decimal with more than 18 digits"
        );
        digits += 1;
    }
    Decimal::from_scaled(if negative { -scaled } else { scaled })
}

/// A date: `date("2026-01-31")`.
///
/// # Panics
/// When `text` is no date.
#[must_use]
pub const fn date(text: &str) -> Date {
    let bytes = text.as_bytes();
    assert!(
        bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-',
        "a date is YYYY-MM-DD"
    );
    date_at(bytes)
}

/// A time of day: `time("12:00:00")`.
///
/// # Panics
/// When `text` is no time.
#[must_use]
pub const fn time(text: &str) -> Time {
    let bytes = text.as_bytes();
    assert!(bytes.len() == 8, "a time is HH:MM:SS");
    time_at(bytes, 0)
}

/// A moment in UTC: `datetime("2026-01-31T12:00:00Z")`.
///
/// # Panics
/// When `text` is no RFC 3339 moment in UTC with whole seconds.
#[must_use]
pub const fn datetime(text: &str) -> DateTime {
    let bytes = text.as_bytes();
    let framed = bytes.len() == 20 && bytes[4] == b'-' && bytes[7] == b'-';
    assert!(
        framed && bytes[10] == b'T' && bytes[19] == b'Z',
        "a datetime is YYYY-MM-DDTHH:MM:SSZ"
    );
    NaiveDateTime::new(date_at(bytes), time_at(bytes, 11)).and_utc()
}

/// A UUID: `uuid("67e55044-10b1-426f-9247-bb680e5fe0c8")`.
///
/// # Panics
/// When `text` is no UUID.
#[must_use]
pub const fn uuid(text: &str) -> Uuid {
    match Uuid::try_parse(text) {
        Ok(uuid) => uuid,
        Err(_) => panic!("not a UUID"),
    }
}

const fn date_at(bytes: &[u8]) -> Date {
    let year = number(bytes, 0, 4) as i32;
    match Date::from_ymd_opt(year, number(bytes, 5, 2), number(bytes, 8, 2)) {
        Some(date) => date,
        None => panic!("no such day"),
    }
}

const fn time_at(bytes: &[u8], from: usize) -> Time {
    assert!(
        bytes[from + 2] == b':' && bytes[from + 5] == b':',
        "a time is HH:MM:SS"
    );
    let (hour, minute) = (number(bytes, from, 2), number(bytes, from + 3, 2));
    match Time::from_hms_opt(hour, minute, number(bytes, from + 6, 2)) {
        Some(time) => time,
        None => panic!("no such time"),
    }
}

const fn number(bytes: &[u8], from: usize, length: usize) -> u32 {
    let mut value = 0;
    let mut at = from;
    while at < from + length {
        value = value * 10 + digit(bytes[at]) as u32;
        at += 1;
    }
    value
}

const fn digit(byte: u8) -> i64 {
    assert!(
        byte.is_ascii_digit(),
        "a literal with something else than digits"
    );
    (byte - b'0') as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_their_written_value() {
        const PRICE: Decimal<4> = decimal("-4.99");
        assert_eq!(PRICE.to_string(), "-4.9900");
        assert_eq!(decimal::<2>("12").to_string(), "12.00");
        assert_eq!(date("2026-01-31").to_string(), "2026-01-31");
        assert_eq!(time("23:59:58").to_string(), "23:59:58");
        assert_eq!(
            datetime("2026-01-31T12:00:00Z").to_rfc3339(),
            "2026-01-31T12:00:00+00:00"
        );
        assert_eq!(
            uuid("67e55044-10b1-426f-9247-bb680e5fe0c8").get_version_num(),
            4
        );
    }

    #[test]
    #[should_panic(expected = "more digits after the point")]
    fn a_literal_is_never_rounded() {
        let _ = decimal::<2>("4.999");
    }

    #[test]
    #[should_panic(expected = "no such day")]
    fn a_date_that_does_not_exist_panics() {
        let _ = date("2026-02-30");
    }
}
