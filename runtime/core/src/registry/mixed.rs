//! Types of objects in documents: each is of the rows of one table.

use std::collections::{BTreeSet, HashMap};

use formwork_data::relations::RelationInfo;

use super::entry::Entry;
use crate::params::LEVELS;

/// Objects of a document are known by type and id: rows of two tables under one type in one
/// document could not be distinguished.
pub(super) fn mixed_types(entries: &[Entry]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let all = entries.iter().enumerate();
    let resources = all.filter(|(_, entry)| entry.resource.is_some());
    for (first, entry) in resources {
        for mistake in mixed_from(entries, first, entry) {
            if !mistakes.contains(&mistake) {
                mistakes.push(mistake);
            }
        }
    }
    mistakes
}

/// As [`mixed_types`], in the documents whose primary data are of one resource.
fn mixed_from(entries: &[Entry], first: usize, entry: &Entry) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut tables = HashMap::from([(entry.key, entry.source.schema().table)]);
    let (mut level, mut seen) = (vec![first], BTreeSet::from([first]));
    for depth in 0..LEVELS {
        let edges: Vec<Edge<'_>> = edges(entries, &level).collect();
        // A relation that cannot be included can still be written by its linkage; it is not
        // followed.
        let followed = |edge: &&Edge<'_>| depth == 0 || edge.relation.include.is_some();
        let mut next = Vec::new();
        for edge in edges.iter().filter(followed) {
            let table = edge.target.source.schema().table;
            let known = *tables.entry(edge.kind()).or_insert(table);
            if known != table {
                mistakes.push(edge.mixes(table, known));
            }
            if edge.relation.include.is_some() && seen.insert(edge.index) {
                next.push(edge.index);
            }
        }
        level = next;
    }
    mistakes
}

/// The relations of some entries, with each of their targets.
fn edges<'r>(entries: &'r [Entry], level: &'r [usize]) -> impl Iterator<Item = Edge<'r>> {
    let level = level.iter().filter_map(|at| entries.get(*at));
    let relations = level.flat_map(|from| {
        let relations = from.source.relations().iter();
        relations.map(move |relation| (from, relation))
    });
    relations.flat_map(move |(from, relation)| {
        relation.targets.iter().filter_map(move |index| {
            Some(Edge {
                from,
                relation: relation.info,
                target: entries.get(*index)?,
                index: *index,
            })
        })
    })
}

/// A relation of an entry to one of its targets.
struct Edge<'r> {
    from: &'r Entry,
    relation: &'static RelationInfo,
    target: &'r Entry,
    index: usize,
}

impl Edge<'_> {
    /// The type of the target's objects in documents.
    fn kind(&self) -> &'static str {
        self.relation.type_of(self.target.key)
    }

    /// In words: rows of two tables have its type.
    fn mixes(&self, table: &str, known: &str) -> String {
        format!(
            "the relation `{}` of `{}` gives rows of `{table}` the type `{}` in documents, \
             which rows of `{known}` have already",
            self.relation.name,
            self.from.key,
            self.kind()
        )
    }
}
