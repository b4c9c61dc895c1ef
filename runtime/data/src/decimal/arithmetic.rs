//! Operators and conversions of decimals that panic.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use rust_decimal::Decimal as Number;

use super::{Decimal, MAX_DIGITS};

/// The value; panics on overflow, because operators return no `Result`.
#[track_caller]
fn within<T>(value: Option<T>) -> T {
    match value {
        Some(value) => value,
        None => panic!("a decimal exceeds {MAX_DIGITS} digits"),
    }
}

impl<const S: u32> Add for Decimal<S> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        within(self.checked_add(other))
    }
}

impl<const S: u32> Sub for Decimal<S> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        within(self.checked_sub(other))
    }
}

impl<const S: u32, const T: u32> Mul<Decimal<T>> for Decimal<S> {
    type Output = Self;

    /// The product at the left scale, rounded half away from zero.
    fn mul(self, other: Decimal<T>) -> Self {
        within(self.checked_mul(other))
    }
}

impl<const S: u32> Mul<i32> for Decimal<S> {
    type Output = Self;

    fn mul(self, other: i32) -> Self {
        self * i64::from(other)
    }
}

impl<const S: u32> Mul<i64> for Decimal<S> {
    type Output = Self;

    fn mul(self, other: i64) -> Self {
        within(
            self.0
                .checked_mul(Number::from(other))
                .and_then(Self::rounded),
        )
    }
}

impl<const S: u32> Neg for Decimal<S> {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<const S: u32> AddAssign for Decimal<S> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<const S: u32> SubAssign for Decimal<S> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const S: u32> Sum for Decimal<S> {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, Add::add)
    }
}

impl<'a, const S: u32> Sum<&'a Self> for Decimal<S> {
    fn sum<I: Iterator<Item = &'a Self>>(values: I) -> Self {
        values.copied().sum()
    }
}

impl<const S: u32> From<i32> for Decimal<S> {
    fn from(value: i32) -> Self {
        within(Self::rounded(Number::from(value)))
    }
}

impl<const S: u32> From<i64> for Decimal<S> {
    fn from(value: i64) -> Self {
        within(Self::rounded(Number::from(value)))
    }
}
