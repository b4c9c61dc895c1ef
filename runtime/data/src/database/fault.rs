//! What can go wrong with a statement, and what the client learns of it.

use formwork_vocabulary::inflect::words;

use crate::error::{Error, ValidationErrors};

/// Why the database did not do what it was told.
#[derive(Debug)]
pub enum Fault {
    /// A unique constraint over these columns.
    Unique(Vec<String>),
    /// A foreign key: the row that is named does not exist, or the one to delete is named.
    ForeignKey,
    /// No connection was free in time, another writer did not finish, or the pool is closed.
    Busy(&'static str),
    /// Anything else.
    Other(Error),
}

impl Fault {
    /// What driver and database said.
    pub fn of(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut => Self::Busy("The database is busy; try again later."),
            sqlx::Error::PoolClosed => Self::Busy("The service is stopping."),
            sqlx::Error::Database(refusal) if refusal.is_unique_violation() => {
                Self::Unique(unique_columns(refusal.message()))
            }
            sqlx::Error::Database(refusal) if refusal.is_foreign_key_violation() => {
                Self::ForeignKey
            }
            sqlx::Error::Database(refusal) if locked(refusal.code().as_deref()) => {
                Self::Busy("The database is busy; try again later.")
            }
            other => Self::Other(Error::internal(other)),
        }
    }
}

/// SQLite names the columns: `UNIQUE constraint failed: menus.menu_name, menus.location_id`.
fn unique_columns(message: &str) -> Vec<String> {
    let names = message.rsplit(": ").next().unwrap_or_default();
    let column = |name: &str| {
        name.trim()
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    names.split(',').map(column).collect()
}

/// SQLITE_BUSY and SQLITE_LOCKED, whatever their extension (the low byte is the primary code).
fn locked(code: Option<&str>) -> bool {
    let code = code
        .and_then(|code| code.parse::<i32>().ok())
        .unwrap_or_default();
    matches!(code & 0xFF, 5 | 6)
}

/// http.md, Errors: a unique constraint lost in a race is a 422 on that field.
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
    fn a_unique_constraint_names_its_first_column() {
        let columns = unique_columns("UNIQUE constraint failed: menus.menu_name, menus.place_id");
        assert_eq!(columns, ["menu_name", "place_id"]);
        let error = Error::from(Fault::Unique(columns));
        assert_eq!(error.to_string(), "The menu name has already been taken.");
        assert!(matches!(error, Error::Validation(_)));
    }

    #[test]
    fn busy_databases_are_unavailable() {
        assert!(locked(Some("5")) && locked(Some("517")) && locked(Some("6")));
        assert!(!locked(Some("19")) && !locked(None));
        let busy = Error::from(Fault::of(sqlx::Error::PoolTimedOut));
        assert!(matches!(busy, Error::Unavailable(_)));
        let referenced = Error::from(Fault::ForeignKey);
        assert!(matches!(referenced, Error::Conflict(_)));
    }
}
