//! Failures of statements, and the client's errors.

#[cfg(any(feature = "postgres", feature = "mysql"))]
use std::time::Duration;

use formwork_vocabulary::inflect::words;
use sqlx::error::DatabaseError;

use crate::error::{Error, ValidationErrors};

/// How often a statement that commits by itself is sent, where it ends in a deadlock each time.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(super) const ATTEMPTS: usize = 3;

/// How long it waits before it is sent again: without a pause it would often take its locks once more
/// before those that wait for them, and end in the same deadlock.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(super) const PAUSE: Duration = Duration::from_millis(20);

/// What clients read about a statement that ran too long.
const TOO_LONG: &str = "The database took too long; try again later.";

/// Why a statement failed.
#[derive(Debug)]
pub enum Fault {
    /// A unique constraint over these columns.
    Unique(Vec<String>),
    /// A foreign key: the named row does not exist, or the row to delete is named by others.
    ForeignKey,
    /// A foreign key of which this is the first column: the named row does not exist.
    NoParent(String),
    /// A check constraint of this name.
    Check(String),
    /// The value of this column is too long, out of its range, or missing.
    Unfit {
        /// The column.
        column: String,
        /// The fault of the value: `is too long`.
        why: &'static str,
    },
    /// As [`Fault::Unfit`], for a value whose column the database does not name.
    UnfitValue(&'static str),
    /// A text has characters that the column lacks with which it is compared.
    Incomparable,
    /// No connection was free in time, another writer did not finish, or the pool is closed.
    Busy(&'static str),
    /// The transaction was rolled back in favour of another one.
    Deadlock,
    /// The connection to the server was lost, and with it what was not committed.
    Lost,
    /// Anything else.
    Other(Error),
}

impl Fault {
    /// A check constraint of this name.
    pub(super) fn check(name: &str) -> Self {
        Self::Check(name.to_owned())
    }

    /// A column without a value that needs one.
    pub(super) fn missing(column: &str) -> Self {
        Self::Unfit {
            column: column.to_owned(),
            why: "must have a value",
        }
    }

    /// The database has no time for the statement.
    pub(super) const BUSY: Self = Self::Busy("The database is busy; try again later.");

    /// The statement ran longer than `database.statement_timeout`.
    pub(super) const TOO_LONG: Self = Self::Busy(TOO_LONG);

    /// Whether a statement ran too long.
    #[cfg(feature = "sqlite")]
    pub(super) fn is_too_long(&self) -> bool {
        matches!(self, Self::Busy(TOO_LONG))
    }

    #[cfg(any(feature = "postgres", feature = "mysql"))]
    /// The fault of a commit: whether it was made is not known where its answer was lost, so it is
    /// no 503, which would promise that nothing was changed.
    pub(super) fn of_commit(error: sqlx::Error, fault: fn(sqlx::Error) -> Self) -> Self {
        match error {
            sqlx::Error::Database(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => {
                fault(error)
            }
            lost => Self::Other(Error::internal(lost)),
        }
    }

    /// The error of driver and database. `refused` decodes the codes of each database.
    pub(super) fn of(error: sqlx::Error, refused: fn(&dyn DatabaseError) -> Option<Self>) -> Self {
        match error {
            sqlx::Error::PoolTimedOut => Self::BUSY,
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) => Self::Lost,
            sqlx::Error::PoolClosed => Self::Busy("The service is stopping."),
            sqlx::Error::Database(refusal) => match refused(&*refusal) {
                Some(fault) => fault,
                None if refusal.is_foreign_key_violation() => Self::ForeignKey,
                None => Self::Other(Error::internal(sqlx::Error::Database(refusal))),
            },
            other => Self::Other(Error::internal(other)),
        }
    }
}

/// A unique constraint lost in a race is a 422 on its field, as if the rule `unique` had found it.
impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unique(columns) => {
                let mut errors = ValidationErrors::default();
                // The first column names the constraint; the others only narrow it.
                for column in columns.into_iter().take(1) {
                    let label = words(&column);
                    errors.add(column, format!("The {label} has already been taken."));
                }
                Self::Validation(errors)
            }
            Fault::ForeignKey => Self::conflict(
                "The record cannot be deleted or changed, because other records depend on it.",
            ),
            Fault::NoParent(column) => {
                let label = words(&column);
                Self::validation(column, format!("The selected {label} is invalid."))
            }
            Fault::Unfit { column, why } => {
                let label = words(&column);
                Self::validation(column, format!("The {label} field {why}."))
            }
            Fault::UnfitValue(why) => Self::validation("value", format!("The value {why}.")),
            Fault::Incomparable => {
                let sentence = "A value holds a character that the database cannot store here.";
                Self::Malformed(sentence.to_owned())
            }
            Fault::Check(name) => {
                let message = format!("The values break the constraint {name}.");
                Self::validation(name, message)
            }
            Fault::Busy(sentence) => Self::Unavailable(sentence.to_owned()),
            Fault::Deadlock => Self::Deadlock,
            Fault::Lost => {
                let sentence = "The database cannot be reached; try again later.";
                Self::Unavailable(sentence.to_owned())
            }
            Fault::Other(error) => error,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violated_unique_constraint_is_reported_on_its_first_column() {
        let columns = ["menu_name", "place_id"].map(str::to_owned);
        let error = Error::from(Fault::Unique(columns.into()));
        assert_eq!(error.to_string(), "The menu name has already been taken.");
        assert!(matches!(error, Error::Validation(_)));
    }

    #[test]
    fn busy_databases_are_unavailable() {
        let busy = Error::from(Fault::of(sqlx::Error::PoolTimedOut, |_| None));
        assert!(matches!(busy, Error::Unavailable(_)));
        let referenced = Error::from(Fault::ForeignKey);
        assert!(matches!(referenced, Error::Conflict(_)));
    }
}
