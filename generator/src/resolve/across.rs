//! Checks that need all manifests at once: pivots, names, `exists`.

use std::collections::{BTreeMap, BTreeSet};

use formwork_vocabulary::{did_you_mean::nearest, table::is_prefixed};

use crate::diagnostic::Code;
use crate::manifest::{ManifestKind, Span};
use crate::project::{ColumnType, Pivot, RelationKind};

use super::column_type::written;
use super::draft::Draft;
use super::model::is_reserved;
use super::registry::Registry;
use super::report::{Diagnostics, Report};

/// A pivot table as one relation uses it.
struct Use {
    columns: BTreeSet<String>,
    /// The type of the keys that a polymorphic one holds.
    key: Option<ColumnType>,
    path: String,
    span: Span,
}

/// Checks pivots: the first relation in key order owns the table, all others must agree on its columns.
pub fn pivots(drafts: &mut [Draft<'_>], registry: &Registry, diagnostics: &Diagnostics) {
    let mut uses: BTreeMap<String, Use> = BTreeMap::new();
    let mut order: Vec<&mut Draft<'_>> = drafts.iter_mut().collect();
    order.sort_by(|a, b| a.key.cmp(&b.key));
    for draft in order {
        let report = diagnostics.report(draft.path);
        let Some(resource) = &mut draft.resource else {
            continue;
        };
        for relation in &mut resource.model.relations {
            let (pivot, morph) = match &mut relation.kind {
                RelationKind::ManyToMany(pivot) => (pivot, None),
                RelationKind::MorphManyToMany { pivot, morph } => (pivot, Some(&morph.name)),
                _ => continue,
            };
            let mut written = draft.relations.iter();
            let written = written.find(|written| written.name.text == relation.name);
            let word = written.map(|written| written.pivot.as_ref().unwrap_or(&written.name));
            let mut columns = BTreeSet::from([pivot.column.clone(), pivot.other_column.clone()]);
            columns.extend(morph.map(|morph| format!("{morph}_type")));
            let here = Use {
                columns,
                key: morph.map(|_| resource.model.key.kind.clone()),
                path: draft.path.to_owned(),
                span: word.map_or(Span::default(), |word| word.span),
            };
            check_described(&here, pivot, registry, report);
            check_reserved(&here, pivot, registry, report);
            if let Some(first) = uses.get(&pivot.table) {
                check_use(&here, first, pivot, report);
                continue;
            }
            // Between two tables of another program, the pivot is that program's as well.
            let target = registry.get(&relation.target);
            let is_managed = resource.model.managed || target.is_none_or(|one| one.managed);
            pivot.owned = is_managed && registry.by_table(&pivot.table).is_none();
            uses.insert(pivot.table.clone(), here);
        }
    }
}

/// Checks that two relations use a pivot in the same way. One column holds the keys of every resource that a
/// polymorphic pivot serves.
fn check_use(here: &Use, first: &Use, pivot: &Pivot, report: Report<'_>) {
    let Pivot { table, column, .. } = pivot;
    let (message, help) = if here.columns != first.columns {
        let list = |one: &Use| one.columns.iter().cloned().collect::<Vec<_>>().join(", ");
        let (own, others) = (list(here), list(first));
        let message =
            format!("the pivot `{table}` is used with ({own}) here and with ({others}) elsewhere");
        let help = "name the same columns with `column` and `other_column`, or another `pivot`";
        (message, help)
    } else if here.key != first.key {
        let written = |one: &Use| one.key.as_ref().map(written).unwrap_or_default();
        let (own, other) = (written(here), written(first));
        let message = format!(
            "the pivot `{table}` would hold keys of two types in `{column}`: {own} here, {other} elsewhere"
        );
        let help = "name another `pivot`, or give both resources keys of one type";
        (message, help)
    } else {
        return;
    };
    let mut error = report.error(Code::PivotMismatch, here.span, message);
    error.related(&first.path, first.span, "elsewhere");
    error.help(help);
}

/// Checks that a pivot which a model describes has the columns that are needed.
fn check_described(here: &Use, pivot: &Pivot, registry: &Registry, report: Report<'_>) {
    let model = registry.by_table(&pivot.table);
    let Some(model) = model.filter(|model| !model.partial) else {
        return;
    };
    let mut columns = here.columns.iter();
    let Some(missing) = columns.find(|column| !model.columns.contains_key(*column)) else {
        return;
    };
    let message = format!("the pivot `{}` has no column `{missing}`", pivot.table);
    let mut error = report.error(Code::PivotMismatch, here.span, message);
    if let Some((path, span)) = &model.place {
        error.related(path, *span, "the table is described here");
    }
    error.help("name the columns it has with `column` and `other_column`");
}

/// Reports a pivot with a reserved name, unless a model describes the existing table.
fn check_reserved(here: &Use, pivot: &Pivot, registry: &Registry, report: Report<'_>) {
    let table = &pivot.table;
    let described = registry.by_table(table);
    if is_reserved(table) && described.is_none_or(|model| model.place.is_none()) {
        let message = format!("the pivot `{table}` is reserved for the runtime or SQLite");
        let help = "name another table: `pivot: …`";
        report.reject(Code::IllegalName, here.span, message, help);
    }
}

/// Returns the pivots of a draft.
fn pivots_of<'d>(draft: &'d Draft<'_>) -> impl Iterator<Item = &'d Pivot> {
    let resource = draft.resource.iter();
    let relations = resource.flat_map(|resource| &resource.model.relations);
    relations.filter_map(|relation| match &relation.kind {
        RelationKind::ManyToMany(pivot) | RelationKind::MorphManyToMany { pivot, .. } => {
            Some(pivot)
        }
        _ => None,
    })
}

/// Reports tables that would be the runtime's own, whose names begin with `database.table_prefix`.
pub fn prefixed(drafts: &[Draft<'_>], prefix: &str, diagnostics: &Diagnostics) {
    for draft in drafts {
        let own = draft.resource.iter().map(|resource| &resource.model.table);
        let tables = own.chain(pivots_of(draft).map(|pivot| &pivot.table));
        for table in tables.filter(|table| is_prefixed(table, prefix)) {
            let message = format!("the table `{table}` is the runtime's own");
            let help = "name another table, or change `database.table_prefix` in `formwork.yaml`";
            let report = diagnostics.report(draft.path);
            report.reject(Code::IllegalName, draft.table_span, message, help);
        }
    }
}

/// Reports names that become one: modules and types within an extension, test files within the project.
pub fn names(drafts: &[Draft<'_>], diagnostics: &Diagnostics) {
    let mut seen: BTreeMap<(&str, &str, String), &Draft<'_>> = BTreeMap::new();
    for draft in drafts {
        let Some(resource) = &draft.resource else {
            continue;
        };
        let (folder, names) = (draft.folder, &resource.names);
        let mut made = vec![
            (folder, "module", names.module.clone()),
            (folder, "type", names.model.clone()),
        ];
        if draft.kind == ManifestKind::Resource {
            made.push((folder, "type", names.controller.clone()));
            made.push(("", "test", format!("{folder}_{}", names.module)));
        }
        for (scope, label, name) in made {
            let earlier = seen.insert((scope, label, name.to_lowercase()), draft);
            if let Some(earlier) = earlier.filter(|earlier| earlier.key != draft.key) {
                reject_collision(draft, earlier, label, &name, diagnostics);
                break;
            }
        }
    }
}

fn reject_collision(
    draft: &Draft<'_>,
    earlier: &Draft<'_>,
    label: &str,
    name: &str,
    diagnostics: &Diagnostics,
) {
    let (first, second) = (&earlier.key, &draft.key);
    let message = format!("`{first}` and `{second}` would both make the {label} `{name}`");
    let help = match label {
        "type" => {
            "give one of them another key, which is the name of its file, or its model another name: `model: { name: … }`"
        }
        _ => "give one of them another key, which is the name of its file",
    };
    let report = diagnostics.report(draft.path);
    let mut error = report.error(Code::NameCollision, draft.span, message);
    error.related(earlier.path, earlier.span, "the other one");
    error.help(help);
}

/// Checks the tables and columns of `exists` rules.
pub fn exists(drafts: &[Draft<'_>], registry: &Registry, diagnostics: &Diagnostics) {
    if registry.is_partial() {
        return;
    }
    let pivots: BTreeMap<&str, &Pivot> = drafts
        .iter()
        .flat_map(pivots_of)
        .map(|pivot| (pivot.table.as_str(), pivot))
        .collect();
    for draft in drafts {
        let report = diagnostics.report(draft.path);
        for (table, column, span) in &draft.exists {
            let known = match (registry.by_table(table), pivots.get(table.as_str())) {
                (Some(entry), _) => entry.partial || entry.columns.contains_key(column),
                (None, Some(pivot)) => [&pivot.column, &pivot.other_column].contains(&column),
                (None, None) => {
                    let near = nearest(table, registry.tables_known());
                    let help = match near {
                        Some(near) => &format!("did you mean `{near}`?"),
                        None => "name the table of a resource or supporting model",
                    };
                    let message = format!("no manifest describes the table `{table}`");
                    report.reject(Code::UnknownTarget, *span, message, help);
                    continue;
                }
            };
            if !known {
                let message = format!("the table `{table}` has no column `{column}`");
                let help = "write `exists:table,column`";
                report.reject(Code::UnknownColumn, *span, message, help);
            }
        }
    }
}
