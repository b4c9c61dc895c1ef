//! Rules of the project's own: those that extensions register, and the names in rule tables.

use formwork_vocabulary::did_you_mean::nearest;

use super::entry::Entry;
use crate::{input::Attribute, route::Route};

/// Mistakes in names of rules, in sentences: of rules that are registered, and in rule tables.
pub(super) fn misnamed(words: &[&'static str], entries: &[Entry], routes: &[Route]) -> Vec<String> {
    let mut mistakes = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !word.contains('.') {
            mistakes.push(format!(
                "the rule `{word}` is registered for all resources: name it after its extension, \
                     `shop.{word}`"
            ));
        }
        if words[..at].contains(word) {
            mistakes.push(format!("two extensions register the rule `{word}`"));
        }
    }
    for entry in entries {
        let Some(resource) = &entry.resource else {
            continue;
        };
        let known = [resource.controller.rule_names(), words.to_vec()].concat();
        let place = format!("`{}`", entry.key);
        mistakes.extend(unknown(&place, resource.controller.attributes(), &known));
    }
    for route in routes {
        let place = format!("the route {route:?}");
        mistakes.extend(unknown(&place, route.attributes(), words));
    }
    mistakes
}

/// The names in a rule table that are not among the known ones.
fn unknown(place: &str, attributes: &[Attribute], known: &[&'static str]) -> Vec<String> {
    let mut mistakes = Vec::new();
    for attribute in attributes {
        let rules = attribute.rules(true).chain(attribute.rules(false));
        for name in rules.filter_map(|rule| rule.custom()) {
            if known.contains(&name) {
                continue;
            }
            let hint = nearest(name, known.iter().copied());
            let hint = hint.map_or_else(
                || {
                    "register it in `Extension::rule_words`, or add it in the request's `rules`"
                        .to_owned()
                },
                |near| format!("did you mean `{near}`?"),
            );
            let attribute = attribute.name();
            let mistake = format!(
                "{place}: the attribute `{attribute}` has the rule `custom:{name}`, and no rule is \
                 named `{name}`; {hint}"
            );
            if !mistakes.contains(&mistake) {
                mistakes.push(mistake);
            }
        }
    }
    mistakes
}
