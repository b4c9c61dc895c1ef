//! The context in which records are read and written.

use crate::{database::Db, value::DateTime};

/// The context of finding and changing records: a database handle, and the time.
///
/// The context of a request is one. Inside a hook that runs in a transaction its handle is that
/// transaction.
pub trait DataContext: Sync {
    /// The database: the pool, or a transaction.
    fn db(&self) -> &Db;

    /// The moment that timestamps take.
    fn now(&self) -> DateTime;
}
