//! Why a render is another than last time: keys of its manifest, its template, or other manifests.

use std::collections::BTreeMap;

use anyhow::Result;

use crate::digest::Digest;
use crate::manifest::yaml::{self, Node, Value};
use crate::rendered::{Rendered, RenderedFile};
use crate::state::State;

/// The number of keys or manifests that are named; the others are counted.
const NAMED: usize = 5;

/// The known reasons why a render changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reason {
    /// For people.
    pub text: String,
    /// The keys of its manifest that changed.
    pub keys: Vec<String>,
}

/// A key that the manifest did not have before.
const IS_NEW: &str = "is new";

/// One key of a manifest, and what happened to it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    key: String,
    what: &'static str,
}

/// What changed in the manifests since the last run.
pub struct Reasons<'a> {
    rendered: &'a Rendered,
    state: &'a State,
    /// Units whose manifest is another; without changes where they are not known.
    changed: BTreeMap<&'a str, Option<Vec<Change>>>,
}

impl<'a> Reasons<'a> {
    /// Compares the manifests with those of the last render.
    ///
    /// # Errors
    /// What reading the state failed with.
    pub fn new(rendered: &'a Rendered, state: &'a State) -> Result<Self> {
        let mut changed = BTreeMap::new();
        for (unit, text) in &rendered.manifests {
            let now = Digest::of(text).to_string();
            let Some(before) = state.manifest(unit).filter(|before| *before != now) else {
                continue;
            };
            let old = state.file(&copy(unit))?;
            let old = old.filter(|old| Digest::of(old).to_string() == before);
            changed.insert(unit.as_str(), old.and_then(|old| compare(&old, text)));
        }
        Ok(Self {
            rendered,
            state,
            changed,
        })
    }

    /// Relations that have another name since the last run: former and new name.
    pub fn renamed_relations(&self) -> impl Iterator<Item = (String, String)> {
        let renamed = self.rendered.relations.iter().filter(|(unit, _, name)| {
            let changes = self.changed.get(unit.as_str()).and_then(Option::as_deref);
            let key = format!("model.relations.{name}");
            let is_new = |one: &Change| one.key == key && one.what == IS_NEW;
            changes.is_some_and(|changes| changes.iter().any(is_new))
        });
        renamed.map(|(_, was, name)| (was.clone(), name.clone()))
    }

    /// Why the render of this file is another than the last one. If the base is in doubt, so are
    /// the recorded manifest and template.
    pub fn of(&self, file: &RenderedFile, base_is_known: bool) -> Reason {
        let unit = file.unit.as_str();
        let template = file.template.as_ref().and_then(|(name, digest)| {
            let before = self.state.template(unit, name)?;
            Some((before != *digest).then_some(name.as_str()))
        });
        let template = template.filter(|_| base_is_known);
        if !self.rendered.manifests.contains_key(unit) {
            return of_aggregate(template);
        }
        let is_known = base_is_known && self.state.manifest(unit).is_some();
        let manifest = is_known.then(|| match self.changed.get(unit) {
            None => Some(&[][..]),
            Some(changes) => changes.as_deref(),
        });
        self.of_resource(unit, template, manifest)
    }

    /// `template` and `manifest` are `None` where they are not known.
    fn of_resource(
        &self,
        unit: &str,
        template: Option<Option<&str>>,
        manifest: Option<Option<&[Change]>>,
    ) -> Reason {
        let keys = manifest.flatten().unwrap_or_default();
        let named = match manifest {
            Some(Some(keys)) => listed(keys.iter().map(|one| format!("{} {}", one.key, one.what))),
            _ => "its manifest changed".to_owned(),
        };
        let text = match (template, manifest) {
            (_, None) => "its template or its manifest changed".to_owned(),
            (Some(Some(name)), Some(Some([]))) => template_changed(name),
            (Some(Some(name)), _) => format!("{}; {named}", template_changed(name)),
            (_, Some(Some([]))) => self.of_others(unit, template.is_some()),
            (Some(None), _) => named,
            (None, _) => format!("{named}; its template may have changed too"),
        };
        Reason {
            text,
            keys: keys.iter().map(|one| one.key.clone()).collect(),
        }
    }

    /// Neither the manifest nor, where that is known, the template changed.
    fn of_others(&self, unit: &str, template_is_known: bool) -> String {
        let others = self.changed.keys().filter(|other| **other != unit);
        let others: Vec<String> = others.map(|other| (*other).to_owned()).collect();
        match (template_is_known, others.as_slice()) {
            (true, []) => "the configuration, another manifest or Formwork itself changed".into(),
            (true, _) => format!("other manifests changed: {}", listed(others)),
            (false, _) => "its template, or a manifest that its own refers to, changed".into(),
        }
    }
}

/// Where the state keeps the manifest of a unit as it was rendered.
pub(super) fn copy(unit: &str) -> String {
    format!("manifests/{unit}.yaml")
}

fn of_aggregate(template: Option<Option<&str>>) -> Reason {
    let text = match template {
        Some(Some(name)) => template_changed(name),
        Some(None) => "what it lists changed".to_owned(),
        None => "what it lists, or its template, changed".to_owned(),
    };
    Reason {
        text,
        ..Reason::default()
    }
}

fn template_changed(name: &str) -> String {
    let name = name.strip_suffix(".tera").unwrap_or(name);
    format!("the template {name} changed")
}

fn listed(all: impl IntoIterator<Item = String>) -> String {
    let mut all: Vec<String> = all.into_iter().collect();
    if all.len() > NAMED {
        let more = all.len() - NAMED;
        all.truncate(NAMED);
        all.push(format!("{more} more"));
    }
    all.join(", ")
}

/// What differs between two manifests; comments and layout do not count. `None` where one cannot be read.
fn compare(old: &str, new: &str) -> Option<Vec<Change>> {
    let (old, new) = (
        yaml::parse(old.as_bytes()).ok()?,
        yaml::parse(new.as_bytes()).ok()?,
    );
    let mut changes = Vec::new();
    differences("", &old, &new, &mut changes);
    Some(changes)
}

fn differences(key: &str, old: &Node, new: &Node, changes: &mut Vec<Change>) {
    let (Value::Mapping(before, _), Value::Mapping(now, _)) = (&old.value, &new.value) else {
        if !same(old, new) {
            changes.push(change(key, "changed"));
        }
        return;
    };
    let known = changes.len();
    for (name, value) in now {
        let name = name.as_text().unwrap_or_default();
        match entry(before, name) {
            Some(old) => differences(&below(key, name), old, value, changes),
            None => changes.push(change(&below(key, name), IS_NEW)),
        }
    }
    let names = before.iter().filter_map(|(name, _)| name.as_text());
    let gone = names.filter(|name| entry(now, name).is_none());
    changes.extend(gone.map(|name| change(&below(key, name), "is gone")));
    let is_same_order = before.iter().zip(now).all(|((a, _), (b, _))| same(a, b));
    if changes.len() == known && !is_same_order {
        changes.push(change(key, "is in another order"));
    }
}

fn change(key: &str, what: &'static str) -> Change {
    let key = if key.is_empty() { "the manifest" } else { key };
    Change {
        key: key.to_owned(),
        what,
    }
}

fn below(key: &str, name: &str) -> String {
    match key {
        "" => name.to_owned(),
        key => format!("{key}.{name}"),
    }
}

fn entry<'n>(entries: &'n [(Node, Node)], name: &str) -> Option<&'n Node> {
    let mut entries = entries.iter();
    let found = entries.find(|(key, _)| key.as_text() == Some(name));
    found.map(|(_, value)| value)
}

/// Whether two nodes are equal, wherever they are.
fn same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar(a), Value::Scalar(b)) => (&a.text, a.plain) == (&b.text, b.plain),
        (Value::Sequence(a, _), Value::Sequence(b, _)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Mapping(a, _), Value::Mapping(b, _)) => {
            let equal = |((a, x), (b, y)): (&(Node, Node), &(Node, Node))| same(a, b) && same(x, y);
            a.len() == b.len() && a.iter().zip(b).all(equal)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(old: &str, new: &str) -> String {
        let changes = compare(old, new).unwrap();
        listed(
            changes
                .iter()
                .map(|one| format!("{} {}", one.key, one.what)),
        )
    }

    #[test]
    fn keys_are_named_as_deep_as_both_sides_go() {
        let old = "actions: [index]\nmodel:\n  attributes:\n    a: string\n    b: { type: text }\n";
        let new = "actions: [show]\nmodel:\n  attributes:\n    b: { type: string }\n    c: text\n";
        assert_eq!(
            said(old, new),
            "actions changed, model.attributes.b.type changed, model.attributes.c is new, \
             model.attributes.a is gone"
        );
    }

    #[test]
    fn order_counts_and_comments_do_not() {
        let old = "model:\n  attributes:\n    a: string\n    b: text\n";
        let new = "model:\n  attributes:\n    b: text\n    a: string\n";
        assert_eq!(said(old, new), "model.attributes is in another order");
        assert_eq!(said(old, &format!("# a note\n{old}")), "");
    }
}
