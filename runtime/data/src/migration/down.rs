//! Undoing migrations: down parts, and what they would lose.

use super::{
    MigrationState, Migrations,
    plan::half_undone,
    state::{Halfway, States, states},
};
use crate::{
    database::{Db, LowerIndex, Step, apply, quoted},
    error::{Error, Result},
};

/// Undoes the migrations after a version, the last first; returns them.
pub(super) async fn undo(
    db: &Db,
    migrations: &Migrations,
    version: i64,
    index: Option<&LowerIndex>,
) -> Result<Vec<MigrationState>> {
    let states = states(db, migrations).await?;
    let mut undone = Vec::new();
    for (state, step) in undoing(db, &states, version)? {
        let index = index.cloned();
        refuse_loss(db, &step).await?;
        let is_ours = apply(db, Step { index, ..step }).await?;
        undone.extend(is_ours.then_some(state));
    }
    Ok(undone)
}

/// The migrations to undo, the last first, each with its state afterwards.
pub(super) fn undoing(
    db: &Db,
    states: &States,
    version: i64,
) -> Result<Vec<(MigrationState, Step)>> {
    if version != 0 && states.iter().all(|(state, _)| state.version != version) {
        let message =
            format!("no migration has the version {version}: `migrate --status` lists them");
        return Err(Error::internal(message));
    }
    half_undone(states, version).map_or(Ok(()), Err)?;
    let mut steps = Vec::new();
    for (state, migration) in states.iter().rev() {
        if state.version <= version {
            continue;
        }
        if let Some(Halfway::Applied(done)) = state.halfway {
            return Err(half_applied(state, done));
        }
        if state.applied {
            let sql = migration.down(db.dialect()).map_err(|why| {
                Error::internal(format!(
                    "the migration {state} cannot be undone: {why}. Nothing was undone"
                ))
            })?;
            let undoes = true;
            let step = state.step(db, sql);
            steps.push((state.after(false), Step { undoes, ..step }));
        }
    }
    Ok(steps)
}

fn half_applied(state: &MigrationState, done: usize) -> Error {
    Error::internal(format!(
        "the migration {state} is half applied: {done} of its statements are done. \
         Run `migrate` before, which goes on with the next one. Nothing was undone"
    ))
}

/// Refuses a down part that drops a table with rows, or a column with values.
async fn refuse_loss(db: &Db, step: &Step) -> Result<()> {
    for (table, column) in step.sql.split(';').filter_map(dropped) {
        if !is_there(db, table, column).await? {
            continue;
        }
        let filter = column.map(|column| format!(" WHERE {} IS NOT NULL", quoted(column)));
        let filter = filter.unwrap_or_default();
        let sql = format!("SELECT 1 FROM {}{filter} LIMIT 1", quoted(table));
        if !db.rows(sql, []).await?.is_empty() {
            let what = match column {
                Some(column) => format!("the column `{column}` of `{table}` holds values"),
                None => format!("the table `{table}` holds rows"),
            };
            let why =
                format!("{what}, which would be lost. Remove them first, if they are not needed");
            return Err(step.failed(&why));
        }
    }
    Ok(())
}

/// Whether there is something to drop: on MariaDB a down part may have failed half way before.
async fn is_there(db: &Db, table: &str, column: Option<&str>) -> Result<bool> {
    match column {
        None => db.has_table(table).await,
        Some(column) => {
            let columns = db.columns(table).await?;
            Ok(columns.iter().any(|it| it.name == column))
        }
    }
}

/// The table in `DROP TABLE "menus"`, and the column too in `ALTER TABLE "menus" DROP COLUMN "price"`.
fn dropped(statement: &'static str) -> Option<(&'static str, Option<&'static str>)> {
    let lines = statement.lines().map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with("--"));
    let line = lines.next()?;
    if let Some(rest) = after(line, "DROP TABLE ") {
        return Some((name(rest).0, None));
    }
    let (table, rest) = name(after(line, "ALTER TABLE ")?);
    let (column, _) = name(after(rest.trim_start(), "DROP COLUMN ")?);
    Some((table, Some(column)))
}

/// The rest of a text that begins with these words.
fn after(text: &'static str, words: &str) -> Option<&'static str> {
    let (begin, rest) = text.split_at_checked(words.len())?;
    begin.eq_ignore_ascii_case(words).then_some(rest)
}

/// The name that a text begins with, without its quotes, and what follows it.
fn name(text: &'static str) -> (&'static str, &'static str) {
    let text = text.trim_start();
    let text = after(text, "IF EXISTS ").unwrap_or(text).trim_start();
    let quoted = ['"', '`']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.split_once(quote));
    let is_end = |c: char| !c.is_alphanumeric() && c != '_';
    quoted.unwrap_or_else(|| text.split_at(text.find(is_end).unwrap_or(text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drop_statements_are_recognised() {
        assert_eq!(
            dropped("\n-- why\nDROP TABLE \"menus\""),
            Some(("menus", None))
        );
        assert_eq!(
            dropped("DROP TABLE IF EXISTS \"menus\""),
            Some(("menus", None))
        );
        assert_eq!(
            dropped("ALTER TABLE \"menus\" DROP COLUMN \"price\""),
            Some(("menus", Some("price")))
        );
        assert_eq!(
            dropped("alter table `menus` drop column if exists price"),
            Some(("menus", Some("price")))
        );
        assert_eq!(dropped("drop table menus"), Some(("menus", None)));
        assert_eq!(dropped("DROP INDEX \"menus_price\""), None);
        assert_eq!(dropped("ALTER TABLE \"menus\" RENAME TO \"dishes\""), None);
    }
}
