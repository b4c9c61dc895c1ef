//! Rules of attributes.

use formwork_vocabulary::rule::RuleWord;
use serde::Serialize;

/// Rules of an attribute by action. What runs on store is `all` then `store`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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

type Text = String;
type Texts = Vec<String>;
type Bound = String;
type Digits = u8;

macro_rules! rules {
    ($(
        $rule:ident $(($($value:ident),+))? $word:literal $arguments:ident $(($count:literal))?
            $kind:literal $message:literal $shown:ident;
    )*) => {
        /// One rule, arguments parsed and checked against the attribute's type. Bounds are numbers as
        /// written.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(tag = "name", content = "arguments")]
        #[allow(missing_docs, reason = "the functions of the runtime's rules are documented")]
        pub enum Rule {
            $(#[serde(rename = $word)] $rule $(($($value),+))?,)*
        }

        impl Rule {
            /// The word of the rule, without its arguments.
            pub fn word(&self) -> RuleWord {
                match self { $(Self::$rule { .. } => RuleWord::$rule),* }
            }
        }
    };
}

formwork_vocabulary::rule_table!(rules);

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
}
