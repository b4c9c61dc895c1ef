//! The rules of an attribute, in Laravel's words, and how they are written: `between:2,255`.

/// How many arguments a rule takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arguments {
    /// None.
    None,
    /// All text after the colon, commas included.
    Whole,
    /// This many, separated by commas.
    Exactly(usize),
    /// One or two.
    OneOrTwo,
    /// This many or more.
    AtLeast(usize),
}

macro_rules! rule_words {
    ($($rule:ident $word:literal $arguments:expr;)*) => {
        /// The word of a rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum RuleWord {
            $(#[doc = concat!("`", $word, "`.")] $rule,)*
        }

        impl RuleWord {
            /// Every rule, in the order in which help lists them.
            pub const ALL: &[Self] = &[$(Self::$rule),*];

            /// The word of the rule in a manifest.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$rule => $word),* }
            }

            /// The arguments that the rule takes.
            pub const fn arguments(self) -> Arguments {
                match self { $(Self::$rule => $arguments),* }
            }
        }
    };
}

rule_words! {
    Required "required" Arguments::None;
    Nullable "nullable" Arguments::None;
    Sometimes "sometimes" Arguments::None;
    Present "present" Arguments::None;
    String "string" Arguments::None;
    Integer "integer" Arguments::None;
    Numeric "numeric" Arguments::None;
    Boolean "boolean" Arguments::None;
    Array "array" Arguments::None;
    Email "email" Arguments::None;
    Url "url" Arguments::None;
    Uuid "uuid" Arguments::None;
    Date "date" Arguments::None;
    Time "time" Arguments::None;
    DateFormat "date_format" Arguments::Whole;
    After "after" Arguments::Exactly(1);
    AfterOrEqual "after_or_equal" Arguments::Exactly(1);
    Before "before" Arguments::Exactly(1);
    BeforeOrEqual "before_or_equal" Arguments::Exactly(1);
    Min "min" Arguments::Exactly(1);
    Max "max" Arguments::Exactly(1);
    Between "between" Arguments::Exactly(2);
    Size "size" Arguments::Exactly(1);
    In "in" Arguments::AtLeast(1);
    NotIn "not_in" Arguments::AtLeast(1);
    Alpha "alpha" Arguments::None;
    AlphaDash "alpha_dash" Arguments::None;
    Regex "regex" Arguments::Whole;
    Unique "unique" Arguments::None;
    Exists "exists" Arguments::OneOrTwo;
    Same "same" Arguments::Exactly(1);
    Confirmed "confirmed" Arguments::None;
    RequiredIf "required_if" Arguments::AtLeast(2);
    RequiredWithout "required_without" Arguments::AtLeast(1);
    ExcludeWithout "exclude_without" Arguments::Exactly(1);
    Custom "custom" Arguments::Exactly(1);
    DateTime "datetime" Arguments::None;
    Decimal "decimal" Arguments::Exactly(2);
    Json "json" Arguments::None;
}

impl RuleWord {
    /// The rules that a manifest may write. The others come with a column's type.
    pub fn of_manifests() -> impl Iterator<Item = Self> {
        let brought_by_type = [Self::DateTime, Self::Decimal, Self::Json];
        let all = Self::ALL.iter().copied();
        all.filter(move |rule| !brought_by_type.contains(rule))
    }

    /// The rule that a manifest means by `word`.
    pub fn in_manifest(word: &str) -> Option<Self> {
        Self::of_manifests().find(|rule| rule.as_str() == word)
    }

    /// The function of the runtime that makes the rule: `in` is a keyword of Rust.
    pub const fn function(self) -> &'static str {
        match self {
            Self::In => "one_of",
            Self::NotIn => "none_of",
            other => other.as_str(),
        }
    }

    /// The rule with its arguments: `between:2,255`, or the word alone where there are none.
    pub fn with_arguments(self, arguments: &str) -> String {
        let colon = if arguments.is_empty() { "" } else { ":" };
        [self.as_str(), colon, arguments].concat()
    }
}

/// Values with commas between. A value with a comma or a quote is quoted, as in Laravel: `"a,b",c`.
pub fn list_values<S: AsRef<str>>(values: &[S]) -> String {
    let quoted = |value: &S| match value.as_ref() {
        value if value.contains([',', '"']) => format!("\"{}\"", value.replace('"', "\"\"")),
        value => value.to_owned(),
    };
    values.iter().map(quoted).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_writes_each_rule_but_those_of_types() {
        assert_eq!(RuleWord::in_manifest("in"), Some(RuleWord::In));
        assert_eq!(RuleWord::in_manifest("decimal"), None);
        assert_eq!(RuleWord::of_manifests().count(), RuleWord::ALL.len() - 3);
        assert_eq!(RuleWord::In.function(), "one_of");
    }

    #[test]
    fn arguments_follow_a_colon() {
        assert_eq!(RuleWord::Between.with_arguments("2,255"), "between:2,255");
        assert_eq!(RuleWord::Unique.with_arguments(""), "unique");
        assert_eq!(list_values(&["a,b", "c", "5\""]), "\"a,b\",c,\"5\"\"\"");
    }
}
