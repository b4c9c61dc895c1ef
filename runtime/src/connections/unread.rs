//! Bodies that nobody read, since their request was refused by its head. A connection that is closed
//! while its client still writes takes the answer with it, and the next request (RFC 9112, section
//! 9.6): what is left of a body is read before the answer goes out.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    http::{HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::{Frame, SizeHint};

/// So much is read for an answer to arrive; who sends more loses the connection.
const LIMIT: usize = 8 * 1024 * 1024;

/// The time a client has to send it.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is left of a body when nobody wants to read it any more.
#[derive(Default)]
pub(super) struct Unread {
    left: Option<Arc<Mutex<Option<Left>>>>,
    /// The client asks before it sends a body (RFC 9110, section 10.1.1).
    asks: bool,
}

struct Left {
    body: Body,
    touched: bool,
}

impl Unread {
    /// Lends a request's body; what is not read of it comes back.
    pub fn lend(request: Request) -> (Request, Self) {
        if request.body().is_end_stream() {
            return (request, Self::default());
        }
        let slot = Arc::new(Mutex::new(None));
        let unread = Self {
            left: Some(Arc::clone(&slot)),
            asks: request.headers().contains_key(header::EXPECT),
        };
        let lent = |body| {
            Body::new(Lent {
                body: Some(body),
                touched: false,
                slot,
            })
        };
        (request.map(lent), unread)
    }

    /// The answer, once the body is read; one that ends the connection where it is not.
    pub async fn before(self, mut response: Response) -> Response {
        let slot = self.left.as_deref();
        let left = slot.and_then(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).take());
        let Some(Left { body, touched }) = left else {
            return response;
        };
        // To read is to ask for a body that its client has not sent yet.
        let unsent = self.asks && !touched;
        if unsent || !drained(body).await {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }
}

/// Reads a body to its end, within bounds.
async fn drained(body: Body) -> bool {
    if body.size_hint().lower() > LIMIT as u64 {
        return false;
    }
    let mut body = Limited::new(body, LIMIT);
    let reading = async {
        while let Some(frame) = body.frame().await {
            if frame.is_err() {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(PATIENCE, reading).await == Ok(true)
}

/// A body that goes back when it is dropped before its end.
struct Lent {
    body: Option<Body>,
    touched: bool,
    slot: Arc<Mutex<Option<Left>>>,
}

impl HttpBody for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.touched = true;
        let Some(body) = self.body.as_mut() else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let left = self.body.take().filter(|body| !body.is_end_stream());
        if let Some(body) = left {
            let touched = self.touched;
            let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
            *slot = Some(Left { body, touched });
        }
    }
}
