//! The rules a request may hold, in Laravel's words: `use formwork::rules::*;`.

use super::rule::{Bound, Rule};

macro_rules! rules {
    ($(
        $(#[$doc:meta])*
        $name:ident $(($($argument:ident: $type:ty),+))? => $rule:ident $(($($value:expr),+))?;
    )*) => {$(
        $(#[$doc])*
        pub const fn $name($($($argument: $type),+)?) -> Rule {
            Rule::$rule $(($($value),+))?
        }
    )*};
}

rules! {
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
    /// A number of at most `precision` digits, `scale` of them after the point.
    decimal(precision: u32, scale: u32) => Decimal(precision, scale);
    /// A date or time in this format, in PHP's letters: `date_format("H:i")`; in one of several, with
    /// commas between. A letter after a backslash is literal: `Y-m-d\\TH:i`.
    date_format(format: &'static str) => DateFormat(format);
    /// A date or time after another one: that of an attribute, `now`, `today`, or a date as it is
    /// written, `2026-01-31`. Without a value of that attribute it holds.
    after(other: &'static str) => After(other);
    /// As [`after`], or the same.
    after_or_equal(other: &'static str) => AfterOrEqual(other);
    /// A date or time before another one, as [`after`].
    before(other: &'static str) => Before(other);
    /// As [`before`], or the same.
    before_or_equal(other: &'static str) => BeforeOrEqual(other);
    /// A number from `bound`, a text of at least `bound` characters, a list of at least `bound` items.
    min(bound: i64) => Min(Bound::Whole(bound));
    /// [`min`] for a fraction: `min_decimal("0.01")`.
    min_decimal(bound: &'static str) => Min(Bound::Fraction(bound));
    /// A number up to `bound`, a text of at most `bound` characters, a list of at most `bound` items.
    max(bound: i64) => Max(Bound::Whole(bound));
    /// [`max`] for a fraction.
    max_decimal(bound: &'static str) => Max(Bound::Fraction(bound));
    /// [`min`] and [`max`] at once.
    between(low: i64, high: i64) => Between(Bound::Whole(low), Bound::Whole(high));
    /// [`between`] for fractions.
    between_decimal(low: &'static str, high: &'static str)
        => Between(Bound::Fraction(low), Bound::Fraction(high));
    /// Exactly this number, this many characters, this many items.
    size(size: i64) => Size(Bound::Whole(size));
    /// [`size`] for a fraction.
    size_decimal(size: &'static str) => Size(Bound::Fraction(size));
    /// One of these words (Laravel: `in`); each item of a list is.
    one_of(words: &'static [&'static str]) => In(words);
    /// None of these words (Laravel: `not_in`); no item of a list is.
    none_of(words: &'static [&'static str]) => NotIn(words);
    /// A text this pattern (of the crate `regex`) is found in.
    regex(pattern: &'static str) => Regex(pattern);
    /// A row of this table holds it in this column; one for each item of a list.
    exists(table: &'static str, column: &'static str) => Exists(table, column);
    /// The same as another attribute of the body. In rules that name others, `lines.*.kind` is that of
    /// the same item.
    same(other: &'static str) => Same(other);
    /// [`required`] where another attribute has one of these values.
    required_if(other: &'static str, values: &'static [&'static str]) => RequiredIf(other, values);
    /// [`required`] where one of these attributes is missing.
    required_without(others: &'static [&'static str]) => RequiredWithout(others);
    /// Left out where another attribute is missing, or empty.
    exclude_without(other: &'static str) => ExcludeWithout(other);
    /// A rule of the project's own: `custom("iban")` is one of the request's `rules`,
    /// `custom("shop.iban")` one that an extension registers. A name that is neither keeps the
    /// service from starting.
    custom(name: &'static str) => Custom(name);
}
