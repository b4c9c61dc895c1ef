//! Rules of a project's own: a name, a message, and a function that checks a value.

use std::{fmt, future::Future};

use formwork_data::{error::Result, value::Json};
use futures_util::future::BoxFuture;

use crate::{context::Context, state::ServiceState};

/// The place of the attribute's name in a message.
const ATTRIBUTE: &str = ":attribute";

type Check =
    Box<dyn for<'a> Fn(&'a Context, &'a Json) -> BoxFuture<'a, Result<bool>> + Send + Sync>;

/// An asynchronous function that says whether a value keeps a rule.
pub trait RuleCheck<'a>: Send + Sync {
    /// Its answer on the way.
    type Checked: Future<Output = Result<bool>> + Send + 'a;

    /// Checks a value.
    fn check(&self, ctx: &'a Context, value: &'a Json) -> Self::Checked;
}

impl<'a, F, C> RuleCheck<'a> for F
where
    F: Fn(&'a Context, &'a Json) -> C + Send + Sync,
    C: Future<Output = Result<bool>> + Send + 'a,
{
    type Checked = C;

    fn check(&self, ctx: &'a Context, value: &'a Json) -> C {
        self(ctx, value)
    }
}

/// A rule of a project's own, which rule tables name: `custom("shop.iban")`.
///
/// A rule with a dot in its name is registered by an extension
/// ([`Extension::rule_words`](crate::extension::Extension::rule_words)) and serves all resources and
/// routes; the others belong to one request
/// ([`ResourceRequest::rules`](crate::request::ResourceRequest::rules)).
pub struct CustomRule {
    name: &'static str,
    message: &'static str,
    check: Check,
}

impl CustomRule {
    /// A rule that is kept where the function answers `true`. It gets no null and no empty text, and
    /// only values that break no other rule; [`Context::input`] is the body that the rules let
    /// through. `:attribute` in the message is the name of the attribute: `The :attribute field must
    /// be a valid IBAN.`
    pub fn new<F>(name: &'static str, message: &'static str, check: F) -> Self
    where
        F: for<'a> RuleCheck<'a> + 'static,
    {
        Self {
            name,
            message,
            check: Box::new(move |ctx, value| Box::pin(check.check(ctx, value))),
        }
    }

    /// Its name, as rule tables write it.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The message for an attribute whose name in words is `label`.
    pub(crate) fn message(&self, label: &str) -> String {
        self.message.replace(ATTRIBUTE, label)
    }

    /// Whether a value keeps it.
    ///
    /// # Errors
    ///
    /// The function's error: it is the answer of the request.
    pub(crate) async fn keeps(&self, ctx: &Context, value: &Json) -> Result<bool> {
        (self.check)(ctx, value).await
    }
}

impl fmt::Debug for CustomRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CustomRule");
        shown.field("name", &self.name).finish_non_exhaustive()
    }
}

/// Collects the rules of one request.
#[derive(Debug, Default)]
pub struct CustomRules {
    list: Vec<CustomRule>,
}

impl CustomRules {
    /// Adds a rule; see [`CustomRule::new`].
    pub fn add<F>(&mut self, name: &'static str, message: &'static str, check: F)
    where
        F: for<'a> RuleCheck<'a> + 'static,
    {
        self.list.push(CustomRule::new(name, message, check));
    }

    /// The rule of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&CustomRule> {
        self.list.iter().find(|rule| rule.name == name)
    }

    /// The names, in order.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.list.iter().map(CustomRule::name).collect()
    }
}

/// The rules that extensions register: a part of the state of a service.
pub(crate) struct RuleWords(pub Vec<CustomRule>);

impl ServiceState {
    /// The registered rule of this name.
    pub(crate) fn rule_word(&self, name: &str) -> Option<&CustomRule> {
        let mut words = self.part::<RuleWords>()?.0.iter();
        words.find(|rule| rule.name == name)
    }
}
