//! A rule of an attribute, in Laravel's words.

use std::fmt;

use formwork_vocabulary::rule::{RuleWord, list_values};

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
    After(&'static str),
    AfterOrEqual(&'static str),
    Before(&'static str),
    BeforeOrEqual(&'static str),
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
    Custom(&'static str),
}

impl Rule {
    /// Whether it says that a value has to be there.
    pub(crate) fn demands(self) -> bool {
        matches!(
            self,
            Self::Required | Self::RequiredIf(..) | Self::RequiredWithout(_) | Self::Present
        )
    }

    /// Whether it compares its attribute with another one that fulfils this.
    pub(crate) fn names_any(self, is_one: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::RequiredIf(other, _)
            | Self::Same(other)
            | Self::After(other)
            | Self::AfterOrEqual(other)
            | Self::Before(other)
            | Self::BeforeOrEqual(other) => is_one(other),
            Self::RequiredWithout(others) => others.iter().any(|other| is_one(other)),
            _ => false,
        }
    }

    /// The name of a rule of the project's own.
    pub(crate) fn custom(self) -> Option<&'static str> {
        match self {
            Self::Custom(name) => Some(name),
            _ => None,
        }
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
    pub fn kind(self) -> Option<&'static str> {
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
        let arguments = match self {
            Self::RequiredIf(other, values) => format!("{other},{}", list_values(values)),
            Self::RequiredWithout(others) => others.join(","),
            Self::Decimal(precision, scale) => format!("{precision},{scale}"),
            Self::Min(bound) | Self::Max(bound) | Self::Size(bound) => bound.to_string(),
            Self::Between(low, high) => format!("{low},{high}"),
            Self::OneOf(values) | Self::NoneOf(values) => list_values(values),
            Self::Exists(table, column) => format!("{table},{column}"),
            Self::DateFormat(text)
            | Self::After(text)
            | Self::AfterOrEqual(text)
            | Self::Before(text)
            | Self::BeforeOrEqual(text)
            | Self::Regex(text)
            | Self::Same(text)
            | Self::Custom(text)
            | Self::ExcludeWithout(text) => (*text).to_owned(),
            _ => String::new(),
        };
        to.write_str(&self.word().with_arguments(&arguments))
    }
}

impl Rule {
    /// The word of the rule, without its arguments.
    fn word(self) -> RuleWord {
        match self {
            Self::Required => RuleWord::Required,
            Self::RequiredIf(..) => RuleWord::RequiredIf,
            Self::RequiredWithout(_) => RuleWord::RequiredWithout,
            Self::ExcludeWithout(_) => RuleWord::ExcludeWithout,
            Self::Nullable => RuleWord::Nullable,
            Self::Sometimes => RuleWord::Sometimes,
            Self::Present => RuleWord::Present,
            Self::String => RuleWord::String,
            Self::Integer => RuleWord::Integer,
            Self::Numeric => RuleWord::Numeric,
            Self::Decimal(..) => RuleWord::Decimal,
            Self::Boolean => RuleWord::Boolean,
            Self::Array => RuleWord::Array,
            Self::Json => RuleWord::Json,
            Self::Email => RuleWord::Email,
            Self::Url => RuleWord::Url,
            Self::Uuid => RuleWord::Uuid,
            Self::Date => RuleWord::Date,
            Self::Time => RuleWord::Time,
            Self::DateTime => RuleWord::DateTime,
            Self::DateFormat(_) => RuleWord::DateFormat,
            Self::After(_) => RuleWord::After,
            Self::AfterOrEqual(_) => RuleWord::AfterOrEqual,
            Self::Before(_) => RuleWord::Before,
            Self::BeforeOrEqual(_) => RuleWord::BeforeOrEqual,
            Self::Min(_) => RuleWord::Min,
            Self::Max(_) => RuleWord::Max,
            Self::Between(..) => RuleWord::Between,
            Self::Size(_) => RuleWord::Size,
            Self::OneOf(_) => RuleWord::In,
            Self::NoneOf(_) => RuleWord::NotIn,
            Self::Alpha => RuleWord::Alpha,
            Self::AlphaDash => RuleWord::AlphaDash,
            Self::Regex(_) => RuleWord::Regex,
            Self::Unique => RuleWord::Unique,
            Self::Exists(..) => RuleWord::Exists,
            Self::Same(_) => RuleWord::Same,
            Self::Confirmed => RuleWord::Confirmed,
            Self::Custom(_) => RuleWord::Custom,
        }
    }
}
