//! Checks that need all manifests at once: pivots, names, `exists`.

use std::collections::{BTreeMap, BTreeSet};

use formwork_vocabulary::{did_you_mean::nearest, table::is_prefixed};

use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{ManifestKind, Span};
use crate::project::{ColumnType, Pivot, RelationKind};

use super::column_type::written;
use super::draft::Draft;
use super::model::is_reserved;
use super::registry::Registry;
use super::report::Report;

/// A pivot table as one relation uses it.
struct Use {
    columns: BTreeSet<String>,
    /// The type of the keys that a polymorphic one holds.
    key: Option<ColumnType>,
    path: String,
    span: Span,
}

/// Pivots: the first relation in key order owns the table, all others must agree on its columns.
pub fn pivots(drafts: &mut [Draft<'_>], registry: &Registry, found: &mut Vec<Diagnostic>) {
    let mut uses: BTreeMap<String, Use> = BTreeMap::new();
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by(|a, b| drafts[*a].key.cmp(&drafts[*b].key));
    for index in order {
        let Draft {
            path,
            resource,
            relations,
            ..
        } = &mut drafts[index];
        let Some(resource) = resource else { continue };
        for relation in &mut resource.model.relations {
            let (pivot, morph) = match &mut relation.kind {
                RelationKind::ManyToMany(pivot) => (pivot, None),
                RelationKind::MorphManyToMany { pivot, morph } => {
                    (pivot, Some(morph.name.as_str()))
                }
                _ => continue,
            };
            let written = relations
                .iter()
                .find(|draft| draft.name.text == relation.name);
            let span = written.map_or(Span::default(), |draft| {
                draft
                    .pivot
                    .as_ref()
                    .map_or(draft.name.span, |word| word.span)
            });
            let mut columns = BTreeSet::from([pivot.column.clone(), pivot.other_column.clone()]);
            columns.extend(morph.map(|morph| format!("{morph}_type")));
            let key = morph.map(|_| resource.model.key.kind.clone());
            let here = Use {
                columns,
                key,
                path: (*path).to_owned(),
                span,
            };
            found.extend(described(&here, pivot, registry));
            found.extend(reserved(&here, pivot, registry));
            match uses.get(&pivot.table) {
                Some(first) if first.columns != here.columns => {
                    found.push(mismatch(&here, first, pivot))
                }
                Some(first) if first.key != here.key => found.push(two_types(&here, first, pivot)),
                Some(_) => {}
                None => {
                    // Between two tables of another program, the pivot is that program's as well.
                    let target = registry.get(&relation.target);
                    let is_managed = resource.model.managed || target.is_none_or(|one| one.managed);
                    pivot.owned = is_managed && registry.by_table(&pivot.table).is_none();
                    uses.insert(pivot.table.clone(), here);
                }
            }
        }
    }
}

fn mismatch(here: &Use, first: &Use, pivot: &Pivot) -> Diagnostic {
    let list = |columns: &BTreeSet<String>| columns.iter().cloned().collect::<Vec<_>>().join(", ");
    let message = format!(
        "the pivot `{}` is used with ({}) here and with ({}) elsewhere",
        pivot.table,
        list(&here.columns),
        list(&first.columns)
    );
    let mut found = Diagnostic::new(Code::PivotMismatch, &here.path, here.span, message);
    found
        .related(&first.path, first.span, "elsewhere")
        .help("name the same columns with `column` and `other_column`, or another `pivot`");
    found
}

/// One column holds the keys of every resource that a polymorphic pivot serves.
fn two_types(here: &Use, first: &Use, pivot: &Pivot) -> Diagnostic {
    let written = |one: &Use| one.key.as_ref().map(written).unwrap_or_default();
    let message = format!(
        "the pivot `{}` would hold keys of two types in `{}`: {} here, {} elsewhere",
        pivot.table,
        pivot.column,
        written(here),
        written(first)
    );
    let mut found = Diagnostic::new(Code::PivotMismatch, &here.path, here.span, message);
    found
        .related(&first.path, first.span, "elsewhere")
        .help("name another `pivot`, or give both resources keys of one type");
    found
}

/// A pivot that a model describes must have the columns that are needed.
fn described(here: &Use, pivot: &Pivot, registry: &Registry) -> Option<Diagnostic> {
    let model = registry
        .by_table(&pivot.table)
        .filter(|model| !model.partial)?;
    let missing = here
        .columns
        .iter()
        .find(|column| !model.columns.contains_key(*column))?;
    let message = format!("the pivot `{}` has no column `{missing}`", pivot.table);
    let mut found = Diagnostic::new(Code::PivotMismatch, &here.path, here.span, message);
    if let Some((path, span)) = &model.place {
        found.related(path, *span, "the table is described here");
    }
    found.help("name the columns it has with `column` and `other_column`");
    Some(found)
}

/// A pivot with a reserved name is refused, unless a model describes the existing table.
fn reserved(here: &Use, pivot: &Pivot, registry: &Registry) -> Option<Diagnostic> {
    let table = &pivot.table;
    if !is_reserved(table)
        || registry
            .by_table(table)
            .is_some_and(|one| one.place.is_some())
    {
        return None;
    }
    let message = format!("the pivot `{table}` is reserved for the runtime or SQLite");
    let mut found = Diagnostic::new(Code::IllegalName, &here.path, here.span, message);
    found.help("name another table: `pivot: …`");
    Some(found)
}

/// Tables that would be the runtime's own, whose names begin with `database.table_prefix`.
pub fn prefixed(drafts: &[Draft<'_>], prefix: &str, found: &mut Vec<Diagnostic>) {
    for draft in drafts {
        let Some(resource) = &draft.resource else {
            continue;
        };
        let model = &resource.model;
        let pivots = model.relations.iter().filter_map(|one| match &one.kind {
            RelationKind::ManyToMany(pivot) | RelationKind::MorphManyToMany { pivot, .. } => {
                Some(&pivot.table)
            }
            _ => None,
        });
        let named = std::iter::once(&model.table).chain(pivots);
        for table in named.filter(|table| is_prefixed(table, prefix)) {
            let message = format!("the table `{table}` is the runtime's own");
            let path = draft.path;
            let mut mistake = Diagnostic::new(Code::IllegalName, path, draft.table_span, message);
            mistake
                .help("name another table, or change `database.table_prefix` in `formwork.yaml`");
            found.push(mistake);
        }
    }
}

/// Names that become one: modules and types within an extension, test files within the project.
pub fn names(drafts: &[Draft<'_>], found: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<(String, String), &Draft<'_>> = BTreeMap::new();
    for draft in drafts {
        let Some(resource) = &draft.resource else {
            continue;
        };
        let names = &resource.names;
        let mut made = vec![
            (draft.folder.to_owned(), "module", names.module.clone()),
            (draft.folder.to_owned(), "type", names.model.clone()),
        ];
        if draft.kind == ManifestKind::Resource {
            made.push((draft.folder.to_owned(), "type", names.controller.clone()));
            made.push((
                String::new(),
                "test",
                format!("{}_{}", draft.folder, names.module),
            ));
        }
        for (scope, label, name) in made {
            let slot = (format!("{scope}/{label}"), name.to_lowercase());
            let Some(earlier) = seen.insert(slot, draft) else {
                continue;
            };
            if earlier.key == draft.key {
                continue;
            }
            found.push(collision(draft, earlier, label, &name));
            break;
        }
    }
}

fn collision(draft: &Draft<'_>, earlier: &Draft<'_>, label: &str, name: &str) -> Diagnostic {
    let message = format!(
        "`{}` and `{}` would both make the {label} `{name}`",
        earlier.key, draft.key
    );
    let mut found = Diagnostic::new(Code::NameCollision, draft.path, draft.span, message);
    let help = match label {
        "type" => {
            "give one of them another key, which is the name of its file, or its model another name: `model: { name: … }`"
        }
        _ => "give one of them another key, which is the name of its file",
    };
    found
        .related(earlier.path, earlier.span, "the other one")
        .help(help);
    found
}

/// Tables and columns of `exists` rules.
pub fn exists(drafts: &[Draft<'_>], registry: &Registry, found: &mut Vec<Diagnostic>) {
    if registry.is_partial() {
        return;
    }
    let pivots = pivot_columns(drafts);
    for draft in drafts {
        let mut report = Report::new(draft.path);
        for (table, column, span) in &draft.exists {
            let known = match (registry.by_table(table), pivots.get(table.as_str())) {
                (Some(entry), _) => entry.partial || entry.columns.contains_key(column),
                (None, Some(columns)) => columns.contains(&column.as_str()),
                (None, None) => {
                    let near = nearest(table, registry.tables_known())
                        .map(|near| format!("did you mean `{near}`?"));
                    report
                        .error(
                            Code::UnknownTarget,
                            *span,
                            format!("no manifest describes the table `{table}`"),
                        )
                        .help("name the table of a resource or supporting model")
                        .maybe_help(near);
                    continue;
                }
            };
            if !known {
                report
                    .error(
                        Code::UnknownColumn,
                        *span,
                        format!("the table `{table}` has no column `{column}`"),
                    )
                    .help("write `exists:table,column`");
            }
        }
        found.append(&mut report.found);
    }
}

fn pivot_columns<'d>(drafts: &'d [Draft<'_>]) -> BTreeMap<&'d str, [&'d str; 2]> {
    let resources = drafts.iter().filter_map(|draft| draft.resource.as_ref());
    let relations = resources.flat_map(|resource| &resource.model.relations);
    relations
        .filter_map(|relation| match &relation.kind {
            RelationKind::ManyToMany(pivot) | RelationKind::MorphManyToMany { pivot, .. } => {
                Some((
                    pivot.table.as_str(),
                    [pivot.column.as_str(), pivot.other_column.as_str()],
                ))
            }
            _ => None,
        })
        .collect()
}
