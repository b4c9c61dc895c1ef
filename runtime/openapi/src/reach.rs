//! The actions that are routed, and the targets of includes.

use formwork_core::{
    action::{Action, Allow},
    params::LEVELS,
    registry::{Entry, Registry},
    source::Resolved,
    state::ServiceState,
};

/// The routed actions of all entries with their contexts, by registry index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Effective(Vec<Vec<(Action, Allow)>>);

impl Effective {
    /// The actions that are routed now.
    pub fn of(app: &ServiceState) -> Self {
        let entries = app.registry().entries();
        let allow = |entry: &Entry, action| entry.resource.as_ref()?.allow(action);
        let actions = entries.map(|(_, entry)| {
            let routed = Action::ALL.into_iter();
            let routed = routed.filter_map(|action| Some((action, allow(entry, action)?)));
            routed.collect()
        });
        Self(actions.collect())
    }

    /// The context; `None` where the action is not routed.
    pub fn allow(&self, index: usize, action: Action) -> Option<Allow> {
        let mut actions = self.0.get(index)?.iter();
        actions.find_map(|(known, allow)| (*known == action).then_some(*allow))
    }

    /// Whether any action is.
    pub fn is_routed(&self, index: usize) -> bool {
        self.0.get(index).is_some_and(|actions| !actions.is_empty())
    }

    /// Whether clients may see its records where another resource includes them, as
    /// [`Entry::check_included`] checks it: others are not described.
    pub fn can_be_included(&self, index: usize, entry: &Entry) -> bool {
        let seen = |action| self.allow(index, action).is_some();
        entry.resource.is_none() || seen(Action::Index) || seen(Action::Show)
    }
}

/// A kind of object: its type in documents, and its registry index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub name: &'static str,
    pub source: usize,
}

/// The registry, and its routed actions.
#[derive(Clone, Copy)]
pub(super) struct Reach<'a> {
    pub registry: &'a Registry,
    pub effective: &'a Effective,
}

impl<'a> Reach<'a> {
    /// The relations that clients may include.
    pub fn relations(self, entry: &'a Entry) -> impl Iterator<Item = &'a Resolved> {
        let visible = move |index: &usize| {
            let target = self.registry.get(*index);
            target.is_some_and(|target| self.effective.can_be_included(*index, target))
        };
        let relations = entry.source.relations().iter();
        relations
            .filter(move |known| known.info.include.is_some() && known.targets.iter().any(visible))
    }

    /// The kinds of object a relation leads to.
    pub fn kinds(self, relation: &Resolved) -> Vec<Kind> {
        let kind = |index: &usize| {
            let target = self.registry.get(*index)?;
            let name = relation.info.type_of(target.key);
            Some(Kind {
                name,
                source: *index,
            })
        };
        relation.targets.iter().filter_map(kind).collect()
    }

    /// Every kind of object that can be included with records of a source, in at most three levels.
    pub fn reached(self, source: usize) -> Vec<Kind> {
        let (mut found, mut level) = (Vec::new(), vec![source]);
        for _ in 0..LEVELS {
            let mut next = Vec::new();
            for entry in level.iter().filter_map(|index| self.registry.get(*index)) {
                for kind in self.relations(entry).flat_map(|known| self.kinds(known)) {
                    if !found.contains(&kind) {
                        found.push(kind);
                        next.push(kind.source);
                    }
                }
            }
            level = next;
        }
        found
    }

    /// The paths that `include` may name, the short ones first.
    pub fn paths(self, source: usize) -> Vec<String> {
        let (mut all, mut level) = (Vec::new(), vec![(String::new(), source)]);
        for _ in 0..LEVELS {
            let mut next: Vec<(String, usize)> = Vec::new();
            for (before, source) in &level {
                let Some(entry) = self.registry.get(*source) else {
                    continue;
                };
                for relation in self.relations(entry) {
                    let path = format!("{before}{}", relation.info.name);
                    let deeper = format!("{path}.");
                    next.extend(relation.targets.iter().map(|to| (deeper.clone(), *to)));
                    if !all.contains(&path) {
                        all.push(path);
                    }
                }
            }
            level = next;
        }
        all
    }
}
