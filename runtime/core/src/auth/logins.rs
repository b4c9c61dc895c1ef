//! The state that logins are checked against.

use super::{attempts::Attempts, customers::CustomerTable};

/// The state that logins are checked against.
pub(super) struct Logins {
    /// The table of customers.
    pub customers: CustomerTable,
    /// Failed logins.
    pub attempts: Attempts,
}
