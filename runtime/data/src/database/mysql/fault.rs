//! Errors of MariaDB and MySQL for refused statements. Both use the same numbers
//! (<https://mariadb.com/kb/en/mariadb-error-code-reference/>).

use sqlx::{error::DatabaseError, mysql::MySqlDatabaseError};

use crate::database::fault::Fault;

/// The error of driver and server. A unique constraint is named by its index: the statement knows
/// the table, and asks for its columns.
pub(super) fn fault(error: sqlx::Error) -> Fault {
    Fault::of(error, refused)
}

/// Whether the server rolled back the whole transaction, not only the statement.
pub(super) fn ends_transaction(error: &sqlx::Error) -> bool {
    // ER_LOCK_DEADLOCK, and ER_CHECKREAD: a row was changed since it was read.
    matches!(number(error), Some(1213 | 1020))
}

fn number(error: &sqlx::Error) -> Option<u16> {
    let refusal = error.as_database_error()?;
    Some(refusal.try_downcast_ref::<MySqlDatabaseError>()?.number())
}

/// The faults that only the server's own words and numbers tell.
fn refused(refusal: &dyn DatabaseError) -> Option<Fault> {
    let refusal = refusal.try_downcast_ref::<MySqlDatabaseError>()?;
    match refusal.number() {
        // ER_DUP_ENTRY, ER_DUP_ENTRY_WITH_KEY_NAME
        1062 | 1586 => Some(Fault::Unique(vec![index(refusal.message()).to_owned()])),
        // ER_NO_REFERENCED_ROW_2
        1452 => missing_parent(refusal.message()).map(Fault::NoParent),
        // ER_DATA_TOO_LONG, ER_WARN_DATA_OUT_OF_RANGE
        1406 => unfit(refusal.message(), "is too long"),
        1264 => unfit(refusal.message(), "is out of range"),
        // WARN_DATA_TRUNCATED: no word of an enum or a set
        1265 => unfit(refusal.message(), "is invalid"),
        // ER_TRUNCATED_WRONG_VALUE: a moment that the column does not hold;
        // ER_TRUNCATED_WRONG_VALUE_FOR_FIELD: a character that its character set lacks
        1292 => unheld(refusal.message(), "is out of range"),
        1366 => unheld(
            refusal.message(),
            "holds a character that the database cannot store here",
        ),
        // ER_CANT_AGGREGATE_2COLLATIONS, _3COLLATIONS, _NCOLLATIONS, ER_IMPOSSIBLE_STRING_CONVERSION:
        // a text is compared with a column whose character set lacks one of its characters.
        1267 | 1270 | 1271 | 3988 => Some(Fault::Incomparable),
        // ER_BAD_NULL_ERROR, ER_NO_DEFAULT_FOR_FIELD
        1048 | 1364 => first_quoted(refusal.message()).map(Fault::missing),
        // ER_CONSTRAINT_FAILED (MariaDB), ER_CHECK_CONSTRAINT_VIOLATED (MySQL)
        4025 | 3819 => first_quoted(refusal.message()).map(Fault::check),
        // ER_STATEMENT_TIMEOUT (MariaDB), ER_QUERY_TIMEOUT (MySQL)
        1969 | 3024 => Some(Fault::TOO_LONG),
        // ER_CON_COUNT_ERROR, ER_TOO_MANY_USER_CONNECTIONS, ER_LOCK_WAIT_TIMEOUT
        1040 | 1203 | 1205 => Some(Fault::BUSY),
        // ER_LOCK_DEADLOCK, ER_CHECKREAD
        1213 | 1020 => Some(Fault::Deadlock),
        // ER_SERVER_SHUTDOWN, ER_CONNECTION_KILLED (MariaDB)
        1053 | 1927 => Some(Fault::Lost),
        _ => None,
    }
}

/// The index in `Duplicate entry 'Soup' for key 'menus_name_unique'`, whatever the server's language
/// is. MySQL names the table as well: `'menus.menus_name_unique'`.
fn index(message: &str) -> &str {
    let name = message.rsplit('\'').nth(1).unwrap_or_default();
    name.rsplit('.').next().unwrap_or_default()
}

/// The first column in `… ("shop"."desks", CONSTRAINT "desk" FOREIGN KEY ("spot", "region") REFERENCES …)`; the quotes are
/// those of the session's mode.
fn missing_parent(message: &str) -> Option<String> {
    let (_, key) = message.split_once(" FOREIGN KEY (")?;
    key.split(['`', '"']).nth(1).map(str::to_owned)
}

/// The first name or text in quotes of either kind.
fn first_quoted(message: &str) -> Option<&str> {
    message.split(['\'', '`']).nth(1)
}

/// The fault about the column in ``Incorrect string value: '…' for column `shop`.`menus`.`name` at
/// row 1``. MySQL names the column alone, as `'name'`. Without a column the statement compared values.
fn unheld(message: &str, why: &'static str) -> Option<Fault> {
    let (_, named) = message.rsplit_once(" for column ")?;
    let column = named.rsplit(['\'', '`']).nth(1)?.to_owned();
    Some(Fault::Unfit { column, why })
}

/// The fault about the column in `Data too long for column 'name' at row 1`.
fn unfit(message: &str, why: &'static str) -> Option<Fault> {
    let column = message.split('\'').nth(1)?.to_owned();
    Some(Fault::Unfit { column, why })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_is_named_last() {
        for message in [
            "Incorrect string value: '\\xF0\\x9F' for column `shop`.`menus`.`name` at row 1",
            "Incorrect datetime value: '2050-01-01' for column 'name' at row 1",
        ] {
            let fault = unheld(message, "is out of range");
            assert!(
                matches!(&fault, Some(Fault::Unfit { column, .. }) if column == "name"),
                "{message}: {fault:?}"
            );
        }
        assert!(unheld("Truncated incorrect DOUBLE value: 'x'", "").is_none());
    }

    #[test]
    fn the_last_quoted_word_is_the_index() {
        for (message, expected) in [
            (
                "Duplicate entry 'it's' for key 'menus_name_unique'",
                "menus_name_unique",
            ),
            ("Duplicate entry '1' for key 'menus.PRIMARY'", "PRIMARY"),
            ("Doppelter Eintrag 'a' für Schlüssel 'b'", "b"),
            ("", ""),
        ] {
            assert_eq!(index(message), expected, "{message}");
        }
    }
}
