//! An attribute of a body, and its rules.

use super::Rule;

/// An attribute of a body, and its rules.
///
/// The name is that of a column, of a relation whose ids may be written, of anything a hook reads;
/// `field.*` names the items of a list, `field.member` a member of an object.
#[derive(Debug, Clone, Copy)]
pub struct Attribute {
    name: &'static str,
    rules: &'static [Rule],
    store: &'static [Rule],
    update: &'static [Rule],
    admin: bool,
}

/// An attribute with the rules that hold for store and update alike.
pub const fn attribute(name: &'static str, rules: &'static [Rule]) -> Attribute {
    Attribute {
        name,
        rules,
        store: &[],
        update: &[],
        admin: false,
    }
}

impl Attribute {
    /// Rules that hold on store only, beside the others.
    #[must_use]
    pub const fn on_store(self, rules: &'static [Rule]) -> Self {
        Self {
            store: rules,
            ..self
        }
    }

    /// Rules that hold on update only, beside the others.
    #[must_use]
    pub const fn on_update(self, rules: &'static [Rule]) -> Self {
        Self {
            update: rules,
            ..self
        }
    }

    /// Written by administrators only: the values of other callers are ignored, and their rules not
    /// run.
    #[must_use]
    pub const fn admin(self) -> Self {
        Self {
            admin: true,
            ..self
        }
    }

    /// The name of the attribute in bodies.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether only administrators write it.
    pub const fn is_admin_only(&self) -> bool {
        self.admin
    }

    /// Its rules when a record is stored, or updated.
    pub fn rules(&self, storing: bool) -> impl Iterator<Item = &'static Rule> + Clone + use<> {
        let own = if storing { self.store } else { self.update };
        self.rules.iter().chain(own)
    }

    /// Its rules that hold whenever it is written.
    pub(crate) fn always(&self) -> impl Iterator<Item = &'static Rule> + use<> {
        self.rules.iter()
    }

    /// The first part of its name: the member of the body that holds it.
    pub(crate) fn member(&self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }
}
