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

type Text = &'static str;
type Texts = &'static [&'static str];
type Digits = u32;

macro_rules! rules {
    ($(
        $rule:ident $(($($value:ident),+))? $word:literal $arguments:ident $(($count:literal))?
            $kind:literal $message:literal $shown:ident;
    )*) => {
        /// One rule. The functions of [`rules`](super::rules) make them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        #[allow(
            missing_docs,
            reason = "each is documented at the function of `rules` that makes it"
        )]
        pub enum Rule {
            $($rule $(($($value),+))?,)*
        }

        impl Rule {
            /// The word of the rule, without its arguments.
            #[doc(hidden)]
            pub fn word(self) -> RuleWord {
                match self { $(Self::$rule { .. } => RuleWord::$rule),* }
            }
        }
    };
}

formwork_vocabulary::rule_table!(rules);

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
        Some(self.word().kind()).filter(|kind| !kind.is_empty())
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
            Self::In(values) | Self::NotIn(values) => list_values(values),
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
