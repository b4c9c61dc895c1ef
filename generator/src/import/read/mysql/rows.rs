//! Columns of MySQL and MariaDB whose rows hold values that the type of the manifest cannot hold.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::{AssertSqlSafe, MySql, MySqlConnection};

use crate::import::catalogue::{CatalogueColumn, CatalogueTable};
use crate::import::read::arguments::{Declared, quoted};
use crate::import::read::kinds::LOOKED_AT;
use crate::import::read::looks::{AS_DECLARED, Looks, Unlooked};
use crate::project::ColumnType;

/// Tables that one statement asks about.
const ASKED_AT_ONCE: usize = 25;

/// A value that a column can hold, and the type in the manifest cannot.
#[derive(Debug, Clone, Copy)]
enum Odd {
    /// `0000-00-00`.
    ZeroDate,
    /// `2026-00-00`.
    PartOfDate,
    /// `25:00:00`.
    LongTime,
    /// A number beyond a signed 64-bit integer.
    LargeNumber,
    /// A decimal beyond 96 bits.
    LongDecimal,
    /// A `TINYINT(1)` that counts.
    Number,
    /// A text of 36 characters that is not a uuid.
    Text,
    /// An empty text.
    Empty,
}

/// A question about the rows of a table.
struct Question {
    /// Its place among the tables.
    table: usize,
    is_view: bool,
    /// Indexes of columns, and the values to look for.
    probes: Vec<(usize, Odd)>,
    /// One row: the table's place, and 1 or 0 for each probe.
    sql: String,
}

/// Looks for values that the types of the manifest cannot hold, and changes the columns that have some. `rows` are
/// estimates of the number of rows, by table.
pub(super) async fn odd_values(
    connection: &mut MySqlConnection,
    tables: &mut [CatalogueTable],
    looks: &mut Looks,
    rows: &BTreeMap<String, i64>,
) {
    let questions = tables.iter().enumerate().filter_map(|(at, table)| {
        let about = rows.get(&table.name).copied().unwrap_or(i64::MAX);
        question(at, table, about)
    });
    let (views, others): (Vec<Question>, Vec<Question>) = questions.partition(|one| one.is_view);
    // A view fails where its tables were dropped: views are asked one by one.
    let mut alone: Vec<&Question> = views.iter().collect();
    for several in others.chunks(ASKED_AT_ONCE) {
        if ask(connection, tables, looks, several).await.is_err() {
            alone.extend(several);
        }
    }
    for one in alone {
        let table = one.table;
        let one = std::slice::from_ref(one);
        match ask(connection, tables, looks, one).await {
            Ok(()) => {}
            Err(Unlooked::Failed(error)) => tables[table].note_unread(&error),
            Err(Unlooked::Late) => tables[table].note_unlooked(AS_DECLARED),
        }
    }
}

fn question(at: usize, table: &CatalogueTable, rows: i64) -> Option<Question> {
    let columns = table.columns.iter().enumerate();
    let found = columns.flat_map(|(at, column)| {
        let found = probes(column).into_iter();
        found.map(move |(odd, condition)| ((at, odd), condition))
    });
    let (probes, conditions): (Vec<(usize, Odd)>, Vec<String>) = found.unzip();
    let asked: Vec<String> = conditions
        .iter()
        .map(|condition| format!("COALESCE(MAX({condition}), 0)"))
        .collect();
    let name = quoted(&table.name, '`');
    let columns: BTreeSet<usize> = probes.iter().map(|(column, _)| *column).collect();
    let columns = columns.into_iter();
    let columns: Vec<String> = columns
        .map(|at| quoted(&table.columns[at].name, '`'))
        .collect();
    // A derived table costs more than reading all rows of a small table.
    let looked_at = match rows <= i64::from(LOOKED_AT) {
        true => name,
        false => format!(
            "(SELECT {} FROM {name} LIMIT {LOOKED_AT}) AS looked_at",
            columns.join(", ")
        ),
    };
    let asked = asked.join(", ");
    let sql = format!(
        "SELECT CAST({at} AS SIGNED), CAST(CONCAT_WS(',', {asked}) AS CHAR) FROM {looked_at}"
    );
    (!probes.is_empty()).then_some(Question {
        table: at,
        is_view: table.is_view,
        probes,
        sql,
    })
}

/// Asks about several tables in one statement.
async fn ask(
    connection: &mut MySqlConnection,
    tables: &mut [CatalogueTable],
    looks: &mut Looks,
    questions: &[Question],
) -> Result<(), Unlooked> {
    let sql: Vec<&str> = questions.iter().map(|one| one.sql.as_str()).collect();
    let sql = sql.join(" UNION ALL ");
    let look = looks.begin::<MySql>(connection).await?;
    let answers = sqlx::query_as(AssertSqlSafe(sql));
    let answers: Vec<(i64, String)> = look.end(answers.fetch_all(&mut *connection).await)?;
    for question in questions {
        let answer = answers.iter().find(|(at, _)| *at == question.table as i64);
        let answers = answer.map_or("", |(_, text)| text).split(',');
        for ((column, odd), _) in question
            .probes
            .iter()
            .zip(answers)
            .filter(|(_, it)| *it == "1")
        {
            settle(&mut tables[question.table].columns[*column], *odd);
        }
    }
    Ok(())
}

/// Odd values to look for in a column, and their conditions.
fn probes(column: &CatalogueColumn) -> Vec<(Odd, String)> {
    let declared = column.declared.to_lowercase();
    let own = quoted(&column.name, '`');
    let no_day = format!("MONTH({own}) = 0 OR DAYOFMONTH({own}) = 0");
    let uuid = "'^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'";
    match column.kind {
        Some(ColumnType::Date | ColumnType::DateTime) => vec![
            (Odd::ZeroDate, no_day.clone()),
            (Odd::PartOfDate, format!("YEAR({own}) <> 0 AND ({no_day})")),
        ],
        Some(ColumnType::Time) => {
            let longest = "'23:59:59.999999'";
            vec![(
                Odd::LongTime,
                format!("{own} NOT BETWEEN '00:00:00' AND {longest}"),
            )]
        }
        Some(ColumnType::BigInt) if is_wide(&declared) => {
            vec![(Odd::LargeNumber, format!("{own} > {}", i64::MAX))]
        }
        Some(ColumnType::Decimal(..)) if Declared::parse(&declared).length() > Some(28) => {
            let most = "79228162514264337593543950335";
            vec![(Odd::LongDecimal, format!("ABS({own}) >= {most}"))]
        }
        Some(ColumnType::Boolean) if declared.starts_with("tinyint") => {
            vec![(Odd::Number, format!("{own} NOT IN (0, 1)"))]
        }
        Some(ColumnType::Uuid) if declared.starts_with("char") => {
            // The service writes and looks for small letters; a collation may not tell them apart.
            let capitals = format!("HEX({own}) <> HEX(LOWER({own}))");
            vec![(Odd::Text, format!("{own} NOT REGEXP {uuid} OR {capitals}"))]
        }
        _ if column.may_be_empty() => vec![(Odd::Empty, format!("{own} = ''"))],
        _ => Vec::new(),
    }
}

/// Whether a type has numbers beyond a signed 64-bit integer.
fn is_wide(declared: &str) -> bool {
    declared == "bit(64)" || (declared.starts_with("bigint") && declared.contains("unsigned"))
}

fn settle(column: &mut CatalogueColumn, odd: Odd) {
    let (kind, note) = match odd {
        Odd::ZeroDate => {
            column.holds_zero_dates = true;
            return;
        }
        Odd::Empty => {
            column.holds_empty_texts = true;
            return;
        }
        Odd::PartOfDate => (None, "rows hold dates without a month or a day"),
        Odd::LongTime => (None, "rows hold times that are longer than a day"),
        Odd::LargeNumber => (None, "rows hold numbers beyond 9223372036854775807"),
        Odd::LongDecimal => (None, "rows hold numbers beyond 28 digits"),
        Odd::Number => (
            Some(ColumnType::Integer),
            "Rows hold numbers other than 0 and 1, so it is not a boolean.",
        ),
        Odd::Text => (
            Some(ColumnType::String(36)),
            "Rows hold texts that are not uuids in small letters.",
        ),
    };
    (column.kind, column.is_guessed) = (kind, false);
    column.note = Some(note.to_owned());
}
