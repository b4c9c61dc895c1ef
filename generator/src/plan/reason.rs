//! Why a render is another than last time: keys of its manifest, its template, or other manifests.

mod compare;

use std::collections::BTreeMap;

use anyhow::Result;

use self::compare::{KeyChange, compare, of_unit};
use crate::digest::Digest;
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

/// Changes of the manifests since the last run.
pub struct Reasons<'a> {
    rendered: &'a Rendered,
    state: &'a State,
    /// Units that were renamed since the last run: old and new.
    former: &'a BTreeMap<String, String>,
    /// Units whose manifest is another; without changes where they are not known.
    changed: BTreeMap<&'a str, Option<Vec<KeyChange>>>,
}

impl<'a> Reasons<'a> {
    /// Compares the manifests with those of the last render. `former` are units that were renamed
    /// since: old and new.
    ///
    /// # Errors
    /// An error while reading the state.
    pub fn new(
        rendered: &'a Rendered,
        state: &'a State,
        former: &'a BTreeMap<String, String>,
    ) -> Result<Self> {
        let mut changed = BTreeMap::new();
        for (unit, text) in &rendered.manifests {
            let now = Digest::of(text).to_string();
            let known = recorded(former, unit);
            let Some(before) = state.manifest(known).filter(|before| *before != now) else {
                continue;
            };
            let old = state.file(&copy(known))?;
            let old = old.filter(|old| Digest::of(old).to_string() == before);
            let renamed = (known != unit).then(|| of_unit(known, unit));
            changed.insert(
                unit.as_str(),
                old.and_then(|old| compare(&old, text, renamed)),
            );
        }
        Ok(Self {
            rendered,
            state,
            former,
            changed,
        })
    }

    /// Relations that have another name since the last run: former and new name.
    pub fn renamed_relations(&self) -> impl Iterator<Item = (String, String)> {
        let renamed = self.rendered.relations.iter().filter(|(unit, _, name)| {
            let changes = self.changed.get(unit.as_str()).and_then(Option::as_deref);
            let key = format!("model.relations.{name}");
            let is_it = |one: &KeyChange| one.is_rename && one.key == key;
            changes.is_some_and(|changes| changes.iter().any(is_it))
        });
        renamed.map(|(_, was, name)| (was.clone(), name.clone()))
    }

    /// Why the render of this file is another than the last one. If the base is in doubt, so are
    /// the recorded manifest and template.
    pub fn of(&self, file: &RenderedFile, base_is_known: bool) -> Reason {
        let unit = file.unit.as_str();
        let template = file.template.as_ref().and_then(|(name, digest)| {
            let before = self.state.template(recorded(self.former, unit), name)?;
            Some((before != *digest).then_some(name.as_str()))
        });
        let template = template.filter(|_| base_is_known);
        if !self.rendered.manifests.contains_key(unit) {
            return of_aggregate(template);
        }
        let is_known = base_is_known && self.state.manifest(recorded(self.former, unit)).is_some();
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
        manifest: Option<Option<&[KeyChange]>>,
    ) -> Reason {
        let keys = manifest.flatten().unwrap_or_default();
        let named = match manifest {
            Some(Some(keys)) => listed(keys.iter().map(|one| one.text.clone())),
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

/// The name under which the last run recorded a unit.
fn recorded<'u>(former: &'u BTreeMap<String, String>, unit: &'u str) -> &'u str {
    let renamed = former.iter().find(|(_, now)| *now == unit);
    renamed.map_or(unit, |(was, _)| was)
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
