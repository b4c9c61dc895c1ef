//! Rows that MySQL and MariaDB would refuse. A row has 65,535 bytes, long texts and JSON left out, and
//! what InnoDB keeps of it in a page is less than 8,126.
//! <https://dev.mysql.com/doc/refman/8.4/en/column-count-limit.html>,
//! <https://mariadb.com/kb/en/innodb-row-formats-overview/>.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::project::{ColumnType, Database, Model};

use super::draft::Draft;
use super::index_limits::{CHARACTER, models};
use super::report::Report;

/// Bytes of a row.
const ROW: u32 = 65_535;

/// Bytes of a row in a page.
const PAGE: u32 = 8_125;

/// Bytes that InnoDB adds to each row: a header, the transaction, and the place of the old row.
const OWN: u32 = 5 + 6 + 7;

/// A column: its name, its type, and whether it is the key.
type Column<'m> = (&'m str, &'m ColumnType, bool);

/// Refuses tables with rows that MariaDB has no room for, where the project names it.
pub fn check(drafts: &[Draft<'_>], databases: &BTreeSet<Database>, found: &mut Vec<Diagnostic>) {
    if !databases.contains(&Database::Mysql) {
        return;
    }
    for (draft, model) in models(drafts).filter(|(_, model)| model.managed) {
        let columns = columns(model);
        let flags = nullable(model).div_ceil(8);
        let sum =
            |bytes: fn(Column<'_>) -> u32| -> u32 { columns.iter().copied().map(bytes).sum() };
        let row = flags + sum(in_row);
        let page = OWN + flags + sum(in_page);
        let (bytes, most, counted) = match (row > ROW, page > PAGE) {
            (true, _) => (row, ROW, in_row as fn(Column<'_>) -> u32),
            (_, true) => (page, PAGE, in_page as fn(Column<'_>) -> u32),
            _ => continue,
        };
        let longest = columns.iter().max_by_key(|column| counted(**column));
        let Some((name, kind, _)) = longest else {
            continue;
        };
        let place = draft.places.get(*name).copied().unwrap_or(draft.span);
        let message = format!(
            "a row of `{}` is too long for MariaDB: {bytes} bytes, at up to {CHARACTER} a character, but at most {most} fit",
            model.table
        );
        let help = match (kind, most) {
            (ColumnType::String(_), ROW) => {
                "a `text` column takes only 12 bytes: make long strings `text`, or shorten them".to_owned()
            }
            _ => "strings of up to 63 characters, uuids and numbers stay in the page of the row: make some of the strings `text`, \
                  or move columns to a table of their own"
                .to_owned(),
        };
        let mut report = Report::new(draft.path);
        report.error(Code::RowLimit, place, message).help(help);
        found.append(&mut report.found);
    }
}

fn columns(model: &Model) -> Vec<Column<'_>> {
    let own = (model.key.name.as_str(), &model.key.kind, true);
    let attributes = model.attributes.iter();
    let attributes = attributes.map(|one| (one.name.as_str(), &one.kind, false));
    let stamps = ["created_at", "updated_at"].map(|name| (name, &ColumnType::DateTime, false));
    let stamps = stamps.into_iter().filter(|_| model.timestamps);
    [own].into_iter().chain(attributes).chain(stamps).collect()
}

/// Each has a bit.
fn nullable(model: &Model) -> u32 {
    let attributes = model.attributes.iter().filter(|one| one.nullable).count();
    let stamps = if model.timestamps { 2 } else { 0 };
    u32::try_from(attributes + stamps).unwrap_or(u32::MAX)
}

/// The bytes that a column takes of a row.
fn in_row((_, kind, _): Column<'_>) -> u32 {
    match varying(kind) {
        Some(bytes) if *kind == ColumnType::Uuid => bytes,
        Some(bytes) => bytes + if bytes < 256 { 1 } else { 2 },
        None if matches!(kind, ColumnType::Text | ColumnType::Json) => 12,
        None => fixed(kind),
    }
}

/// The bytes that a column takes of a page. A text of more than 255 bytes moves to other pages, but for
/// the key's.
fn in_page((_, kind, is_key): Column<'_>) -> u32 {
    match varying(kind) {
        Some(bytes) if bytes < 256 => bytes + 1,
        Some(bytes) if is_key => bytes + 2,
        None if !matches!(kind, ColumnType::Text | ColumnType::Json) => fixed(kind),
        _ => 21,
    }
}

/// The bytes of the longest text of a column with a length.
fn varying(kind: &ColumnType) -> Option<u32> {
    match kind {
        ColumnType::String(length) => Some(length.saturating_mul(CHARACTER)),
        ColumnType::Enum(_) => Some(255 * CHARACTER),
        ColumnType::Uuid => Some(36 * CHARACTER),
        _ => None,
    }
}

fn fixed(kind: &ColumnType) -> u32 {
    // Nine digits are four bytes.
    let digits = |digits: u8| u32::from(digits) / 9 * 4 + u32::from(digits % 9).div_ceil(2);
    match kind {
        ColumnType::Integer => 4,
        ColumnType::Boolean => 1,
        ColumnType::Date | ColumnType::Time => 3,
        ColumnType::Decimal(precision, scale) => {
            digits(precision.saturating_sub(*scale)) + digits(*scale)
        }
        _ => 8,
    }
}
