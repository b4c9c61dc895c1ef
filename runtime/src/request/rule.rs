//! A rule of an attribute, in Laravel's words (command-line.md, "A resource manifest").

use std::fmt;

/// A bound of `min`, `max`, `between` and `size`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A whole number.
    Whole(i64),
    /// A fraction, as it is written: `0.01`.
    Fraction(&'static str),
}

/// One rule. The functions of [`rules`](super::rules) make them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each is documented at the function of `rules` that makes it"
)]
pub enum Rule {
    Required,
    RequiredIf(&'static str, &'static [&'static str]),
    RequiredWithout(&'static [&'static str]),
    ExcludeWithout(&'static str),
    Nullable,
    Sometimes,
    Present,
    String,
    Integer,
    Numeric,
    Decimal(u32, u32),
    Boolean,
    Array,
    Json,
    Email,
    Url,
    Uuid,
    Date,
    Time,
    DateTime,
    DateFormat(&'static str),
    Min(Bound),
    Max(Bound),
    Between(Bound, Bound),
    Size(Bound),
    OneOf(&'static [&'static str]),
    NoneOf(&'static [&'static str]),
    Alpha,
    AlphaDash,
    Regex(&'static str),
    Unique,
    Exists(&'static str, &'static str),
    Same(&'static str),
    Confirmed,
}

impl Rule {
    /// Whether it says that a value has to be there.
    pub(crate) fn demands(self) -> bool {
        matches!(
            self,
            Self::Required | Self::RequiredIf(..) | Self::RequiredWithout(_) | Self::Present
        )
    }

    /// Whether it makes the value a number, whose size is its value.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Numeric | Self::Decimal(..))
    }

    /// Whether it is about the size of a value.
    pub(crate) fn measures(self) -> bool {
        matches!(
            self,
            Self::Min(_) | Self::Max(_) | Self::Between(..) | Self::Size(_)
        )
    }

    /// The type it gives its attribute in a form, if it gives one.
    pub(crate) fn kind(self) -> Option<&'static str> {
        Some(match self {
            Self::Integer => "integer",
            Self::Numeric | Self::Decimal(..) => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Json => "json",
            Self::Email => "email",
            Self::Url => "url",
            Self::Uuid => "uuid",
            Self::Date => "date",
            Self::Time => "time",
            Self::DateTime => "datetime",
            Self::String => "string",
            _ => return None,
        })
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(to),
            Self::Fraction(text) => text.fmt(to),
        }
    }
}

/// As Laravel writes it: `between:2,255`.
impl fmt::Display for Rule {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RequiredIf(other, values) => {
                write!(to, "required_if:{other},{}", listed(values))
            }
            Self::RequiredWithout(others) => write!(to, "required_without:{}", others.join(",")),
            Self::ExcludeWithout(other) => write!(to, "exclude_without:{other}"),
            Self::Decimal(precision, scale) => write!(to, "decimal:{precision},{scale}"),
            Self::DateFormat(format) => write!(to, "date_format:{format}"),
            Self::Min(bound) => write!(to, "min:{bound}"),
            Self::Max(bound) => write!(to, "max:{bound}"),
            Self::Between(low, high) => write!(to, "between:{low},{high}"),
            Self::Size(size) => write!(to, "size:{size}"),
            Self::OneOf(words) => write!(to, "in:{}", listed(words)),
            Self::NoneOf(words) => write!(to, "not_in:{}", listed(words)),
            Self::Regex(pattern) => write!(to, "regex:{pattern}"),
            Self::Exists(table, column) => write!(to, "exists:{table},{column}"),
            Self::Same(other) => write!(to, "same:{other}"),
            plain => to.write_str(plain.word()),
        }
    }
}

/// Words with commas between; those with a comma in them stand in quotes.
fn listed(words: &[&str]) -> String {
    let quoted = |word: &&str| match word.contains([',', '"']) {
        true => format!("\"{}\"", word.replace('"', "\"\"")),
        false => (*word).to_owned(),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(",")
}

impl Rule {
    /// The word of a rule without arguments.
    fn word(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Nullable => "nullable",
            Self::Sometimes => "sometimes",
            Self::Present => "present",
            Self::Alpha => "alpha",
            Self::AlphaDash => "alpha_dash",
            Self::Unique => "unique",
            Self::Confirmed => "confirmed",
            Self::Numeric => "numeric",
            typed => typed.kind().unwrap_or_default(),
        }
    }
}
