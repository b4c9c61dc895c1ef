//! PostgreSQL's errors for refused statements.

use std::borrow::Cow;

use sqlx::{error::DatabaseError, postgres::PgDatabaseError};

use crate::{database::fault::Fault, error::Error};

/// The error of driver and server.
pub(super) fn fault(error: sqlx::Error) -> Fault {
    Fault::of(error, refused)
}

/// Whether the transaction was aborted or ended before (in_failed_sql_transaction,
/// no_active_sql_transaction).
pub(super) fn is_aborted(error: &sqlx::Error) -> bool {
    matches!(code(error).as_deref(), Some("25P02" | "25P01"))
}

/// Whether a statement outside of a transaction can be sent again: the server rolled it back in
/// favour of others (serialization_failure, deadlock_detected).
pub(super) fn can_be_repeated(error: &sqlx::Error) -> bool {
    matches!(code(error).as_deref(), Some("40001" | "40P01"))
}

fn code(error: &sqlx::Error) -> Option<Cow<'_, str>> {
    error.as_database_error()?.code()
}

/// The faults that only PostgreSQL's own words and codes tell.
fn refused(refusal: &dyn DatabaseError) -> Option<Fault> {
    let refusal = refusal.try_downcast_ref::<PgDatabaseError>()?;
    match refusal.code() {
        // unique_violation
        "23505" => Some(Fault::Unique(unique_columns(refusal))),
        // foreign_key_violation
        "23503" => missing_parent(refusal).map(Fault::NoParent),
        // not_null_violation, check_violation, exclusion_violation
        "23502" => refusal.column().map(Fault::missing),
        "23514" | "23P01" => refusal.constraint().map(Fault::check),
        // invalid_text_representation: an enum without this label
        "22P02" => Some(Fault::Other(Error::Malformed(
            "A value does not fit its column.".to_owned(),
        ))),
        // string_data_right_truncation, numeric_value_out_of_range, character_not_in_repertoire,
        // untranslatable_character
        "22001" => Some(Fault::UnfitValue("is too long")),
        "22003" => Some(Fault::UnfitValue("is out of range")),
        "22021" | "22P05" => Some(Fault::UnfitValue(
            "holds a character that the database cannot store here",
        )),
        // restrict_violation: rows that depend on the one to delete.
        "23001" => Some(Fault::ForeignKey),
        // serialization_failure, deadlock_detected
        "40001" | "40P01" => Some(Fault::Deadlock),
        // lock_not_available, too_many_connections, cannot_connect_now
        "55P03" | "53300" | "57P03" => Some(Fault::BUSY),
        // query_canceled, which is what a statement's timeout does; admin_shutdown, crash_shutdown,
        // and the class of lost connections
        "57014" => Some(Fault::TOO_LONG),
        "57P01" | "57P02" => Some(Fault::Lost),
        code if code.starts_with("08") => Some(Fault::Lost),
        _ => None,
    }
}

/// The first column of a foreign key that leads nowhere. Such a message names two things, table and constraint,
/// whatever the server's language is; that of a row which others name has their table too.
fn missing_parent(refusal: &PgDatabaseError) -> Option<String> {
    let columns = key_columns(refusal.detail()?);
    let column = columns.into_iter().next()?;
    names_two(refusal.message()).then_some(column)
}

/// Whether a message has two names in quotes.
fn names_two(message: &str) -> bool {
    message.matches(['"', '»', '«', '„', '“', '”']).count() == 4
}

/// The columns of a unique constraint. The server names them to roles that may read the table; to
/// others it names the constraint alone.
fn unique_columns(refusal: &PgDatabaseError) -> Vec<String> {
    let named = refusal.detail().map(key_columns).unwrap_or_default();
    if named.is_empty() {
        refusal
            .constraint()
            .map(str::to_owned)
            .into_iter()
            .collect()
    } else {
        named
    }
}

/// The columns in `Key (menu_name, location_id)=(Soup, 1) already exists.`, whatever the server's
/// language is; of an expression, `lower(email::text)`, the column that it is about.
fn key_columns(detail: &str) -> Vec<String> {
    let Some((before, _)) = detail.split_once(")=(") else {
        return Vec::new();
    };
    let names = before.split_once('(').map_or("", |(_, names)| names);
    let column = |name: &str| {
        let inner = name.rsplit('(').next().unwrap_or_default();
        let inner = inner.split([')', ':']).next().unwrap_or_default();
        inner.trim().trim_matches('"').to_owned()
    };
    names.split(',').map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_does_not_exist_is_told_from_one_that_others_name() {
        for (message, expected) in [
            (
                "insert or update on table \"desks\" violates foreign key constraint \"desk\"",
                true,
            ),
            (
                "Einfügen oder Aktualisieren in Tabelle »desks« verletzt Fremdschlüssel-Constraint »desk«",
                true,
            ),
            (
                "update or delete on table \"branches\" violates foreign key constraint \"desk\" on table \"desks\"",
                false,
            ),
        ] {
            assert_eq!(names_two(message), expected, "{message}");
        }
    }

    #[test]
    fn the_detail_names_the_columns() {
        for (detail, expected) in [
            ("Key (name)=(Soup) already exists.", &["name"][..]),
            (
                "Key (menu_name, location_id)=(a)=(b, 1) already exists.",
                &["menu_name", "location_id"],
            ),
            (
                "Schlüssel »(lower(email::text))=(a@b)« existiert bereits.",
                &["email"],
            ),
            ("Key (\"Name\")=(Soup) already exists.", &["Name"]),
            ("", &[]),
        ] {
            assert_eq!(key_columns(detail), expected, "{detail}");
        }
    }
}
