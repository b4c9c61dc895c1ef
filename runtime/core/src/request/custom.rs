//! Rules of the project's own, which may look at the database and at the caller.

use formwork_data::error::{Error, Result, ValidationErrors};
use formwork_vocabulary::inflect::words;

use crate::{
    context::Context,
    custom_rule::{CustomRule, CustomRules},
    input::{Reading, targets},
};

/// Checks the values that broke no other rule against rules of the project's own: those of the
/// request, and those that extensions register.
///
/// # Errors
///
/// The error of a check; 500 where no rule has a name; broken rules go to `errors`.
pub(crate) async fn check_custom(
    ctx: &Context,
    own: impl FnOnce(&mut CustomRules),
    reading: &Reading<'_>,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let named = named(reading);
    let mut rules = CustomRules::default();
    if !named.is_empty() {
        own(&mut rules);
    }
    for (attribute, name) in named {
        let known = rules.find(name).or_else(|| ctx.app().rule_word(name));
        let rule = known.ok_or_else(|| Error::internal(format!("no rule is named `{name}`")))?;
        check_attribute(ctx, attribute, rule, errors).await?;
    }
    Ok(())
}

/// The attributes that have such rules, and the names of the rules.
fn named(reading: &Reading<'_>) -> Vec<(&'static str, &'static str)> {
    let mut named = Vec::new();
    for attribute in reading.writable() {
        let rules = attribute.rules(reading.storing);
        named.extend(rules.filter_map(|rule| Some((attribute.name(), rule.custom()?))));
    }
    named
}

async fn check_attribute(
    ctx: &Context,
    attribute: &str,
    rule: &CustomRule,
    errors: &mut ValidationErrors,
) -> Result<()> {
    for (path, value) in targets(ctx.input(), attribute) {
        let value = value.filter(|value| !value.is_null() && value.as_str() != Some(""));
        let Some(value) = value.filter(|_| !errors.has(&path) && !errors.is_full()) else {
            continue;
        };
        if !rule.keeps(ctx, value).await? {
            errors.add(&path, rule.message(&words(&path)));
        }
    }
    Ok(())
}
