//! Passwords: new ones are hashed by Argon2id; bcrypt hashes verify, and are replaced then.

use std::sync::OnceLock;

use argon2::{Argon2, Params, PasswordHasher, PasswordVerifier, password_hash::phc::PasswordHash};
use formwork_data::error::{Error, Result};
use tokio::sync::Semaphore;

/// A hash that no password has, checked if there is no account: it costs as much as a real one. On
/// a busy service, checks wait for each other, longer than the least time: without a check, a login
/// to an unknown account would answer sooner.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$Zm9ybXdvcmstbm9ib2R5cw$\
                      dGhpcyBoYXNoIGJlbG9uZ3MgdG8gbm9ib2R5AAECAwQ";

/// bcrypt ignores further bytes, so a longer password is always refused.
const BCRYPT_LIMIT: usize = 72;

/// The largest cost of a bcrypt hash, and the most memory that an Argon2 hash fills, in KiB for all its
/// passes together. A check of such a hash takes less than the least time of a refusal, so the time
/// does not tell an account from one that does not exist. New hashes are far below it.
const MAX_BCRYPT_COST: u32 = 12;
const MAX_ARGON2_WORK: u64 = 4 * 65_536;

/// The result of a check of a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PasswordVerdict {
    /// Not the password.
    Wrong,
    /// The password.
    Right,
    /// The password, hashed in an older way: to be hashed anew.
    RightButOld,
}

/// Hashes a password with Argon2id, for a column that [`verify_password`] or the token endpoint reads.
///
/// Hashing is made to be slow: it runs beside the requests, as many at a time as there are cores.
///
/// # Errors
///
/// 503 where too many passwords wait; when the system has no randomness, or the service is stopping.
pub async fn hash_password(password: &str) -> Result<String> {
    let password = password.to_owned();
    blocking(move || hash(&password)).await?
}

/// Whether this is the password of a hash: Argon2 or bcrypt.
///
/// # Errors
///
/// 503 where too many passwords wait; when the service is stopping.
pub async fn verify_password(password: &str, hash: &str) -> Result<bool> {
    Ok(check(password, Some(hash)).await? != PasswordVerdict::Wrong)
}

/// Checks a password; without a hash it takes as long, and is wrong.
pub(super) async fn check(password: &str, hash: Option<&str>) -> Result<PasswordVerdict> {
    let (password, hash) = (password.to_owned(), hash.map(str::to_owned));
    blocking(move || match hash.filter(|hash| is_affordable(hash)) {
        Some(hash) if hash.starts_with("$2") => bcrypt_verdict(&password, &hash),
        Some(hash) if hash.starts_with("$argon2") => argon2_verdict(&password, &hash),
        _ => {
            argon2_verdict(&password, NOBODY);
            PasswordVerdict::Wrong
        }
    })
    .await
}

/// Passwords that may wait for a core, for each core: about a second of work.
const WAITING: usize = 32;

/// Runs slow work on a blocking thread, bounded so that logins cannot take every core.
///
/// # Errors
///
/// 503 where too much of it waits.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    static QUEUE: OnceLock<[Semaphore; 2]> = OnceLock::new();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let [places, permits] = QUEUE.get_or_init(|| {
        let cores = cores();
        [(WAITING + 1) * cores, cores].map(Semaphore::new)
    });
    let busy = |_| Error::Unavailable("Too many passwords are being checked.".to_owned());
    let _place = places.try_acquire().map_err(busy)?;
    let _permit = permits.acquire().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(work)
        .await
        .map_err(Error::internal)
}

fn hash(password: &str) -> Result<String> {
    let hash: PasswordHash = Argon2::default()
        .hash_password(password.as_bytes())
        .map_err(|error| Error::internal(error.to_string()))?;
    Ok(hash.to_string())
}

/// Whether a check of this hash stays within the limits. Other hashes count as no hash.
fn is_affordable(hash: &str) -> bool {
    let affordable = if hash.starts_with("$2") {
        let cost = hash.split('$').nth(2).and_then(|cost| cost.parse().ok());
        cost.is_none_or(|cost: u32| cost <= MAX_BCRYPT_COST)
    } else {
        let parameters = PasswordHash::new(hash).ok();
        let parameters = parameters.and_then(|hash| Params::try_from(&hash).ok());
        parameters
            .is_none_or(|it| u64::from(it.m_cost()) * u64::from(it.t_cost()) <= MAX_ARGON2_WORK)
    };
    if !affordable {
        tracing::warn!(
            "a login was refused because the stored hash costs too much to check: bcrypt up to cost \
             {MAX_BCRYPT_COST} and Argon2 up to {MAX_ARGON2_WORK} KiB in all passes are accepted"
        );
    }
    affordable
}

fn argon2_verdict(password: &str, hash: &str) -> PasswordVerdict {
    let Ok(parsed) = PasswordHash::new(hash) else {
        return PasswordVerdict::Wrong;
    };
    match Argon2::default().verify_password(password.as_bytes(), &parsed) {
        Ok(()) if hash.starts_with("$argon2id$") => PasswordVerdict::Right,
        Ok(()) => PasswordVerdict::RightButOld,
        Err(_) => PasswordVerdict::Wrong,
    }
}

fn bcrypt_verdict(password: &str, hash: &str) -> PasswordVerdict {
    match bcrypt::verify(password, hash) {
        Ok(true) if password.len() <= BCRYPT_LIMIT => PasswordVerdict::RightButOld,
        _ => PasswordVerdict::Wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_new_password_is_argon2id_and_verifies() {
        let hash = hash_password("formwork").await.expect("hash");
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert_eq!(
            check("formwork", Some(&hash)).await.expect("check"),
            PasswordVerdict::Right
        );
        assert_eq!(
            check("Formwork", Some(&hash)).await.expect("check"),
            PasswordVerdict::Wrong
        );
        assert_ne!(
            hash,
            hash_password("formwork").await.expect("hash"),
            "the salt is random"
        );
    }

    #[tokio::test]
    async fn bcrypt_verifies_and_is_old() {
        let hash = bcrypt::hash("formwork", 4)
            .expect("bcrypt")
            .replacen("$2b$", "$2y$", 1);
        assert_eq!(
            check("formwork", Some(&hash)).await.expect("check"),
            PasswordVerdict::RightButOld
        );
        assert_eq!(
            check("other", Some(&hash)).await.expect("check"),
            PasswordVerdict::Wrong
        );
    }

    #[tokio::test]
    async fn passwords_longer_than_bcrypt_reads_are_refused() {
        let long = "x".repeat(72);
        let hash = bcrypt::hash(&long, 4).expect("bcrypt");
        assert!(verify_password(&long, &hash).await.expect("check"));
        assert!(
            !verify_password(&format!("{long}y"), &hash)
                .await
                .expect("check")
        );
    }

    #[tokio::test]
    async fn a_missing_or_invalid_hash_is_wrong_and_costs_the_same_work() {
        assert!(
            PasswordHash::new(NOBODY).is_ok(),
            "the stand-in must be checked in earnest"
        );
        for hash in [None, Some(""), Some("formwork"), Some("$argon2id$broken")] {
            assert_eq!(
                check("formwork", hash).await.expect("check"),
                PasswordVerdict::Wrong
            );
        }
    }
}
