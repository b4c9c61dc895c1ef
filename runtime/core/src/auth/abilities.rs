//! Abilities: what a token covers, and what an action requires.

use std::collections::HashSet;

use formwork_data::error::{Error, Result};

use crate::action::Action;

/// The abilities of a token. A dot is written as a colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abilities {
    held: Vec<String>,
}

/// The message for a token without any of the required abilities.
const UNCOVERED: &str = "The API token doesn't have the right abilities to perform this action.";

/// The number of abilities that are compared one by one; others are looked up in a set.
const FEW: usize = 8;

/// Longest ability that is accepted, as for a device's name.
const LONGEST: usize = 255;

impl Abilities {
    /// The abilities of a token without limits, which is written `*`.
    pub fn all() -> Self {
        Self {
            held: vec!["*".to_owned()],
        }
    }

    /// Reads abilities such as `menus:read`, `menus.*`, `*`.
    ///
    /// # Errors
    ///
    /// The place of the first word that is not an ability: letters, digits, `*`, `.`, `:`, `-` and
    /// `_` make one.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> std::result::Result<Self, usize> {
        let (mut held, mut seen) = (Vec::<String>::new(), HashSet::new());
        for (place, word) in words.into_iter().enumerate() {
            if !is_ability(word) {
                return Err(place);
            }
            let word = word.replace('.', ":");
            if held.len() == FEW && seen.is_empty() {
                seen.extend(held.iter().cloned());
            }
            let new = if held.len() < FEW {
                !held.contains(&word)
            } else {
                seen.insert(word.clone())
            };
            if new {
                held.push(word);
            }
        }
        Ok(Self { held })
    }

    /// The abilities as they are stored and shown.
    pub fn list(&self) -> &[String] {
        &self.held
    }

    /// Whether these cover an action of a controller that requires `required` — several, of which
    /// any one suffices; an empty list requires no ability.
    pub fn cover(&self, required: &[&str], action: Action) -> bool {
        required.is_empty()
            || required
                .iter()
                .any(|ability| self.covers_one(ability, action))
    }

    /// Lets the token pass.
    ///
    /// # Errors
    ///
    /// 403 when it does not cover the action.
    pub fn check(&self, required: &[&str], action: Action) -> Result<()> {
        if self.cover(required, action) {
            return Ok(());
        }
        Err(Error::forbidden(UNCOVERED))
    }

    /// Lets the token pass to a route of an extension's own, which changes nothing if it `reads`.
    ///
    /// # Errors
    ///
    /// 403 when it covers none of what the route requires.
    pub(crate) fn check_route(&self, required: &[&str], reads: bool) -> Result<()> {
        let covers = |ability: &&str| self.covers_named(ability, None, reads);
        if required.is_empty() || required.iter().any(covers) {
            return Ok(());
        }
        Err(Error::forbidden(UNCOVERED))
    }

    /// `menus:*` is required: for one action, that action's own ability is required. Another
    /// ability (`menus:publish`) is required as it is written.
    fn covers_one(&self, required: &str, action: Action) -> bool {
        self.covers_named(required, Some(action.name()), action.reads())
    }

    fn covers_named(&self, required: &str, action: Option<&str>, reads: bool) -> bool {
        let required = required.replace('.', ":");
        let (resource, asked) = required.split_once(':').unwrap_or((&required, "*"));
        let group = if reads { "read" } else { "write" };
        self.held.iter().any(|held| {
            let Some((of, what)) = held.split_once(':') else {
                return held == "*" || *held == required;
            };
            of == resource
                && match (what, asked) {
                    ("*", _) => true,
                    (what, "*") => Some(what) == action || what == group,
                    (what, asked) => what == asked,
                }
        })
    }
}

/// Whether this is written as an ability.
fn is_ability(word: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"*.:-_".contains(&byte);
    !word.is_empty() && word.len() <= LONGEST && word.bytes().all(legal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(held: &str, required: &str, action: Action) -> bool {
        Abilities::parse(held.split(' '))
            .expect("abilities")
            .cover(&[required], action)
    }

    #[test]
    fn other_abilities_do_not_allow_the_action() {
        for held in [
            "orders:*",
            "menu:*",
            "menus",
            "menus:read",
            "menus:destroy",
            "*:*",
            "menus:up",
        ] {
            assert!(!covered(held, "menus:*", Action::Update), "{held}");
        }
        assert!(
            !Abilities::parse([])
                .expect("none")
                .cover(&["menus:*"], Action::Index)
        );
    }

    #[test]
    fn one_of_several_required_abilities_suffices_and_an_empty_list_requires_none() {
        let held = Abilities::parse(["orders:index"]).expect("abilities");
        assert!(held.cover(&["menus:*", "orders.*"], Action::Index));
        assert!(!held.cover(&["menus:*", "orders.*"], Action::Show));
        assert!(held.cover(&[], Action::Destroy));
    }

    #[test]
    fn a_required_ability_of_a_route_is_compared_literally() {
        assert!(covered("menus:publish", "menus:publish", Action::Update));
        assert!(covered("menus:*", "menus.publish", Action::Update));
        assert!(!covered("menus:update", "menus:publish", Action::Update));
        assert!(!covered("menus:read", "*", Action::Index));
    }

    #[test]
    fn an_invalid_ability_is_reported_with_its_index() {
        assert_eq!(Abilities::parse(["menus:*", "a b"]), Err(1));
        assert_eq!(Abilities::parse([""]), Err(0));
        assert_eq!(Abilities::parse(["x".repeat(256).as_str()]), Err(0));
        assert_eq!(
            Abilities::parse(["a-b_C9.*"]).expect("ability").list(),
            ["a-b_C9:*"]
        );
        let held = Abilities::parse(["b", "a.b", "b", "a:b"]).expect("abilities");
        assert_eq!(held.list(), ["b", "a:b"], "each once, in order");
        let many: Vec<String> = (0..3 * FEW).map(|at| format!("a{at}")).collect();
        let twice = many.iter().chain(&many).map(String::as_str);
        let held = Abilities::parse(twice).expect("abilities");
        assert_eq!(held.list(), many, "however many there are");
    }
}
