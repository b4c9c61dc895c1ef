//! Exact decimals with a fixed scale.

mod arithmetic;
mod json;

use std::fmt;
use std::str::FromStr;

use rust_decimal::{Decimal as Number, RoundingStrategy};

/// The largest number of digits a decimal holds: as many as fit the scaled 64-bit integer that
/// databases without decimals store.
pub const MAX_DIGITS: u32 = 18;

/// A decimal with `S` digits after the point and at most 18 digits in all.
///
/// In JSON it is a string with its scale (`"4.9900"`); strings and numbers are accepted.
/// A database without decimals stores it as an integer scaled by 10^S, so it is
/// exact and sortable.
///
/// The operators panic when a result exceeds 18 digits, as integers do; `checked_*` do not.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal<const S: u32>(Number);

/// Why a text or number is not a [`Decimal`] of this scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// Not a number at all.
    #[error("is not a decimal number")]
    Malformed,
    /// More digits after the point than the scale.
    #[error("has more than {0} digits after the point")]
    TooPrecise(u32),
    /// More than 18 digits.
    #[error("has more than 18 digits")]
    TooLarge,
}

impl<const S: u32> Decimal<S> {
    /// The number zero.
    pub const ZERO: Self = Self::from_scaled(0);

    /// The decimal `scaled` / 10^S: what databases without decimals store.
    #[must_use]
    pub const fn from_scaled(scaled: i64) -> Self {
        let digits = scaled.unsigned_abs();
        // Two 32-bit halves: the masks make the casts exact.
        let low = (digits & 0xFFFF_FFFF) as u32;
        let middle = (digits >> 32) as u32;
        Self(Number::from_parts(low, middle, 0, scaled < 0, S))
    }

    /// The integer that databases without decimals store: the value times 10^S.
    #[must_use]
    pub fn scaled(self) -> i64 {
        let mut number = self.0;
        number.rescale(S);
        // Every constructor holds 18 digits, which fit.
        i64::try_from(number.mantissa()).unwrap_or(i64::MAX)
    }

    /// The value without its scale.
    #[must_use]
    pub fn number(self) -> Number {
        self.0
    }

    /// `number` at this scale.
    ///
    /// # Errors
    /// [`DecimalError`] when digits would be lost or there are more than 18.
    pub fn exact(number: Number) -> Result<Self, DecimalError> {
        if number.normalize().scale() > S {
            return Err(DecimalError::TooPrecise(S));
        }
        Self::rounded(number).ok_or(DecimalError::TooLarge)
    }

    /// `number` rounded to this scale, half away from zero; `None` beyond 18 digits.
    #[must_use]
    pub fn rounded(number: Number) -> Option<Self> {
        let mut rounded = number.round_dp_with_strategy(S, RoundingStrategy::MidpointAwayFromZero);
        rounded.rescale(S);
        let fits = rounded.scale() == S && rounded.mantissa().unsigned_abs() < LIMIT;
        fits.then_some(Self(rounded))
    }

    /// `number` as a database has it, which may have more digits than this type computes with: it
    /// is shown and written back exactly.
    pub(crate) fn stored(number: Number) -> Self {
        Self::rounded(number)
            .filter(|rounded| rounded.0 == number)
            .unwrap_or(Self(number))
    }

    /// The sum, or `None` beyond 18 digits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        Self::rounded(self.0.checked_add(other.0)?)
    }

    /// The difference, or `None` beyond 18 digits.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        Self::rounded(self.0.checked_sub(other.0)?)
    }

    /// The product rounded half away from zero, or `None` beyond 18 digits.
    #[must_use]
    pub fn checked_mul<const T: u32>(self, other: Decimal<T>) -> Option<Self> {
        Self::rounded(self.0.checked_mul(other.0)?)
    }

    /// The quotient rounded half away from zero, or `None` by zero or beyond 18 digits.
    #[must_use]
    pub fn checked_div<const T: u32>(self, other: Decimal<T>) -> Option<Self> {
        Self::rounded(self.0.checked_div(other.0)?)
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

/// 10^18: the first scaled value that is too large.
pub const LIMIT: u128 = 1_000_000_000_000_000_000;

/// Digits and point of `text` as a number of any scale.
///
/// # Errors
/// [`DecimalError::Malformed`] for anything but an optional sign, digits, one point and an
/// exponent; [`DecimalError::TooLarge`] beyond 28 digits.
pub(crate) fn number(text: &str) -> Result<Number, DecimalError> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if !plain || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::Malformed);
    }
    let parsed = if text.contains(['e', 'E']) {
        Number::from_scientific(text)
    } else {
        Number::from_str_exact(text)
    };
    parsed.map_err(|error| match error {
        rust_decimal::Error::ErrorString(_) | rust_decimal::Error::ConversionTo(_) => {
            DecimalError::Malformed
        }
        _ => DecimalError::TooLarge,
    })
}

impl<const S: u32> FromStr for Decimal<S> {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        Self::exact(number(text)?)
    }
}

impl<const S: u32> fmt::Display for Decimal<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = self.0;
        if number.scale() < S {
            number.rescale(S);
        }
        fmt::Display::fmt(&number, f)
    }
}

impl<const S: u32> fmt::Debug for Decimal<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Price = Decimal<4>;

    fn price(text: &str) -> Price {
        text.parse().expect("a price")
    }

    #[test]
    fn keeps_its_scale_in_text() {
        assert_eq!(price("4.99").to_string(), "4.9900");
        assert_eq!(price("-0.5").to_string(), "-0.5000");
        assert_eq!(Price::default().to_string(), "0.0000");
        assert_eq!(
            serde_json::to_string(&price("1e2")).expect("json"),
            "\"100.0000\""
        );
    }

    #[test]
    fn accepts_strings_and_numbers() {
        for text in ["4.99", "\"4.99\"", "\"4.9900\"", "\"+4.99\""] {
            assert_eq!(
                serde_json::from_str::<Price>(text).expect(text),
                price("4.99"),
                "{text}"
            );
        }
        assert_eq!(
            serde_json::from_str::<Price>("7").expect("an integer"),
            price("7")
        );
    }

    #[test]
    fn inexact_values_are_refused() {
        assert_eq!("1.00001".parse::<Price>(), Err(DecimalError::TooPrecise(4)));
        assert_eq!(
            "1.000010".parse::<Price>(),
            Err(DecimalError::TooPrecise(4))
        );
        assert_eq!(
            "100000000000000".parse::<Price>(),
            Err(DecimalError::TooLarge)
        );
        assert!("99999999999999.9999".parse::<Price>().is_ok());
        for text in ["", "abc", "1,5", "1.2.3", "--1", " 1", "1_000", "NaN", "."] {
            assert!(text.parse::<Price>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn computes_exactly_and_rounds_half_away() {
        assert_eq!(price("0.1") + price("0.2"), price("0.3"));
        assert_eq!(price("2.5") * 3, price("7.5"));
        assert_eq!(
            price("0.0001") * "0.5".parse::<Decimal<1>>().expect("half"),
            price("0.0001")
        );
        assert_eq!(
            [price("1"), price("2.25")].iter().sum::<Price>(),
            price("3.25")
        );
        assert_eq!(price("1").checked_div(price("3")), Some(price("0.3333")));
        assert_eq!(price("1").checked_div(Price::ZERO), None);
    }

    #[test]
    #[should_panic(expected = "exceeds 18 digits")]
    fn an_overflow_panics() {
        let _ = price("99999999999999.9999") + price("0.0001");
    }

    proptest! {
        #[test]
        fn scaled_integers_survive(scaled in -999_999_999_999_999_999_i64..=999_999_999_999_999_999) {
            let value = Price::from_scaled(scaled);
            prop_assert_eq!(value.scaled(), scaled);
            prop_assert_eq!(value.to_string().parse::<Price>(), Ok(value));
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in ".{0,40}") {
            let _ = text.parse::<Price>();
        }
    }
}
