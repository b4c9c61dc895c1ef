//! The attributes of a request as the tree their names write: `order_menus.*.name`.

use formwork_core::request::{Attribute, Rule};

/// The members of a body in one place.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub rules: Vec<Rule>,
    /// Written by some callers only.
    pub admin: bool,
    /// Its members by name, and `*` for the items of a list.
    pub members: Vec<(&'static str, Node)>,
}

impl Node {
    /// The tree of these attributes, under the rules of store or of update.
    pub fn of<'a>(attributes: impl Iterator<Item = &'a Attribute>, storing: bool) -> Self {
        let mut root = Self::default();
        for attribute in attributes {
            let node = attribute
                .name()
                .split('.')
                .fold(&mut root, |node, part| node.member(part));
            node.rules.extend(attribute.rules(storing).copied());
            node.admin |= attribute.is_admin_only();
        }
        root
    }

    fn member(&mut self, name: &'static str) -> &mut Self {
        let known = self.members.iter().position(|(known, _)| *known == name);
        let at = known.unwrap_or_else(|| {
            self.members.push((name, Self::default()));
            self.members.len() - 1
        });
        &mut self.members[at].1
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.rules.contains(&rule)
    }

    /// Whether it must be sent if its parent is.
    pub fn is_demanded(&self) -> bool {
        let demanded = self.has(Rule::Required) || self.has(Rule::Present);
        demanded && !self.has(Rule::Sometimes)
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&Self> {
        let mut members = self.members.iter();
        members.find_map(|(name, node)| (*name == "*").then_some(node))
    }

    /// The members of an object.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &Self)> {
        let members = self.members.iter().filter(|(name, _)| *name != "*");
        members.map(|(name, node)| (*name, node))
    }
}
