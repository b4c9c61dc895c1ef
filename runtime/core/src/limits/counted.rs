//! Owners of request counts.

use std::net::IpAddr;

use crate::auth::{Caller, subscriber};

/// The owner of a count: its requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Those with this token: the key of its row.
    Token(i64),
    /// Those without a valid token, by address; without a known address, all of them.
    Address(Option<IpAddr>),
    /// Those of a session of the admin area: the key of its row.
    Session(i64),
}

impl Counted {
    /// A caller without a valid token is counted by address, so that inventing tokens is limited.
    pub fn of(caller: Option<&Caller>, address: Option<IpAddr>) -> Self {
        match caller.and_then(Caller::account) {
            Some(account) => Self::Token(account.token_id),
            None => Self::Address(address.map(subscriber)),
        }
    }
}
