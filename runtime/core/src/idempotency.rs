//! `Idempotency-Key`: a request that is sent again gets the first answer, and its work is not
//! repeated (draft-ietf-httpapi-idempotency-key-header-06).
//!
//! The first request with a key claims it, in the database, so that all replicas know. Its answer
//! is kept for a day. A 4xx or 503 is not kept where nothing was committed: the key is free again.
//! An answer with `Set-Cookie` is never kept.
//! A process that dies between the commit and the note of its answer leaves the key claimed:
//! requests with it are answered 409 until the day is over, and no work is done twice.

mod earlier;

use axum::http::{HeaderMap, StatusCode, header};
use data_encoding::HEXLOWER;
use formwork_data::{
    database::Db,
    error::{Error, Result},
    value::DateTime,
};
use sha2::{Digest, Sha256};

use crate::{
    auth::Caller, context::ClientInfo, idempotency_keys::IdempotencyKey, response::Response,
    status::Status,
};
use earlier::{answer, running, written};

/// The header a client names its request by.
pub(crate) const KEY: &str = "idempotency-key";

/// Most characters of a key.
const LONGEST: usize = 255;

/// A request that is to be done once.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    key: IdempotencyKey,
    fingerprint: String,
}

impl Attempt {
    /// The attempt of a request; `None` where it names no key.
    ///
    /// # Errors
    ///
    /// 400 where the key is empty, too long, or no text.
    pub fn of(
        headers: &HeaderMap,
        (caller, client): (&Caller, &ClientInfo),
        path: &str,
        body: &[u8],
    ) -> Result<Option<Self>> {
        let Some(value) = headers.get(KEY) else {
            return Ok(None);
        };
        let key = value.to_str().map_or("", unquoted);
        if key.is_empty() || key.len() > LONGEST {
            let message = format!("Idempotency-Key must have 1 to {LONGEST} characters.");
            return Err(Error::Malformed(message));
        }
        let mut fingerprint = Sha256::new();
        fingerprint.update(path);
        fingerprint.update([0]);
        fingerprint.update(body);
        let digest = fingerprint.finalize();
        Ok(Some(Self {
            key: IdempotencyKey {
                caller: scope(caller, client),
                key: key.to_owned(),
            },
            fingerprint: HEXLOWER.encode(&digest),
        }))
    }

    /// Claims the key. Returns the response of an earlier request with it.
    ///
    /// # Errors
    ///
    /// 409 while the first request runs, 422 where it had another body.
    pub async fn claim(&self, db: &Db, now: DateTime) -> Result<Option<Response>> {
        let Self { key, fingerprint } = self;
        // Looked up before it is claimed: a reader does not wait for the first request's writes.
        if let Some(first) = key.first_request(db, now).await? {
            return answer(first, fingerprint).map(Some);
        }
        // Its own rows are not a change that the request made.
        if key.claim(&db.for_request(), fingerprint, now).await? {
            return Ok(None);
        }
        let first = key.first_request(db, now).await?;
        answer(first.ok_or_else(running)?, fingerprint).map(Some)
    }

    /// Stores a result, or frees the key. If the result cannot be stored, the key stays claimed.
    /// A response with a cookie is never stored, because cookies are secrets: its key stays claimed if
    /// a change was committed, so that no work is done twice.
    pub async fn store(&self, db: &Db, result: &Result<Response>) {
        let has_committed = db.progress().has_committed();
        let status = match result {
            Ok(response) => response.status(),
            Err(_) if has_committed => StatusCode::INTERNAL_SERVER_ERROR,
            Err(error) => error.status(),
        };
        let db = &db.for_request();
        let rejected = status.is_client_error() || status == StatusCode::SERVICE_UNAVAILABLE;
        let sets_cookie = result.as_ref().is_ok_and(sets_cookie);
        let is_free = (rejected || sets_cookie) && !has_committed;
        let stored = if is_free {
            self.key.free(db).await
        } else if sets_cookie {
            return;
        } else {
            let (headers, body) = result.as_ref().map(written).unwrap_or_default();
            self.key.keep(db, status.as_u16(), headers, body).await
        };
        if let Err(error) = stored {
            tracing::error!(%error, "the answer to an Idempotency-Key was not kept");
        }
    }
}

fn sets_cookie(response: &Response) -> bool {
    response.headers().contains_key(header::SET_COOKIE)
}

/// The owner of a key: the account, whichever of its tokens was sent; for guests the address.
fn scope(caller: &Caller, client: &ClientInfo) -> String {
    match (caller.account(), client.address) {
        (Some(account), _) => format!("{}:{}", account.kind.name(), account.id),
        (None, Some(address)) => format!("guest:{address}"),
        (None, None) => "guest".to_owned(),
    }
}

/// The draft writes keys as quoted strings; many clients leave the quotes out.
fn unquoted(key: &str) -> &str {
    let key = key.trim();
    key.strip_prefix('"')
        .and_then(|key| key.strip_suffix('"'))
        .unwrap_or(key)
}
