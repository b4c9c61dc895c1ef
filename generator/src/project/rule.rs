//! Rules of attributes.

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
    /// A decimal of at most this precision and scale. Brought by the type decimal.
    Decimal(u8, u8),
}

impl Rule {
    /// The word a manifest writes for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Nullable => "nullable",
            Self::Sometimes => "sometimes",
            Self::Present => "present",
            Self::String => "string",
            Self::Integer => "integer",
            Self::Numeric => "numeric",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Email => "email",
            Self::Url => "url",
            Self::Uuid => "uuid",
            Self::Date => "date",
            Self::Time => "time",
            Self::DateTime => "datetime",
            Self::DateFormat(_) => "date_format",
            Self::Min(_) => "min",
            Self::Max(_) => "max",
            Self::Between(..) => "between",
            Self::Size(_) => "size",
            Self::In(_) => "in",
            Self::NotIn(_) => "not_in",
            Self::Alpha => "alpha",
            Self::AlphaDash => "alpha_dash",
            Self::Regex(_) => "regex",
            Self::Unique => "unique",
            Self::Exists(..) => "exists",
            Self::Same(_) => "same",
            Self::Confirmed => "confirmed",
            Self::RequiredIf(..) => "required_if",
            Self::RequiredWithout(_) => "required_without",
            Self::ExcludeWithout(_) => "exclude_without",
            Self::Decimal(..) => "decimal",
        }
    }
}
