//! What logins are judged by.

use super::{attempts::Attempts, customers::CustomerTable};

/// What logins are judged by.
pub(super) struct Logins {
    /// The table of customers.
    pub customers: CustomerTable,
    /// Failed logins.
    pub attempts: Attempts,
}
