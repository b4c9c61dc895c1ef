//! Owners of request counts.

use std::net::IpAddr;

use crate::auth::{AccountKind, Caller, subscriber};

/// The owner of a count: its requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Those with this token: the key of its row.
    Token(i64),
    /// Those of an account that came without a token of the service: its kind and key.
    Account(AccountKind, i64),
    /// Those without a valid token, by address; without a known address, all of them.
    Address(Option<IpAddr>),
    /// Those of a session of the admin area: the key of its row.
    Session(i64),
}

impl Counted {
    /// A caller without a valid token is counted by address, so that inventing tokens is limited.
    pub fn of(caller: Option<&Caller>, address: Option<IpAddr>) -> Self {
        match caller.and_then(Caller::account) {
            Some(account) if account.token_id == 0 => Self::Account(account.kind, account.id),
            Some(account) => Self::Token(account.token_id),
            None => Self::Address(address.map(subscriber)),
        }
    }
}
