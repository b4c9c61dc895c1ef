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

/// How the description of a service shows a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownAs {
    /// By keywords of JSON Schema, or not at all.
    Keyword,
    /// By a sentence: JSON Schema has no keyword for it.
    Description,
}

/// The table of rules. Each row has the name of a rule with the kinds of its values, its word in a
/// manifest and the arguments it takes there, the kind of value it demands in a form, its message
/// after `The … field`, and how the description shows it. The table calls a macro with its rows.
#[macro_export]
macro_rules! rule_table {
    ($rows:ident) => {
        $rows! {
            Required "required" None "" "is required." Keyword;
            Nullable "nullable" None "" "is invalid." Keyword;
            Sometimes "sometimes" None "" "is invalid." Keyword;
            Present "present" None "" "must be present." Keyword;
            String "string" None "string" "must be a string." Keyword;
            Integer "integer" None "integer" "must be an integer." Keyword;
            Numeric "numeric" None "number" "must be a number." Keyword;
            Boolean "boolean" None "boolean" "must be true or false." Keyword;
            Array "array" None "array" "must be an array." Keyword;
            Email "email" None "email" "must be a valid email address." Keyword;
            Url "url" None "url" "must be a valid URL." Keyword;
            Uuid "uuid" None "uuid" "must be a valid UUID." Keyword;
            Date "date" None "date" "must be a valid date." Keyword;
            Time "time" None "time" "must be a valid time." Keyword;
            DateFormat(Text) "date_format" Whole "" "is invalid." Description;
            After(Text) "after" Exactly(1) "" "is invalid." Description;
            AfterOrEqual(Text) "after_or_equal" Exactly(1) "" "is invalid." Description;
            Before(Text) "before" Exactly(1) "" "is invalid." Description;
            BeforeOrEqual(Text) "before_or_equal" Exactly(1) "" "is invalid." Description;
            Min(Bound) "min" Exactly(1) "" "is invalid." Keyword;
            Max(Bound) "max" Exactly(1) "" "is invalid." Keyword;
            Between(Bound, Bound) "between" Exactly(2) "" "is invalid." Keyword;
            Size(Bound) "size" Exactly(1) "" "is invalid." Keyword;
            In(Texts) "in" AtLeast(1) "" "is invalid." Keyword;
            NotIn(Texts) "not_in" AtLeast(1) "" "is invalid." Keyword;
            Alpha "alpha" None "" "must only contain letters." Description;
            AlphaDash "alpha_dash" None ""
                "must only contain letters, numbers, dashes, and underscores." Description;
            Regex(Text) "regex" Whole "" "format is invalid." Keyword;
            Unique "unique" None "" "is invalid." Description;
            Exists(Text, Text) "exists" OneOrTwo "" "is invalid." Description;
            Same(Text) "same" Exactly(1) "" "is invalid." Description;
            Confirmed "confirmed" None "" "confirmation does not match." Description;
            RequiredIf(Text, Texts) "required_if" AtLeast(2) "" "is invalid." Description;
            RequiredWithout(Texts) "required_without" AtLeast(1) "" "is invalid." Description;
            ExcludeWithout(Text) "exclude_without" Exactly(1) "" "is invalid." Description;
            Custom(Text) "custom" Exactly(1) "" "is invalid." Description;
            DateTime "datetime" None "datetime" "must be a valid date and time." Keyword;
            Decimal(Digits, Digits) "decimal" Exactly(2) "number" "is invalid." Keyword;
            Json "json" None "json" "is invalid." Keyword;
        }
    };
}

macro_rules! rule_words {
    ($(
        $rule:ident $(($($value:ident),+))? $word:literal $arguments:ident $(($count:literal))?
            $kind:literal $message:literal $shown:ident;
    )*) => {
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
                match self { $(Self::$rule => Arguments::$arguments $(($count))?),* }
            }

            /// The kind of value that the rule demands, empty if it demands none.
            pub const fn kind(self) -> &'static str {
                match self { $(Self::$rule => $kind),* }
            }

            /// The message for a value that breaks the rule, after `The … field`.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$rule => $message),* }
            }

            /// How the description of a service shows the rule.
            pub const fn shown_as(self) -> ShownAs {
                match self { $(Self::$rule => ShownAs::$shown),* }
            }
        }
    };
}

rule_table!(rule_words);

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
