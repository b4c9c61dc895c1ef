//! The targets of includes.

use formwork_core::{
    params::LEVELS,
    registry::{Entry, Registry},
    source::Resolved,
};

use super::effective::Effective;

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
