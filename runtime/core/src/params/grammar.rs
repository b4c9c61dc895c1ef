//! The names that the query string of a resource may use.

use super::{part::Part, rules::QueryRules};

/// The names that the query string of a resource may use.
pub struct Grammar {
    /// The key's column.
    pub key: &'static str,
    /// Columns that can be sorted by.
    pub sort: &'static [&'static str],
    /// Columns that can be filtered by.
    pub filter: &'static [&'static str],
    /// Filters with a name of their own.
    pub named: Vec<&'static str>,
    /// Whether there is anything to search.
    pub search: bool,
    /// The name of a column `type` in JSON:API.
    pub type_attribute: Option<String>,
}

impl Grammar {
    /// The column of a name, if it is among `allowed`; the key always is, as `id` too. A column
    /// `type` has the name it goes by in JSON:API as well.
    pub(super) fn column(&self, name: &str, allowed: &[&'static str]) -> Option<&'static str> {
        let key = (name == "id" || name == self.key).then_some(self.key);
        let find = |name: &str| allowed.iter().copied().find(|column| *column == name);
        let renamed = || find("type").filter(|_| self.type_attribute.as_deref() == Some(name));
        find(name).or(key).or_else(renamed)
    }

    /// The named filter a parameter means, and the part of it: `enabled`, `position[latitude]`.
    pub(super) fn filter_named<'n>(&self, parameter: &'n str) -> Option<(&'static str, Part<'n>)> {
        self.named.iter().find_map(|name| {
            let part = Part::of(parameter.strip_prefix(name)?)?;
            Some((*name, part))
        })
    }

    /// The parameters an action knows, for hints.
    pub(super) fn parameters(&self, rules: &QueryRules) -> impl Iterator<Item = &str> {
        let list: &[&str] = match rules.page_sizes {
            Some(_) => &["page", "pageLimit", "sort", "search", "filter"],
            None => &[],
        };
        let named = if rules.page_sizes.is_some() {
            self.named.as_slice()
        } else {
            &[]
        };
        list.iter()
            .chain(["include", "exclude", "fields"].iter())
            .chain(named)
            .copied()
    }
}
