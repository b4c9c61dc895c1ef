//! Columns of SQLite whose rows hold values of another type than the table declares, which SQLite allows.

use anyhow::Result;
use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection};

use crate::import::catalogue::{CatalogueColumn, CatalogueTable};
use crate::import::read::arguments::{Declared, quoted};
use crate::import::read::kinds::LOOKED_AT;
use crate::import::read::looks::{AS_DECLARED, Looks, Unlooked};
use crate::project::ColumnType;

/// Columns that one statement asks about: SQLite computes up to 2000 results.
const ASKED_AT_ONCE: usize = 500;

/// Texts of which SQLite makes no number: those with a sign of no number, two points or exponents, a space within, a sign
/// or a point out of place, or without a digit where one belongs.
const NO_NUMBER: &str = r"(?s)[^0-9+\-.eE\s]|\..*\.|[eE].*[eE]|\S\s+\S|[^eE\s][+\-]|[eE].*\.|[eE][+\-]?\s*$|^[^0-9]*[eE]|^[^0-9]*$";

/// Looks at the rows of a table.
pub(super) async fn look(
    connection: &mut SqliteConnection,
    table: &mut CatalogueTable,
    looks: &mut Looks,
) -> Result<(), Unlooked> {
    let look = looks.begin::<Sqlite>(connection).await?;
    let looking = async {
        types(connection, table).await?;
        empty_texts(connection, table).await
    };
    look.end(looking.await)
}

/// Notes that there was no time for a look.
pub(super) fn note_unlooked(table: &mut CatalogueTable) {
    table.note_unlooked(AS_DECLARED);
    let untold = table.columns.iter_mut().filter(|one| one.kind.is_none());
    for column in untold.filter(|column| column.note.is_none()) {
        let note = "its rows, which tell its type, were not looked at";
        column.note = Some(note.to_owned());
    }
}

/// Looks for values that the types of the manifest cannot hold, and changes the columns that have some; gives types to
/// the columns that declare none, or one that no manifest has.
async fn types(connection: &mut SqliteConnection, table: &mut CatalogueTable) -> Result<()> {
    for at in odd_columns(connection, table).await? {
        let name = quoted(&table.name, '"');
        let column = &mut table.columns[at];
        let own = quoted(&column.name, '"');
        if column.kind == Some(ColumnType::Date) && all_moments(connection, &name, &own).await? {
            column.kind = Some(ColumnType::DateTime);
            column.note = Some("Rows hold a date with a time, so it is a date-time.".to_owned());
            continue;
        }
        let sql = format!(
            "SELECT DISTINCT typeof(v) FROM (SELECT {own} AS v FROM {name} \
             WHERE {own} IS NOT NULL LIMIT {LOOKED_AT}) ORDER BY 1"
        );
        let found: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_all(&mut *connection)
            .await?;
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        match column.kind.is_none() {
            true => undeclared(column, &found),
            false => misdeclared(column, &found),
        }
    }
    Ok(())
}

/// Notes the columns whose rows hold empty texts.
async fn empty_texts(connection: &mut SqliteConnection, table: &mut CatalogueTable) -> Result<()> {
    let name = quoted(&table.name, '"');
    let columns = table.columns.iter_mut();
    let mut columns: Vec<&mut CatalogueColumn> =
        columns.filter(|column| column.may_be_empty()).collect();
    let is_empty = |column: &&mut CatalogueColumn| format!("{} = ''", quoted(&column.name, '"'));
    let conditions: Vec<String> = columns.iter().map(is_empty).collect();
    let found = any_row(connection, &name, &conditions).await?;
    for (column, found) in columns.iter_mut().zip(found) {
        column.holds_empty_texts = found;
    }
    Ok(())
}

/// Whether any row fulfils each of these conditions.
async fn any_row(
    connection: &mut SqliteConnection,
    table: &str,
    conditions: &[String],
) -> Result<Vec<bool>> {
    let mut found = Vec::with_capacity(conditions.len());
    for asked in conditions.chunks(ASKED_AT_ONCE) {
        let results = asked.iter().map(|condition| format!("MAX({condition})"));
        let results = results.collect::<Vec<_>>().join(" || ',' || ");
        let sql = format!("SELECT '' || {results} FROM (SELECT * FROM {table} LIMIT {LOOKED_AT})");
        // Without a row there is no answer.
        let answer: Option<String> = sqlx::query_scalar(AssertSqlSafe(sql))
            .fetch_one(&mut *connection)
            .await?;
        let answer = answer.unwrap_or_default();
        let mut answers = answer.split(',');
        found.extend(asked.iter().map(|_| answers.next() == Some("1")));
    }
    Ok(found)
}

/// The places of the columns whose rows hold another type, and of those whose declared type says nothing.
async fn odd_columns(
    connection: &mut SqliteConnection,
    table: &CatalogueTable,
) -> Result<Vec<usize>> {
    let columns = table.columns.iter().enumerate();
    let untyped = columns.clone().filter(|(_, column)| column.kind.is_none());
    let asked = columns.filter_map(|(at, column)| Some((at, misfit(column)?)));
    let (asked, conditions): (Vec<usize>, Vec<String>) = asked.unzip();
    let found = any_row(connection, &quoted(&table.name, '"'), &conditions).await?;
    let found = asked.into_iter().zip(found).filter(|(_, is_odd)| *is_odd);
    Ok(untyped
        .map(|(at, _)| at)
        .chain(found.map(|(at, _)| at))
        .collect())
}

/// The SQL condition (1 or 0) that the service cannot read a value of this column.
fn misfit(column: &CatalogueColumn) -> Option<String> {
    let own = quoted(&column.name, '"');
    let of_type = |types: &str| format!("typeof({own}) NOT IN ({types}, 'null')");
    Some(match column.kind.as_ref()? {
        ColumnType::Integer | ColumnType::BigInt => of_type("'integer'"),
        // Other numbers than 0 and 1 would be read as true.
        ColumnType::Boolean => format!(
            "{own} IS NOT NULL AND ({} OR {own} NOT IN (0, 1))",
            of_type("'integer'")
        ),
        ColumnType::Float => of_type("'integer', 'real'"),
        ColumnType::Decimal(precision, scale) => format!(
            "{own} IS NOT NULL AND ({} OR abs({own}) >= 1e{})",
            of_type("'integer', 'real'"),
            precision - scale
        ),
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => of_type("'text'"),
        ColumnType::Date => is_no_text_as(&own, &format!("date({own}) IS {own}")),
        ColumnType::DateTime => is_no_text_as(&own, &moment(&own)),
        ColumnType::Time => is_no_text_as(
            &own,
            &format!("{own} GLOB '[0-2][0-9]:[0-5][0-9]*' AND time({own}) IS NOT NULL"),
        ),
        // A number of JSON is stored as a number.
        ColumnType::Json => format!(
            "{own} IS NOT NULL AND ({} OR NOT json_valid({own}))",
            of_type("'text', 'integer', 'real'")
        ),
        ColumnType::Uuid => {
            // The service writes and looks for small letters.
            let hexes = |count| "[0-9a-f]".repeat(count);
            let groups = [8, 4, 4, 4, 12].map(hexes).join("-");
            is_no_text_as(&own, &format!("{own} GLOB '{groups}'"))
        }
    })
}

/// The SQL condition that a value is not a text for which `holds` is true.
fn is_no_text_as(own: &str, holds: &str) -> String {
    format!("{own} IS NOT NULL AND NOT (typeof({own}) = 'text' AND coalesce({holds}, 0))")
}

/// The SQL condition that a text is a date-time which the service reads: a valid date, alone or with a time.
fn moment(own: &str) -> String {
    let (day, rest) = (
        format!("substr({own}, 1, 10)"),
        format!("substr({own}, 11)"),
    );
    let (minutes, seconds) = ("[T ][0-2][0-9]:[0-5][0-9]", ":[0-5][0-9]");
    format!(
        "date({day}) IS {day} AND julianday({own}) IS NOT NULL AND instr(substr({rest}, 2), ' ') = 0 \
         AND ({rest} = '' OR {rest} GLOB '{minutes}' OR {rest} GLOB '{minutes}{seconds}*')"
    )
}

async fn all_moments(connection: &mut SqliteConnection, table: &str, own: &str) -> Result<bool> {
    let misfit = is_no_text_as(own, &moment(own));
    let sql = format!("SELECT MAX({misfit}) FROM (SELECT {own} FROM {table} LIMIT {LOOKED_AT})");
    let answer: Option<i64> = sqlx::query_scalar(AssertSqlSafe(sql))
        .fetch_one(connection)
        .await?;
    Ok(answer == Some(0))
}

/// Sets the type of a column that declares none, or one that no manifest has, by the values that are stored.
fn undeclared(column: &mut CatalogueColumn, found: &[&str]) {
    let (kind, why) = match found {
        ["integer"] => (ColumnType::BigInt, "its rows hold whole numbers"),
        ["real"] | ["integer", "real"] => (ColumnType::Float, "its rows hold numbers"),
        ["text"] => (ColumnType::Text, "its rows hold texts"),
        [] if is_blob(column) => return,
        [] if names_numbers(&column.declared) => (
            ColumnType::Float,
            "no row holds a value, and the name of the type is that of numbers (guessed)",
        ),
        [] => (
            ColumnType::Text,
            "no row holds a value, so it is imported as text",
        ),
        _ => {
            column.note = Some(mixed(found));
            return;
        }
    };
    column.is_guessed = found.is_empty() && kind == ColumnType::Float;
    let said = match column.declared.as_str() {
        "" => format!("The table declares no type: {why}."),
        declared => format!("A manifest has no type {declared}: {why}."),
    };
    let keeps_texts = column.declared.is_empty() || is_blob(column);
    let is_text = kind == ColumnType::Text && !keeps_texts;
    column.pattern = is_text.then_some(NO_NUMBER);
    column.note = Some(match is_text {
        true => format!("{said} SQLite would store the text `1` as a number, so it is refused."),
        false => said,
    });
    column.kind = Some(kind);
}

/// Whether the name of a type, which no manifest has, is that of numbers.
fn names_numbers(declared: &str) -> bool {
    let words = ["number", "money", "currency", "fixed", "dec"];
    let declared = Declared::parse(declared).words;
    words.iter().any(|word| declared.ends_with(word))
}

/// Why a column is left out whose rows hold no one type.
fn mixed(found: &[&str]) -> String {
    match found {
        [only] => format!("rows hold values of the type {only}"),
        several => format!("rows hold values of several types: {}", several.join(", ")),
    }
}

/// Whether SQLite stores the values of a column as they are; of the types that no manifest has it makes numbers
/// otherwise (SQLite's documentation, "Determination Of Column Affinity").
fn is_blob(column: &CatalogueColumn) -> bool {
    column.declared.to_lowercase().contains("blob")
}

/// Sets the type of a column whose values are not of its declared type.
fn misdeclared(column: &mut CatalogueColumn, found: &[&str]) {
    let (kind, what) = match found {
        ["integer"] if !matches!(column.kind, Some(ColumnType::Decimal(..))) => {
            (Some(ColumnType::BigInt), "whole numbers")
        }
        ["integer"] | ["real"] | ["integer", "real"] => (Some(ColumnType::Float), "numbers"),
        // SQLite would make a number of the text `1` in such a column, which could not be read again.
        ["text"] => (Some(ColumnType::Text), "texts"),
        _ => (None, ""),
    };
    column.is_guessed = false;
    column.is_read_only = kind == Some(ColumnType::Text);
    column.note = Some(match (&kind, column.is_read_only) {
        (None, _) => mixed(found),
        (_, true) => format!("Read only: rows hold {what} that are not of the declared type."),
        (_, false) => format!("Rows hold {what}, not values of the declared type."),
    });
    column.kind = kind;
    column.default = column.default.take().filter(|_| !column.is_read_only);
}

#[cfg(test)]
mod tests {
    use regex::Regex;
    use sqlx::Connection as _;

    use super::*;

    /// The type as which SQLite stores each text in a column `STRING`.
    async fn stored(texts: &[&str]) -> Vec<String> {
        let memory = SqliteConnection::connect("sqlite::memory:").await;
        let mut memory = memory.expect("a database in memory");
        let make = sqlx::query("CREATE TABLE t (v STRING)");
        make.execute(&mut memory).await.expect("a table");
        for text in texts {
            let insert = sqlx::query("INSERT INTO t VALUES (?)").bind(text);
            insert.execute(&mut memory).await.expect("a row");
        }
        let types = sqlx::query_scalar("SELECT typeof(v) FROM t ORDER BY rowid");
        types.fetch_all(&mut memory).await.expect("types")
    }

    #[test]
    fn texts_that_match_stay_texts() {
        let texts = [
            "Tea", "", " ", "1", "-1", "+1.5", " 1 ", "1.", ".5", ".", "1e5", "1e", "e5", "1e+5",
            "1e+", "1e1.5", "1.2.3", "1 2", "1-2", "--1", "1+", "+", "0x10", "007", "1e5e", "inf",
            "1\n", "1\n2", "+49 30", "-.5e-3", "1,5", "1e-", "1.e5", "-", "+.", "1 e5",
        ];
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let types = runtime.expect("a runtime").block_on(stored(&texts));
        let pattern = Regex::new(NO_NUMBER).expect("a pattern");
        for (text, kind) in texts.iter().zip(types) {
            assert_eq!(pattern.is_match(text), kind == "text", "{text:?}");
        }
    }
}
