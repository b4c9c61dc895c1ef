//! The connection that a statement runs on.

use std::ops::{Deref, DerefMut};

use tokio::sync::MappedMutexGuard;

use super::{
    driver::DriverConnection, open::Open, progress::Progress, share::Permit, writers::Turn,
};

/// The connection of one statement.
pub(super) enum Connection<'d> {
    /// One of the pool, and a part of the caller's share.
    Reading(DriverConnection, Permit),
    /// One of the pool, and the right to write.
    Writing(DriverConnection, Turn, &'d Progress),
    /// That of the open transaction.
    Transaction(MappedMutexGuard<'d, Open>),
}

impl Connection<'_> {
    /// Returns it to the pool: the statement ended well.
    pub fn done(self) {
        match self {
            Self::Reading(connection, _permit) => connection.done(),
            Self::Writing(connection, _turn, progress) => {
                connection.done();
                // Outside of a transaction each statement commits by itself.
                progress.committed();
            }
            Self::Transaction(_) => {}
        }
    }
}

impl Deref for Connection<'_> {
    type Target = DriverConnection;

    fn deref(&self) -> &DriverConnection {
        match self {
            Self::Reading(connection, _) | Self::Writing(connection, ..) => connection,
            Self::Transaction(open) => &open.connection,
        }
    }
}

impl DerefMut for Connection<'_> {
    fn deref_mut(&mut self) -> &mut DriverConnection {
        match self {
            Self::Reading(connection, _) | Self::Writing(connection, ..) => connection,
            Self::Transaction(open) => &mut open.connection,
        }
    }
}
