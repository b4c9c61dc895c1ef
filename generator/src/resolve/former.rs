//! Former names (`was:`): each is the name of one thing that does not exist any more.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::manifest::vocabulary::RelationWord;

use super::draft::Draft;
use super::report::Diagnostics;

/// A thing with its name, and the one it had before.
struct Renamed<'d> {
    name: &'d str,
    was: Option<&'d str>,
    path: &'d str,
    span: Span,
}

/// Checks the former names of resources, tables and columns.
pub fn check<'d>(drafts: &'d [Draft<'d>], diagnostics: &Diagnostics) {
    let resource = |draft: &'d Draft<'d>| Some((draft, draft.resource.as_ref()?));
    let resources: Vec<_> = drafts.iter().filter_map(resource).collect();
    let folders: BTreeSet<&str> = drafts.iter().map(|draft| draft.folder).collect();
    for folder in folders {
        let own = resources.iter().filter(|(draft, _)| draft.folder == folder);
        let keys = own.map(|(draft, resource)| Renamed {
            name: &resource.key,
            was: resource.was.as_deref(),
            path: draft.path,
            span: draft.span,
        });
        all(keys.collect(), "resource", diagnostics);
    }
    let tables = resources.iter().map(|(draft, resource)| Renamed {
        name: &resource.model.table,
        // If it follows the key, it is reported with the resource already.
        was: resource
            .model
            .table_was
            .as_deref()
            .filter(|was| resource.was.as_deref() != Some(*was)),
        path: draft.path,
        span: draft.table_span,
    });
    all(tables.collect(), "table", diagnostics);
    for (draft, resource) in &resources {
        let model = &resource.model;
        let key = Renamed {
            name: &model.key.name,
            was: model.key.was.as_deref(),
            path: draft.path,
            span: draft.span,
        };
        let attributes = model.attributes.iter().map(|attribute| Renamed {
            name: &attribute.name,
            was: attribute.was.as_deref(),
            path: draft.path,
            span: column_span(draft, &attribute.name),
        });
        all(
            std::iter::once(key).chain(attributes).collect(),
            "attribute",
            diagnostics,
        );
    }
}

/// Where a column is declared: by an attribute, or by a relation.
fn column_span(draft: &Draft<'_>, column: &str) -> Span {
    let relation = || {
        let own = draft.relations.iter();
        own.filter(|relation| relation.kind == RelationWord::BelongsTo)
            .find(|relation| relation.own_column() == column)
            .map(|relation| relation.name.span)
    };
    let attribute = draft.places.get(column).copied();
    attribute.or_else(relation).unwrap_or(draft.span)
}

fn all(things: Vec<Renamed<'_>>, label: &str, diagnostics: &Diagnostics) {
    let now: BTreeMap<&str, &Renamed<'_>> =
        things.iter().map(|thing| (thing.name, thing)).collect();
    let mut taken: BTreeMap<&str, &Renamed<'_>> = BTreeMap::new();
    for thing in &things {
        let Some(was) = thing.was else { continue };
        let name = thing.name;
        let problem = match (now.get(was), taken.insert(was, thing)) {
            _ if was == name => {
                let message = format!("the {label} `{was}` has this name already");
                Some((message, "leave `was` out"))
            }
            (_, Some(other)) => {
                let message = format!(
                    "`{}` and `{name}` cannot both have been `{was}`",
                    other.name
                );
                Some((message, "leave one `was` out"))
            }
            (Some(other), _) if in_circle(other, name, &now) => {
                let message = format!("the {label}s `{was}` and `{name}` exchange their names");
                let help = "rename one of them to a third name first, generate, and then both";
                Some((message, help))
            }
            // A thing with a third name has left this name free.
            (Some(other), _) if other.was.is_none() => {
                let message = format!(
                    "the {label} `{was}` still exists, so it is not the former name of `{name}`"
                );
                let help = "leave `was` out: it is not needed after the migration is generated";
                Some((message, help))
            }
            _ => None,
        };
        if let Some((message, help)) = problem {
            let report = diagnostics.report(thing.path);
            report.reject(Code::FormerName, thing.span, message, help);
        }
    }
}

/// Whether following former names from `thing` ends at `name`.
fn in_circle(thing: &Renamed<'_>, name: &str, now: &BTreeMap<&str, &Renamed<'_>>) -> bool {
    let mut next = thing.was;
    for _ in 0..now.len() {
        match next {
            Some(was) if was == name => return true,
            Some(was) => next = now.get(was).and_then(|thing| thing.was),
            None => return false,
        }
    }
    false
}
