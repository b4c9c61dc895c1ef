//! Checks that stop a migration before it would lose columns or indexes that it does not know, of
//! another branch or by hand. It fails by a constraint whose name says why.

use super::super::difference::ColumnChange;
use super::super::names::{index_name, list};
use super::super::table::{Column, Table};
use super::syntax::{line, quote, text};

/// Before a table is created again, which keeps only the listed columns and indexes.
pub(super) fn rebuilt(table: &Table) -> String {
    let name = text(&table.name);
    let mut columns: Vec<&str> = table.columns.iter().map(|one| one.name.as_str()).collect();
    columns.sort_unstable();
    let indexes = table.indexes.iter();
    let indexes: Vec<String> = indexes
        .map(|index| index_name(&table.name, index))
        .collect();
    let keys = table.columns.iter().filter_map(|one| one.constraint());
    let conditions = [
        format!(
            "(SELECT group_concat(name) FROM (SELECT name FROM pragma_table_xinfo({name}) ORDER BY name)) IS {}",
            text(&columns.join(","))
        ),
        format!(
            "NOT EXISTS (SELECT 1 FROM pragma_index_list({name}) WHERE origin <> 'pk' AND name NOT IN ({}))",
            list(&indexes, text)
        ),
        format!(
            "(SELECT count(*) FROM pragma_foreign_key_list({name})) = {}",
            keys.count()
        ),
        no_action(&name, ""),
        no_checks(table),
        no_view_or_trigger_names(&table.name),
    ];
    let message = format!(
        "{} has columns, indexes, constraints, triggers or views that this migration does not know",
        table.name
    );
    guard(&message, &conditions)
}

/// Before columns are replaced: rows are removed and inserted again, which would fire triggers, and
/// constraints on a column are dropped with it.
pub(super) fn replaced(table: &Table, columns: &[&ColumnChange]) -> String {
    let name = text(&table.name);
    let known = columns.iter().map(|(known, _)| {
        let line = line(table, known);
        let declared = line.trim_start_matches(&*quote(&known.name)).trim_start();
        let kind = declared.split(' ').next().unwrap_or_default();
        format!("({}, {})", text(&known.name), text(kind))
    });
    let known: Vec<String> = known.collect();
    let names: Vec<String> = columns
        .iter()
        .map(|(known, _)| known.name.clone())
        .collect();
    let names = list(&names, text);
    let mut conditions = Vec::new();
    if !known.is_empty() {
        conditions.push(format!(
            "(SELECT count(*) FROM pragma_table_info({name}) WHERE (name, type) IN (VALUES {})) = {}",
            known.join(", "),
            known.len()
        ));
        conditions.push(no_action(&name, &format!("\"from\" IN ({names}) AND ")));
        conditions.push(no_checks(table));
    }
    conditions.push(no_triggers(&name));
    let message = format!(
        "{} has triggers, or constraints or types of columns that this migration does not know",
        table.name
    );
    guard(&message, &conditions)
}

/// Before keys become others.
pub(super) fn key(table: &Table, key: &Column, value: &str) -> String {
    let message = format!(
        "{} has rows whose {} is no {}",
        table.name,
        key.name,
        key.type_name()
    );
    let name = quote(&table.name);
    let none = format!("NOT EXISTS (SELECT 1 FROM {name} WHERE {value} IS NULL)");
    guard(&message, &[none])
}

/// No foreign key has an action.
fn no_action(name: &str, of: &str) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list({name}) WHERE {of}(on_update <> 'NO ACTION' OR on_delete <> 'NO ACTION'))"
    )
}

/// No constraints but those every column may have.
fn no_checks(table: &Table) -> String {
    // A default may hold these words, with its quotes doubled.
    let words = ["check", "collate"];
    let sql = table
        .columns
        .iter()
        .filter_map(|column| column.default.as_deref())
        .filter(|value| words.iter().any(|word| value.to_lowercase().contains(word)))
        .fold("sql".to_owned(), |sql, value| {
            format!("replace({sql}, {}, '')", text(&value.replace('\'', "''")))
        });
    let patterns = ["%CHECK(%", "%CHECK (%", "% COLLATE %"];
    let like = patterns.map(|pattern| format!("{sql} LIKE '{pattern}'"));
    let name = text(&table.name);
    format!(
        "NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = {name} AND ({}))",
        like.join(" OR ")
    )
}

fn no_triggers(name: &str) -> String {
    format!("NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = {name})")
}

/// No view, and no trigger of whatever table, names the table: SQLite renames none while one of them
/// names a table that is gone.
fn no_view_or_trigger_names(table: &str) -> String {
    let word = "[^a-z0-9_]";
    let pattern = text(&format!("*{word}{}{word}*", table.to_lowercase()));
    let name = text(table);
    format!(
        "NOT EXISTS (SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view') AND (tbl_name = {name} OR lower(sql || ' ') GLOB {pattern}))"
    )
}

fn guard(message: &str, conditions: &[String]) -> String {
    format!(
        "CREATE TABLE \"formwork_guard\" (\"fits\" INTEGER NOT NULL CONSTRAINT {} CHECK (\"fits\"));\n\
         INSERT INTO \"formwork_guard\" SELECT\n    {};\n\
         DROP TABLE \"formwork_guard\";\n",
        quote(message),
        conditions.join("\n    AND ")
    )
}
