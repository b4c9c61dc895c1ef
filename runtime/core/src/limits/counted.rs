//! Owners of request counts.

use std::net::IpAddr;

use crate::auth::{AccountKind, Caller, subscriber};

/// The owner of a count: its requests are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Requests of an account, with any of its tokens.
    Account(AccountKind, i64),
    /// Requests without a valid token, by address; without a known address, all of them.
    Address(Option<IpAddr>),
    /// Sign-ins, by address: they have a count of their own, so that requests do not use it up.
    SignIn(Option<IpAddr>),
    /// Requests of a session that an extension keeps for its pages: the key of its row.
    Session(i64),
}

impl Counted {
    /// A caller without a valid token is counted by address, so that inventing tokens is limited.
    pub fn of(caller: Option<&Caller>, address: Option<IpAddr>) -> Self {
        match caller.and_then(Caller::account) {
            Some(account) => Self::Account(account.kind, account.id),
            None => Self::Address(address.map(subscriber)),
        }
    }

    /// Sign-ins from an address.
    pub fn sign_in(address: Option<IpAddr>) -> Self {
        Self::SignIn(address.map(subscriber))
    }
}
