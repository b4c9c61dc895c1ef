//! The rules a request may hold, in Laravel's words: `use formwork::rules::*;`.

use super::rule::{Bound, Rule};

macro_rules! plain_rules {
    ($($(#[$doc:meta])* $name:ident => $rule:ident;)*) => {
        $($(#[$doc])* pub const fn $name() -> Rule { Rule::$rule })*
    };
}

plain_rules! {
    /// Has to be there, and be neither null nor empty.
    required => Required;
    /// May be null; the other rules do not run then.
    nullable => Nullable;
    /// Rules run only if the attribute was sent.
    sometimes => Sometimes;
    /// Has to be there, and may be null or empty.
    present => Present;
    /// A string.
    string => String;
    /// A whole number of 64 bits, or a string of its digits.
    integer => Integer;
    /// A number, or a string that writes one.
    numeric => Numeric;
    /// `true`, `false`, `1`, `0`, `"1"` or `"0"`.
    boolean => Boolean;
    /// A list, or an object.
    array => Array;
    /// Any JSON; strings in it are not trimmed.
    json => Json;
    /// An e-mail address.
    email => Email;
    /// An `http` or `https` address.
    url => Url;
    /// A UUID in its usual form, with hyphens.
    uuid => Uuid;
    /// A date, `YYYY-MM-DD`.
    date => Date;
    /// A time of day, `HH:MM` or `HH:MM:SS`.
    time => Time;
    /// A moment: RFC 3339, or `YYYY-MM-DD HH:MM:SS` in UTC.
    datetime => DateTime;
    /// Letters only, of any alphabet.
    alpha => Alpha;
    /// Letters, digits, dashes and underscores only.
    alpha_dash => AlphaDash;
    /// No other row has it. The record itself does not count.
    unique => Unique;
    /// The body repeats it as `<attribute>_confirmation`.
    confirmed => Confirmed;
}

/// A number of at most `precision` digits, `scale` of them after the point.
pub const fn decimal(precision: u32, scale: u32) -> Rule {
    Rule::Decimal(precision, scale)
}

/// A date or time in this format, in PHP's letters: `date_format("H:i")`; in one of several, with
/// commas between. A letter after a backslash is literal: `Y-m-d\\TH:i`.
pub const fn date_format(format: &'static str) -> Rule {
    Rule::DateFormat(format)
}

/// A date or time after another one: that of an attribute, `now`, `today`, or a date as it is written,
/// `2026-01-31`. Without a value of that attribute it holds.
pub const fn after(other: &'static str) -> Rule {
    Rule::After(other)
}

/// As [`after`], or the same.
pub const fn after_or_equal(other: &'static str) -> Rule {
    Rule::AfterOrEqual(other)
}

/// A date or time before another one, as [`after`].
pub const fn before(other: &'static str) -> Rule {
    Rule::Before(other)
}

/// As [`before`], or the same.
pub const fn before_or_equal(other: &'static str) -> Rule {
    Rule::BeforeOrEqual(other)
}

/// A number from `bound`, a text of at least `bound` characters, a list of at least `bound` items.
pub const fn min(bound: i64) -> Rule {
    Rule::Min(Bound::Whole(bound))
}

/// [`min`] for a fraction: `min_decimal("0.01")`.
pub const fn min_decimal(bound: &'static str) -> Rule {
    Rule::Min(Bound::Fraction(bound))
}

/// A number up to `bound`, a text of at most `bound` characters, a list of at most `bound` items.
pub const fn max(bound: i64) -> Rule {
    Rule::Max(Bound::Whole(bound))
}

/// [`max`] for a fraction.
pub const fn max_decimal(bound: &'static str) -> Rule {
    Rule::Max(Bound::Fraction(bound))
}

/// [`min`] and [`max`] at once.
pub const fn between(low: i64, high: i64) -> Rule {
    Rule::Between(Bound::Whole(low), Bound::Whole(high))
}

/// [`between`] for fractions.
pub const fn between_decimal(low: &'static str, high: &'static str) -> Rule {
    Rule::Between(Bound::Fraction(low), Bound::Fraction(high))
}

/// Exactly this number, this many characters, this many items.
pub const fn size(size: i64) -> Rule {
    Rule::Size(Bound::Whole(size))
}

/// [`size`] for a fraction.
pub const fn size_decimal(size: &'static str) -> Rule {
    Rule::Size(Bound::Fraction(size))
}

/// One of these words (Laravel: `in`); each item of a list is.
pub const fn one_of(words: &'static [&'static str]) -> Rule {
    Rule::OneOf(words)
}

/// None of these words (Laravel: `not_in`); no item of a list is.
pub const fn none_of(words: &'static [&'static str]) -> Rule {
    Rule::NoneOf(words)
}

/// A text this pattern (of the crate `regex`) is found in.
pub const fn regex(pattern: &'static str) -> Rule {
    Rule::Regex(pattern)
}

/// A row of this table holds it in this column; one for each item of a list.
pub const fn exists(table: &'static str, column: &'static str) -> Rule {
    Rule::Exists(table, column)
}

/// The same as another attribute of the body. In rules that name others, `lines.*.kind` is that of
/// the same item.
pub const fn same(other: &'static str) -> Rule {
    Rule::Same(other)
}

/// [`required`] where another attribute has one of these values.
pub const fn required_if(other: &'static str, values: &'static [&'static str]) -> Rule {
    Rule::RequiredIf(other, values)
}

/// [`required`] where one of these attributes is missing.
pub const fn required_without(others: &'static [&'static str]) -> Rule {
    Rule::RequiredWithout(others)
}

/// Left out where another attribute is missing, or empty.
pub const fn exclude_without(other: &'static str) -> Rule {
    Rule::ExcludeWithout(other)
}

/// A rule of the project's own: `custom("iban")` is one of the request's `rules`, `custom("shop.iban")`
/// one that an extension registers. A name that is neither keeps the service from starting.
pub const fn custom(name: &'static str) -> Rule {
    Rule::Custom(name)
}
