//! Indexes that a server would refuse: InnoDB takes 3,072 bytes of a row in an index, PostgreSQL
//! 2,704, and a character has up to 4.
//! <https://dev.mysql.com/doc/refman/8.4/en/innodb-limits.html>,
//! <https://www.postgresql.org/docs/current/btree.html>.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Code;
use crate::manifest::Span;
use crate::project::{Attribute, ColumnType, Database, Model, RelationKind, Rule};

use super::draft::Draft;
use super::report::{Diagnostics, Report};

/// Bytes of one character at most, in UTF-8.
const CHARACTER: u32 = 4;

/// Refuses indexes that one of the project's databases has no room for.
pub fn check(drafts: &[Draft<'_>], databases: &BTreeSet<Database>, diagnostics: &Diagnostics) {
    let keys: BTreeMap<&str, &ColumnType> = models(drafts)
        .map(|(draft, model)| (draft.key.as_str(), &model.key.kind))
        .collect();
    for (draft, model) in models(drafts).filter(|(_, model)| model.managed) {
        let report = diagnostics.report(draft.path);
        for (columns, span) in indexes(draft, model, &keys) {
            for database in databases {
                refuse_long(*database, &columns, span, report);
            }
        }
    }
}

pub(super) fn models<'d, 's>(
    drafts: &'d [Draft<'s>],
) -> impl Iterator<Item = (&'d Draft<'s>, &'d Model)> {
    let model = |draft: &'d Draft<'s>| Some((draft, &draft.resource.as_ref()?.model));
    drafts.iter().filter_map(model)
}

/// The columns of an index: names and types.
type Columns<'m> = Vec<(&'m str, &'m ColumnType)>;

/// Every index of a manifest, with its place.
fn indexes<'m>(
    draft: &Draft<'_>,
    model: &'m Model,
    keys: &BTreeMap<&str, &'m ColumnType>,
) -> Vec<(Columns<'m>, Span)> {
    let place = |name: &str| draft.places.get(name).copied().unwrap_or(draft.span);
    let own = (model.key.name.as_str(), &model.key.kind);
    let mut all = vec![(vec![own], draft.span)];
    let column = |attribute: &'m Attribute| (attribute.name.as_str(), &attribute.kind);
    let indexed = model.attributes.iter().filter(|one| is_indexed(one));
    all.extend(indexed.map(|one| (vec![column(one)], place(&one.name))));
    for names in &model.indexes {
        let find = |name: &String| {
            let attribute = model.attributes.iter().find(|one| one.name == *name);
            let key = Some(own).filter(|(key, _)| key == name);
            // Any other column is a timestamp.
            attribute.map(column).or(key)
        };
        let timestamp = |name: &'m String| (name.as_str(), &ColumnType::DateTime);
        let columns = names
            .iter()
            .map(|name| find(name).unwrap_or_else(|| timestamp(name)));
        let columns = columns.collect();
        let span = names.first().map_or(draft.span, |name| place(name));
        all.push((columns, span));
    }
    for relation in &model.relations {
        let (RelationKind::ManyToMany(pivot) | RelationKind::MorphManyToMany { pivot, .. }) =
            &relation.kind
        else {
            continue;
        };
        let mut columns = vec![(pivot.table.as_str(), own.1)];
        let other = keys.get(relation.target.as_str());
        columns.extend(other.map(|kind| (pivot.other_column.as_str(), *kind)));
        if matches!(relation.kind, RelationKind::MorphManyToMany { .. }) {
            columns.push(("type", &MORPH));
        }
        all.push((columns, draft.span));
    }
    all
}

/// The type of a column that names a resource.
const MORPH: ColumnType = ColumnType::String(255);

fn is_indexed(attribute: &Attribute) -> bool {
    let rules = &attribute.rules;
    let mut rules = rules.all.iter().chain(&rules.store).chain(&rules.update);
    let declared = attribute.index || attribute.unique || attribute.references.is_some();
    declared || rules.any(|rule| *rule == Rule::Unique)
}

fn refuse_long(
    database: Database,
    columns: &[(&str, &ColumnType)],
    span: Span,
    report: Report<'_>,
) {
    let Some((name, limit)) = limit(database) else {
        return;
    };
    let endless = columns.iter().find(|(_, kind)| bytes(kind).is_none());
    if let Some((column, kind)) = endless {
        let kind = if **kind == ColumnType::Json {
            "json"
        } else {
            "text"
        };
        let message =
            format!("{name} cannot index `{column}`: a {kind} column has no longest value");
        let help = "make it a `string` with a length, or leave the index out";
        return report.reject(Code::IndexLimit, span, message, help);
    }
    let sum: u32 = columns.iter().filter_map(|(_, kind)| bytes(kind)).sum();
    if sum > limit {
        let message = format!(
            "{name} has no room for this index: {sum} bytes at up to {CHARACTER} a character, and at most {limit} fit"
        );
        let help = format!(
            "at most {} characters in all its columns fit; shorten them, or leave the index out",
            limit / CHARACTER
        );
        report.reject(Code::IndexLimit, span, message, help);
    }
}

/// Largest index entry of a database, in bytes; `None` where there is no limit.
fn limit(database: Database) -> Option<(&'static str, u32)> {
    match database {
        Database::Sqlite => None,
        // 2,704 with the header of the row.
        Database::Postgres => Some(("PostgreSQL", 2_688)),
        Database::Mysql => Some(("MariaDB", 3_072)),
    }
}

/// The bytes of the longest value; `None` where there is none.
fn bytes(kind: &ColumnType) -> Option<u32> {
    match kind {
        ColumnType::String(length) => Some(length.saturating_mul(CHARACTER)),
        ColumnType::Enum(_) => Some(255 * CHARACTER),
        ColumnType::Uuid => Some(36 * CHARACTER),
        ColumnType::Text | ColumnType::Json => None,
        _ => Some(16),
    }
}
