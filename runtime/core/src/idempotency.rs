//! `Idempotency-Key`: a request that is sent again gets the first answer, and its work is not
//! repeated (draft-ietf-httpapi-idempotency-key-header-06).
//!
//! The first request with a key claims it, in the database, so that all replicas know. Its answer
//! is kept for a day. A 4xx or 503 is not kept where nothing was committed: the key is free again.
//! An answer with `Set-Cookie` is never kept.
//! A process that dies between the commit and the note of its answer leaves the key claimed:
//! requests with it are answered 409 until the day is over, and no work is done twice.

mod earlier;

use std::{future::Future, sync::Arc, time::Duration};

use axum::http::{HeaderMap, StatusCode, header};
use data_encoding::HEXLOWER;
use formwork_data::{
    database::Db,
    error::{Error, Result},
};
use sha2::{Digest, Sha256};

use crate::{
    auth::Caller,
    context::{ClientInfo, Context},
    idempotency_keys::IdempotencyKey,
    response::Response,
    status::Status,
};
use earlier::{answer, running, written};

/// The header a client names its request by.
pub(crate) const KEY: &str = "idempotency-key";

/// Most characters of a key.
const LONGEST: usize = 255;

/// How long the work may go on after its client is gone, in multiples of the request's time limit: the
/// client may ask for the answer again, but no statement runs for ever.
const TIMES: u32 = 10;

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

    /// Does the work, unless it was done: then the answer is the one it had.
    ///
    /// The work goes on for a while when the client goes away, or after a time limit: its outcome
    /// is kept.
    ///
    /// # Errors
    ///
    /// 409 while the first request runs, 422 where it had another body; what the work answers.
    pub async fn once(
        self,
        ctx: &Context,
        work: impl Future<Output = Result<Response>> + Send + 'static,
    ) -> Result<Response> {
        let attempt = Arc::new(self);
        let (db, now) = (ctx.db(), ctx.now());
        // Looked up before it is claimed: a reader does not wait for the first request's writes.
        let Self { key, fingerprint } = &*attempt;
        if let Some(first) = key.first_request(db, now).await? {
            return answer(first, fingerprint);
        }
        // Its own rows are not a change that the request made.
        if !key.claim(&db.for_request(), fingerprint, now).await? {
            let first = key.first_request(db, now).await?;
            return answer(first.ok_or_else(running)?, fingerprint);
        }
        let db = db.clone();
        let limit = ctx.route().and_then(|route| route.time_limit);
        let limit = limit.unwrap_or(ctx.config().api.request_timeout);
        let patience = limit.saturating_mul(TIMES);
        let done = ctx.app().work().spawn(async move {
            let outcome = within(patience, &db, work).await;
            attempt.note(&db, &outcome).await;
            outcome
        });
        done.await.map_err(Error::internal)?
    }

    /// Keeps an outcome, or frees the key. If the outcome cannot be stored, the key stays claimed.
    /// A response with a cookie is never stored, because cookies are secrets: its key stays claimed if
    /// a change was committed, so that no work is done twice.
    async fn note(&self, db: &Db, outcome: &Result<Response>) {
        let lasts = db.progress().lasts();
        let status = match outcome {
            Ok(response) => response.status(),
            Err(_) if lasts => StatusCode::INTERNAL_SERVER_ERROR,
            Err(error) => error.status(),
        };
        let db = &db.for_request();
        let refused = status.is_client_error() || status == StatusCode::SERVICE_UNAVAILABLE;
        let sets_cookie = outcome.as_ref().is_ok_and(sets_cookie);
        let is_free = (refused || sets_cookie) && !lasts;
        let noted = if is_free {
            self.key.free(db).await
        } else if sets_cookie {
            return;
        } else {
            let (headers, body) = outcome.as_ref().map(written).unwrap_or_default();
            self.key.keep(db, status.as_u16(), headers, body).await
        };
        if let Err(error) = noted {
            tracing::error!(%error, "the answer to an Idempotency-Key was not kept");
        }
    }
}

fn sets_cookie(response: &Response) -> bool {
    response.headers().contains_key(header::SET_COOKIE)
}

/// The outcome of the work within this time; then it is cancelled, unless it has committed a
/// change.
async fn within(
    patience: Duration,
    db: &Db,
    work: impl Future<Output = Result<Response>> + Send + 'static,
) -> Result<Response> {
    // A task of its own, so that a panic has an outcome too.
    let mut task = tokio::spawn(work);
    let outcome = match tokio::time::timeout(patience, &mut task).await {
        Ok(outcome) => outcome,
        Err(_) => {
            if db.progress().give_up() {
                task.abort();
            }
            task.await
        }
    };
    outcome.unwrap_or_else(|error| {
        Err(if error.is_panic() {
            Error::internal("a request with an Idempotency-Key panicked")
        } else {
            Error::Unavailable("The request took too long.".to_owned())
        })
    })
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
