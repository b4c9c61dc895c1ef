//! Objects of a JSON:API document are known by type and id: rows of two tables under one type could
//! not be distinguished, at any level of includes.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Code;
use crate::manifest::{ManifestKind, Span};
use crate::project::{Include, Relation, RelationKind};

use super::draft::Draft;
use super::registry::Registry;
use super::report::Diagnostics;

/// How deep includes may reach (docs/contract.md, "Query parameters").
const LEVELS: usize = 3;

/// The relation that first gave a type its table.
struct First {
    table: String,
    path: String,
    span: Span,
}

/// Types that mean rows of two tables somewhere in the documents of a resource.
pub fn check(drafts: &[Draft<'_>], registry: &Registry, diagnostics: &Diagnostics) {
    let by_key: BTreeMap<&str, &Draft<'_>> = drafts
        .iter()
        .map(|draft| (draft.key.as_str(), draft))
        .collect();
    let walk = Walk { by_key, registry };
    let mut reported = BTreeSet::new();
    for draft in drafts {
        if draft.kind == ManifestKind::Resource && draft.resource.is_some() {
            walk.from(draft, &mut reported, diagnostics);
        }
    }
}

struct Walk<'d> {
    by_key: BTreeMap<&'d str, &'d Draft<'d>>,
    registry: &'d Registry,
}

impl Walk<'_> {
    /// The documents whose primary data are of one resource.
    fn from(
        &self,
        first: &Draft<'_>,
        reported: &mut BTreeSet<(String, Span)>,
        diagnostics: &Diagnostics,
    ) {
        let mut types: BTreeMap<String, First> = BTreeMap::new();
        if let Some(own) = self.registry.get(&first.key) {
            let (path, span) = (first.path.to_owned(), Span::default());
            let table = own.table.clone();
            types.insert(first.key.clone(), First { table, path, span });
        }
        let mut seen = BTreeSet::from([first.key.clone()]);
        let mut level = vec![first.key.clone()];
        for depth in 0..LEVELS {
            let mut next = Vec::new();
            for (draft, relation, target) in self.edges(&level) {
                let followed = relation.include != Include::Never;
                // A relation that cannot be included can be written by its linkage, and ends there.
                if depth > 0 && !followed {
                    continue;
                }
                self.check(draft, relation, &target, &mut types, reported, diagnostics);
                if followed && seen.insert(target.clone()) {
                    next.push(target);
                }
            }
            level = next;
        }
    }

    /// The relations of some keys, with each of their targets.
    fn edges<'w>(&'w self, level: &[String]) -> Vec<(&'w Draft<'w>, &'w Relation, String)> {
        let mut edges = Vec::new();
        for key in level {
            let Some(draft) = self.by_key.get(key.as_str()) else {
                continue;
            };
            let resource = draft.resource.iter();
            for relation in resource.flat_map(|resource| &resource.model.relations) {
                let targets = targets(relation);
                edges.extend(targets.map(|target| (*draft, relation, target)));
            }
        }
        edges
    }

    /// Reports a relation that gives rows of another table a type that is used already.
    fn check(
        &self,
        draft: &Draft<'_>,
        relation: &Relation,
        target: &str,
        types: &mut BTreeMap<String, First>,
        reported: &mut BTreeSet<(String, Span)>,
        diagnostics: &Diagnostics,
    ) {
        let mut written = draft.relations.iter().map(|written| &written.name);
        let name = written.find(|name| name.text == relation.name);
        let (Some(target_entry), Some(name)) = (self.registry.get(target), name) else {
            return;
        };
        let kind = relation.json_type.as_deref().unwrap_or(target);
        let (table, path, span) = (&target_entry.table, draft.path.to_owned(), name.span);
        let Some(first) = types.get(kind) else {
            let table = table.clone();
            types.insert(kind.to_owned(), First { table, path, span });
            return;
        };
        if first.table == *table || !reported.insert((path, span)) {
            return;
        }
        let message = format!(
            "rows of `{table}` and of `{}` would both have the type `{kind}` in a document of JSON:API",
            first.table
        );
        let report = diagnostics.report(draft.path);
        let mut error = report.error(Code::RelationMisfit, span, message);
        error.related(&first.path, first.span, "the others are shown here");
        error.help("give one of them another `type`");
    }
}

/// The keys a relation leads to.
fn targets(relation: &Relation) -> impl Iterator<Item = String> + use<> {
    let targets = match &relation.kind {
        RelationKind::MorphTo { targets, .. } => {
            targets.iter().map(|(_, key)| key.clone()).collect()
        }
        _ => vec![relation.target.clone()],
    };
    targets.into_iter()
}
