//! Odd values in rows of PostgreSQL tables.

use sqlx::{AssertSqlSafe, PgConnection, Postgres};

use crate::import::catalogue::{CatalogueColumn, CatalogueTable, ColumnDefault};
use crate::import::read::arguments::{Declared, quoted};
use crate::import::read::kinds::LOOKED_AT;
use crate::import::read::looks::{AS_DECLARED, Looks, Unlooked};
use crate::project::ColumnType;

/// Looks for values that the service cannot read, and leaves the columns out which have some.
pub(super) async fn odd_values(
    connection: &mut PgConnection,
    tables: &mut [CatalogueTable],
    looks: &mut Looks,
) {
    for table in tables {
        for column in &mut table.columns {
            if is_odd(column) {
                leave_out(column, "the service cannot read its default");
            }
        }
        match look(connection, table, looks).await {
            Ok(()) => {}
            Err(Unlooked::Failed(error)) => table.note_unread(&error),
            Err(Unlooked::Late) => table.note_unlooked(AS_DECLARED),
        }
    }
}

async fn look(
    connection: &mut PgConnection,
    table: &mut CatalogueTable,
    looks: &mut Looks,
) -> Result<(), Unlooked> {
    let primary = table.primary.clone();
    let is_key = |column: &CatalogueColumn| primary == [column.name.as_str()];
    let columns = table.columns.iter_mut();
    let probes = columns.filter_map(|column| {
        let own = is_key(column).then(|| key_probe(column)).flatten();
        Some((own.or_else(|| probe(column))?, column))
    });
    let (probes, mut columns): (Vec<(String, Option<&str>)>, Vec<&mut CatalogueColumn>) =
        probes.unzip();
    if columns.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = columns.iter().map(|one| quoted(&one.name, '"')).collect();
    let asked = probes.iter();
    let asked = asked.map(|(condition, _)| format!("COALESCE(bool_or({condition}), false)"));
    let sql = format!(
        "SELECT ARRAY[{}] FROM (SELECT {} FROM {} LIMIT {LOOKED_AT}) AS looked_at",
        asked.collect::<Vec<_>>().join(", "),
        names.join(", "),
        quoted(&table.name, '"'),
    );
    let look = looks.begin::<Postgres>(connection).await?;
    let answers = sqlx::query_scalar(AssertSqlSafe(sql));
    let answers: Vec<bool> = look.end(answers.fetch_one(&mut *connection).await)?;
    let found = columns.iter_mut().zip(probes).zip(answers);
    for ((column, (_, why)), _) in found.filter(|(_, is_found)| *is_found) {
        match why {
            Some(why) => leave_out(column, why),
            None => column.holds_empty_texts = true,
        }
    }
    Ok(())
}

/// The condition that a key has another text in its path than in its row.
fn key_probe(column: &CatalogueColumn) -> Option<(String, Option<&'static str>)> {
    let own = quoted(&column.name, '"');
    let length = Declared::parse(&column.declared).length().unwrap_or(1);
    let is_padded = column.declared.starts_with("character(");
    is_padded.then(|| {
        let why = "rows hold shorter texts, which PostgreSQL fills up with spaces";
        (format!("length({own}) < {length}"), Some(why))
    })
}

/// The condition of odd values in a column, and why the service cannot read them; it reads empty texts.
fn probe(column: &CatalogueColumn) -> Option<(String, Option<&'static str>)> {
    let own = quoted(&column.name, '"');
    if column.may_be_empty() {
        return Some((format!("{own} = ''"), None));
    }
    let (condition, why) = match column.kind.as_ref()? {
        ColumnType::Date | ColumnType::DateTime => {
            (format!("NOT isfinite({own})"), "rows hold infinity")
        }
        ColumnType::Time => (format!("{own} = '24:00'"), "rows hold the time 24:00"),
        ColumnType::Decimal(..) => (
            unreadable_number(&own, &column.declared),
            "rows hold NaN, or numbers of more than 28 digits",
        ),
        _ => return None,
    };
    Some((condition, Some(why)))
}

/// NaN is larger than all numbers, and has no digits.
fn unreadable_number(own: &str, declared: &str) -> String {
    let is_large = format!("abs({own}) >= 79228162514264337593543950335");
    match Declared::parse(declared).digits() {
        Some((0..=28, _)) => is_large,
        _ => {
            let digits = format!("translate(rtrim({own}::text, '0'), '-.', '')");
            format!("{is_large} OR length({digits}) > 28")
        }
    }
}

/// Whether rows get a value by default that the service cannot read.
fn is_odd(column: &CatalogueColumn) -> bool {
    let odd: &[&str] = match column.kind {
        Some(ColumnType::Date | ColumnType::DateTime) => &["infinity", "-infinity"],
        Some(ColumnType::Decimal(..)) => &["nan", "infinity", "-infinity"],
        Some(ColumnType::Time) => &["24:00", "24:00:00"],
        _ => return false,
    };
    let Some(ColumnDefault::Value(text)) = &column.default else {
        return false;
    };
    odd.contains(&text.to_lowercase().as_str())
}

fn leave_out(column: &mut CatalogueColumn, why: &str) {
    column.kind = None;
    column.note = Some(why.to_owned());
}
