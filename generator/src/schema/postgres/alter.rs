//! Changes of columns and keys. Foreign keys of columns that change are dropped first and added
//! last: in between, a key and what points to it have different types.

use super::super::convert::{self, is_text};
use super::super::dialect::Alteration;
use super::super::difference::{ColumnChange, PrimaryKeyChange, holds};
use super::super::names::primary_key_name;
use super::super::sql::Sql;
use super::super::table::{Column, Table};
use super::casts::{Postgres, functions};
use super::syntax::{added, constraint, default, drop_constraint, primary_key, quote, text, typed};

/// The change of one table, or of a key and everything that points to it.
pub(super) fn alter(alterations: &[Alteration]) -> Sql {
    let mut sql = Sql::default();
    for one in alterations {
        for column in dropped_keys(one) {
            sql.push(drop_constraint(&one.before.name, &column.name));
        }
        sql.push(guards(one));
    }
    let mut body = Sql::default();
    alterations.iter().for_each(|one| body.push(columns(one)));
    let changed = alterations.iter().flat_map(|one| &one.difference.changed);
    let (create, drop) = functions(&changed.collect::<Vec<_>>());
    sql.push(create);
    sql.push(body);
    sql.push(drop);
    for one in alterations {
        for column in added_keys(one) {
            let table = &one.after.name;
            let key = constraint(table, column).unwrap_or_default();
            sql.push(format!("ALTER TABLE {} ADD {key};\n", quote(table)));
        }
    }
    if sql.text.is_empty() {
        return Sql::losing(
            "-- PostgreSQL stores both alike: there is nothing to do.\n".to_owned(),
        );
    }
    sql
}

/// Columns whose foreign key cannot stay while the columns change.
fn dropped_keys(one: &Alteration) -> impl Iterator<Item = &Column> {
    let Alteration { before, after, .. } = one;
    let keys = before.columns.iter();
    keys.filter(move |column| {
        column.constraint().is_some()
            && after
                .column(&column.name)
                .is_some_and(|now| moves(column, now))
    })
}

fn added_keys(one: &Alteration) -> impl Iterator<Item = &Column> {
    let Alteration { before, after, .. } = one;
    let keys = after.columns.iter();
    keys.filter(move |column| {
        let known = before.column(&column.name);
        let stays =
            known.is_some_and(|known| known.constraint().is_some() && !moves(known, column));
        column.constraint().is_some() && !stays
    })
}

/// Whether a foreign key leads elsewhere from now on, or by values of another type.
fn moves(before: &Column, after: &Column) -> bool {
    before.constraint() != after.constraint() || typed(before) != typed(after)
}

/// A key without a value in its new type stops the migration.
fn guards(one: &Alteration) -> String {
    let Alteration { before, after, .. } = one;
    let keys = one.difference.changed.iter().filter(|(known, wanted)| {
        after.primary.contains(&wanted.name) && !holds(&known.kind, &wanted.kind)
    });
    let guards = keys.map(|(known, wanted)| {
        let message = format!(
            "{} has rows whose {} is no {}",
            before.name,
            wanted.name,
            wanted.type_name()
        );
        let (table, value) = (quote(&before.name), convert::value(&Postgres, after, known, wanted));
        format!(
            "DO $guard$ BEGIN\n    IF EXISTS (SELECT 1 FROM {table} WHERE {value} IS NULL) THEN\n        \
             RAISE EXCEPTION USING MESSAGE = {};\n    END IF;\nEND $guard$;\n",
            text(&message)
        )
    });
    guards.collect()
}

/// Everything but foreign keys.
fn columns(one: &Alteration) -> Sql {
    let Alteration {
        before,
        after,
        difference,
    } = one;
    let table = quote(&after.name);
    let rekeyed = matches!(
        difference.key,
        PrimaryKeyChange::Reordered | PrimaryKeyChange::Counted
    );
    let mut clauses = Vec::new();
    if rekeyed {
        let name = quote(&primary_key_name(&before.name));
        clauses.push(format!("DROP CONSTRAINT {name}"));
    }
    let dropped = difference.dropped.iter();
    clauses.extend(dropped.map(|column| format!("DROP COLUMN {}", quote(&column.name))));
    for change in &difference.changed {
        clauses.extend(changes(change, after));
    }
    let (new, fillers): (Vec<String>, Vec<Option<String>>) = difference
        .added
        .iter()
        .map(|column| added(after, column))
        .unzip();
    clauses.extend(new.into_iter().map(|line| format!("ADD COLUMN {line}")));
    if rekeyed {
        clauses.push(format!("ADD CONSTRAINT {}", primary_key(after)));
    }
    let mut sql = Sql::from(uncounted(one));
    if !clauses.is_empty() {
        sql.push(Sql::losing(statement(&table, &clauses)));
    }
    let fillers: Vec<String> = fillers.into_iter().flatten().collect();
    if !fillers.is_empty() {
        sql.push(statement(&table, &fillers));
    }
    sql.push(counted(one));
    sql
}

fn statement(table: &str, clauses: &[String]) -> String {
    format!("ALTER TABLE {table}\n    {};\n", clauses.join(",\n    "))
}

/// The clauses that change a column.
fn changes((known, wanted): &ColumnChange, after: &Table) -> Vec<String> {
    let column = format!("ALTER COLUMN {}", quote(&wanted.name));
    let value = convert::value(&Postgres, after, known, wanted);
    let (kind, retyped) = (typed(wanted), typed(known) != typed(wanted));
    let mut clauses = Vec::new();
    let differs = default(known) != default(wanted) || retyped;
    if default(known).is_some() && differs {
        clauses.push(format!("{column} DROP DEFAULT"));
    }
    if retyped || value != quote(&known.name) {
        // A literal in it has no type of its own. A cast to a text would cut it.
        let cast = match is_text(&wanted.kind) || value == quote(&known.name) {
            true => value,
            false => format!("({value})::{kind}"),
        };
        clauses.push(format!("{column} TYPE {kind} USING {cast}"));
    }
    if known.nullable != wanted.nullable {
        let verb = if wanted.nullable { "DROP" } else { "SET" };
        clauses.push(format!("{column} {verb} NOT NULL"));
    }
    clauses.extend(
        default(wanted)
            .filter(|_| differs)
            .map(|value| format!("{column} SET DEFAULT {value}")),
    );
    clauses
}

/// A key that the database does not count any more: a counted one has no type but a whole number.
fn uncounted(one: &Alteration) -> String {
    let Alteration { before, after, .. } = one;
    let key = before
        .primary
        .iter()
        .find(|_| before.counted && !after.counted);
    let stays = key.filter(|key| after.column(key).is_some());
    let table = quote(&after.name);
    let drop = |key| {
        format!(
            "ALTER TABLE {table} ALTER COLUMN {} DROP IDENTITY;\n",
            quote(key)
        )
    };
    stays.map_or_else(String::new, |key| drop(key))
}

/// A key that the database counts from now on, after the greatest there is.
fn counted(one: &Alteration) -> String {
    let Alteration { before, after, .. } = one;
    let Some(key) = after
        .primary
        .first()
        .filter(|_| after.counted && !before.counted)
    else {
        return String::new();
    };
    // A new column has been counted by its definition.
    if before.column(key).is_none() {
        return String::new();
    }
    let (table, column) = (quote(&after.name), quote(key));
    let greatest = format!("(SELECT max({column}) FROM {table})");
    format!(
        "ALTER TABLE {table} ALTER COLUMN {column} ADD GENERATED BY DEFAULT AS IDENTITY;\n\
         SELECT setval(pg_get_serial_sequence({}, {}), greatest(coalesce({greatest}, 0), 1), coalesce({greatest}, 0) > 0);\n",
        text(&table),
        text(key)
    )
}
