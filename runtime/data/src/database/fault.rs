//! Failures of statements, and the client's errors.

use formwork_vocabulary::inflect::words;
use sqlx::error::DatabaseError;

use crate::error::{Error, ValidationErrors};

/// Why a statement failed.
#[derive(Debug)]
pub enum Fault {
    /// A unique constraint over these columns.
    Unique(Vec<String>),
    /// A foreign key: the named row does not exist, or the row to delete is named by others.
    ForeignKey,
    /// No connection was free in time, another writer did not finish, or the pool is closed.
    Busy(&'static str),
    /// Anything else.
    Other(Error),
}

impl Fault {
    /// The database has no time for the statement.
    pub(super) const BUSY: Self = Self::Busy("The database is busy; try again later.");

    /// The error of driver and database. `refused` decodes the codes of each database.
    pub(super) fn of(error: sqlx::Error, refused: fn(&dyn DatabaseError) -> Option<Self>) -> Self {
        match error {
            sqlx::Error::PoolTimedOut => Self::BUSY,
            sqlx::Error::PoolClosed => Self::Busy("The service is stopping."),
            sqlx::Error::Database(refusal) if refusal.is_foreign_key_violation() => {
                Self::ForeignKey
            }
            sqlx::Error::Database(refusal) => match refused(&*refusal) {
                Some(fault) => fault,
                None => Self::Other(Error::internal(sqlx::Error::Database(refusal))),
            },
            other => Self::Other(Error::internal(other)),
        }
    }
}

/// docs/contract.md, Errors: a unique constraint lost in a race is a 422 on that field.
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
            Fault::Busy(sentence) => Self::Unavailable(sentence.to_owned()),
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
    fn a_unique_constraint_is_told_of_its_first_column() {
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
