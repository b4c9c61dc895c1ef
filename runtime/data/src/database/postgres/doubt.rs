//! Whether the server still holds a transaction.
//!
//! A failed statement aborts PostgreSQL's transaction: it refuses all further statements, and answers
//! COMMIT with ROLLBACK, which is no error to sqlx.

use crate::{database::fault::Fault, error::Error};

/// Why the transaction may be aborted.
#[derive(Debug, Clone)]
pub(super) enum Doubt {
    /// A statement was lost in favour of others: the request can be repeated.
    Busy(&'static str),
    /// A statement failed with this error.
    Failed(String),
    /// Its statements were answered elsewhere: the connection was lent, or a statement was given up.
    Unseen,
}

impl Doubt {
    /// The doubt that a failed statement raises.
    pub fn of(fault: &Fault, error: String) -> Self {
        match fault {
            Fault::Busy(sentence) => Self::Busy(sentence),
            Fault::Deadlock => Self::Busy("The database is busy; try again later."),
            _ => Self::Failed(error),
        }
    }

    /// The fault of what follows in an aborted transaction, its commit too.
    pub fn fault(&self) -> Fault {
        let why = match self {
            Self::Busy(sentence) => return Fault::Busy(sentence),
            Self::Failed(error) => error,
            Self::Unseen => "on a lent connection, or one that was given up",
        };
        Fault::Other(Error::internal(format!(
            "a statement failed ({why}), and PostgreSQL has rolled its transaction back; where a \
             statement may fail, send it behind `Db::savepoint`"
        )))
    }
}
