//! The values that the rules of bodies allow an attribute: filters refuse others.

use rust_decimal::Decimal;

use super::{Attribute, Rule, check::fits};

/// The values that an attribute can have, by the rules that hold for every body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Domain {
    /// The words of an enumeration.
    pub words: Option<&'static [&'static str]>,
    /// How many digits a decimal has, and how many of them after the point.
    pub digits: Option<(u32, u32)>,
}

impl Domain {
    /// That of the attribute of this name; where there is none, anything.
    pub fn of(attributes: &[Attribute], name: &str) -> Self {
        let named = attributes.iter().filter(|it| it.name() == name);
        let mut domain = Self::default();
        for rule in named.flat_map(Attribute::always) {
            match rule {
                Rule::In(words) => domain.words = Some(words),
                Rule::Decimal(digits, scale) => domain.digits = Some((*digits, *scale)),
                _ => {}
            }
        }
        domain
    }

    /// Whether a decimal has no more digits than the attribute can hold.
    pub fn fits(&self, number: Decimal) -> bool {
        self.digits
            .is_none_or(|(digits, scale)| fits(number, digits, scale))
    }

    /// Whether a text is one of the words, where there are words.
    pub fn knows(&self, text: &str) -> bool {
        self.words.is_none_or(|words| words.contains(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{attribute, rules};

    #[test]
    fn rules_of_every_body_limit_the_stored_values() {
        const ATTRIBUTES: &[Attribute] = &[
            attribute("kind", &[rules::string(), rules::one_of(&["a", "b"])]),
            attribute("price", &[rules::decimal(6, 2)]),
            attribute("later", &[rules::string()]).on_store(&[rules::one_of(&["a"])]),
        ];
        let of = |name| Domain::of(ATTRIBUTES, name);
        assert!(of("kind").knows("b") && !of("kind").knows("c"));
        assert!(of("price").fits(Decimal::from(9999)) && !of("price").fits(Decimal::from(10_000)));
        // Rules for store or update alone do not hold for all stored values.
        assert_eq!(of("later"), Domain::default());
        assert!(of("nothing").knows("x") && of("nothing").fits(Decimal::MAX));
    }
}
