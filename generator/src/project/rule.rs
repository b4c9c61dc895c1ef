//! Rules of attributes.

use formwork_vocabulary::rule::RuleWord;

/// Rules of an attribute by action. What runs on store is `all` then `store`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    /// On store and update.
    pub all: Vec<Rule>,
    /// On store alone.
    pub store: Vec<Rule>,
    /// On update alone.
    pub update: Vec<Rule>,
    /// Rules of list items, `field.*`.
    pub items: Vec<Rule>,
}

impl Rules {
    /// Every rule of the value itself, on store or update.
    pub fn of_value(&self) -> impl Iterator<Item = &Rule> {
        self.all.iter().chain(&self.store).chain(&self.update)
    }

    /// Every rule, those of list items included.
    pub fn every(&self) -> impl Iterator<Item = &Rule> {
        self.of_value().chain(&self.items)
    }
}

/// One rule, arguments parsed and checked against the attribute's type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Rule {
    Required,
    Nullable,
    Sometimes,
    Present,
    String,
    Integer,
    Numeric,
    Boolean,
    Array,
    Email,
    Url,
    Uuid,
    Date,
    Time,
    /// A date without a time is `Date`; this is RFC 3339. Brought by the type datetime.
    DateTime,
    /// A PHP date format (`H:i`, `Y-m-d`).
    DateFormat(String),
    /// An attribute, `now`, `today` or a date.
    After(String),
    AfterOrEqual(String),
    Before(String),
    BeforeOrEqual(String),
    /// Numbers as written, `0.01`.
    Min(String),
    Max(String),
    Between(String, String),
    Size(String),
    In(Vec<String>),
    NotIn(Vec<String>),
    Alpha,
    AlphaDash,
    Regex(String),
    /// Unique in the resource's own table and column.
    Unique,
    /// Table and column in which the value must occur.
    Exists(String, String),
    Same(String),
    Confirmed,
    /// Attribute and the values that make this one required.
    RequiredIf(String, Vec<String>),
    RequiredWithout(Vec<String>),
    ExcludeWithout(String),
    /// A rule of the project's own: with a dot one that an extension registers, without one a poured
    /// function.
    Custom(String),
    /// A decimal of at most this precision and scale. Brought by the type decimal.
    Decimal(u8, u8),
}

impl Rule {
    /// The word a manifest writes for it.
    pub fn name(&self) -> &'static str {
        self.word().as_str()
    }

    /// Operand of a rule of dates: an attribute, `now`, `today` or a date.
    pub fn compares_with(&self) -> Option<&str> {
        match self {
            Self::After(other)
            | Self::AfterOrEqual(other)
            | Self::Before(other)
            | Self::BeforeOrEqual(other) => Some(other),
            _ => None,
        }
    }

    /// The name of a rule that is poured as a function to fill.
    pub fn function(&self) -> Option<&str> {
        match self {
            Self::Custom(name) if !name.contains('.') => Some(name),
            _ => None,
        }
    }

    /// The word of the rule, without its arguments.
    pub fn word(&self) -> RuleWord {
        match self {
            Self::Required => RuleWord::Required,
            Self::Nullable => RuleWord::Nullable,
            Self::Sometimes => RuleWord::Sometimes,
            Self::Present => RuleWord::Present,
            Self::String => RuleWord::String,
            Self::Integer => RuleWord::Integer,
            Self::Numeric => RuleWord::Numeric,
            Self::Boolean => RuleWord::Boolean,
            Self::Array => RuleWord::Array,
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
            Self::In(_) => RuleWord::In,
            Self::NotIn(_) => RuleWord::NotIn,
            Self::Alpha => RuleWord::Alpha,
            Self::AlphaDash => RuleWord::AlphaDash,
            Self::Regex(_) => RuleWord::Regex,
            Self::Unique => RuleWord::Unique,
            Self::Exists(..) => RuleWord::Exists,
            Self::Same(_) => RuleWord::Same,
            Self::Confirmed => RuleWord::Confirmed,
            Self::RequiredIf(..) => RuleWord::RequiredIf,
            Self::RequiredWithout(_) => RuleWord::RequiredWithout,
            Self::ExcludeWithout(_) => RuleWord::ExcludeWithout,
            Self::Custom(_) => RuleWord::Custom,
            Self::Decimal(..) => RuleWord::Decimal,
        }
    }
}
