//! Refusals cost one and the same work, whoever they are about: a login to an account with an older hash
//! takes longer to check than one with a newer hash, or than one that does not exist, and who measures it
//! learns which accounts there are (http.md, "Tokens": "in the same time").

use std::sync::atomic::{AtomicU32, Ordering};

use super::{AccountKind, CustomerTable, customers::AccountTable, password};
use crate::{database::Db, error::Result};

/// What bcrypt may cost (its exponent), and what refusals of others follow: beyond, one account's hash
/// would let anybody keep the machine busy.
const COSTS: std::ops::RangeInclusive<u32> = 4..=14;

/// The costliest bcrypt hash that is known to be stored; 0 where none is.
#[derive(Debug, Default)]
pub(super) struct Costliest(AtomicU32);

/// Work that a refusal has to do still.
#[derive(Debug, Default, PartialEq, Eq)]
struct Left {
    argon2: bool,
    bcrypt: Vec<u32>,
}

impl Costliest {
    /// Learns which hashes are stored. New ones are never bcrypt: what is not there when a service
    /// starts comes by hand, and is learned when it is seen.
    ///
    /// # Errors
    ///
    /// When the tables cannot be read.
    pub async fn learn(&self, db: &Db, customers: &CustomerTable) -> Result<()> {
        for kind in [AccountKind::Admin, AccountKind::Customer] {
            let found = AccountTable::of(kind, customers)
                .costliest_bcrypt(db)
                .await?;
            self.seen(found.as_deref());
        }
        Ok(())
    }

    /// Remembers a hash that is stored.
    pub fn seen(&self, hash: Option<&str>) {
        if let Some(cost) = hash.and_then(bcrypt_cost) {
            self.0.fetch_max(cost.min(*COSTS.end()), Ordering::Relaxed);
        }
    }

    /// Does the work that checking this hash, or none, did not do.
    ///
    /// # Errors
    ///
    /// When the service is stopping.
    pub async fn even(&self, password: &str, checked: Option<&str>) -> Result<()> {
        let left = self.left(checked);
        if left == Left::default() {
            return Ok(());
        }
        password::labour(password, left.argon2, left.bcrypt).await
    }

    fn left(&self, checked: Option<&str>) -> Left {
        let costliest = self.0.load(Ordering::Relaxed);
        if costliest == 0 {
            return Left::default();
        }
        match checked.and_then(bcrypt_cost) {
            // Each step of the cost doubles the work: with these it is that of the costliest.
            Some(cost) => Left {
                argon2: true,
                bcrypt: (cost..costliest).collect(),
            },
            None => Left {
                argon2: false,
                bcrypt: vec![costliest],
            },
        }
    }
}

/// The exponent of `$2y$12$…`.
fn bcrypt_cost(hash: &str) -> Option<u32> {
    let cost = hash.strip_prefix("$2")?.split('$').nth(1)?.parse().ok()?;
    (cost >= *COSTS.start()).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGON2: &str = "$argon2id$v=19$m=19456,t=2,p=1$x$y";

    fn of(cost: u32) -> String {
        format!("$2y${cost:02}$abcdefghijklmnopqrstuv")
    }

    /// The work of a refusal: that of the check, and what is left.
    fn whole(costliest: &Costliest, checked: Option<&str>) -> (bool, u64) {
        let left = costliest.left(checked);
        let first = checked.and_then(bcrypt_cost);
        let bcrypt = first.iter().chain(&left.bcrypt).map(|cost| 1_u64 << cost);
        (left.argon2 || first.is_none(), bcrypt.sum())
    }

    #[test]
    fn every_refusal_costs_the_same() {
        let costliest = Costliest::default();
        for checked in [None, Some(ARGON2)] {
            assert_eq!(costliest.left(checked), Left::default());
        }
        for (seen, expected) in [(10, 10), (12, 12), (5, 12), (31, 14)] {
            costliest.seen(Some(&of(seen)));
            let hashes: Vec<String> = (4..=expected).map(of).collect();
            let hashes = hashes.iter().map(|hash| Some(hash.as_str()));
            for checked in hashes.chain([None, Some(ARGON2), Some("")]) {
                assert_eq!(
                    whole(&costliest, checked),
                    (true, 1 << expected),
                    "{checked:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_bcrypt_teaches_nothing() {
        let costliest = Costliest::default();
        for none in [
            None,
            Some(""),
            Some(ARGON2),
            Some("$2"),
            Some("$2y$xx$"),
            Some("$2y$00$a"),
        ] {
            costliest.seen(none);
            assert_eq!(costliest.left(None), Left::default(), "{none:?}");
        }
    }
}
