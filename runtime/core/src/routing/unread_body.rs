//! Bodies that a handler did not read, since it refused the request by its head. A connection that is
//! closed while its client still writes loses the answer (RFC 9112, section 9.6), so the rest of a
//! body is read before the answer goes out.

use std::{
    pin::Pin,
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
use tokio::{
    sync::oneshot::{self, Sender},
    time::timeout,
};

/// Bytes that are read and dropped; a client that sends more may lose the answer.
const LIMIT: usize = 1024 * 1024;

/// The time a client has to send them.
const PATIENCE: Duration = Duration::from_secs(2);

/// Answers a request, and reads the rest of its body; where that fails, the answer says that the
/// connection ends.
pub(super) async fn drain<F: Future<Output = Response>>(
    request: Request,
    answer: impl FnOnce(Request) -> F,
) -> Response {
    if request.body().is_end_stream() {
        return answer(request).await;
    }
    // A client that waits for `100 Continue` sends no body (RFC 9110, section 10.1.1).
    let waits = request.headers().contains_key(header::EXPECT);
    let (back, mut rest) = oneshot::channel();
    let request = request.map(|body| Body::new(Watched::new(body, back)));
    let mut response = answer(request).await;
    if let Ok(Rest { body, read }) = rest.try_recv()
        && ((waits && !read) || !drained(body).await)
    {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

/// Reads a body to its end, within bounds.
async fn drained(body: Body) -> bool {
    let mut body = Limited::new(body, LIMIT);
    let reading = async {
        loop {
            match body.frame().await {
                None => return true,
                Some(Ok(_)) => {}
                Some(Err(_)) => return false,
            }
        }
    };
    timeout(PATIENCE, reading).await == Ok(true)
}

/// The rest of a body.
struct Rest {
    body: Body,
    /// Whether it was polled.
    read: bool,
}

/// A body that is handed back when it is dropped before its end.
struct Watched {
    rest: Option<Rest>,
    back: Option<Sender<Rest>>,
}

impl Watched {
    fn new(body: Body, back: Sender<Rest>) -> Self {
        Self {
            rest: Some(Rest { body, read: false }),
            back: Some(back),
        }
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(rest) = self.rest.as_mut() else {
            return Poll::Ready(None);
        };
        rest.read = true;
        let frame = ready!(Pin::new(&mut rest.body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.rest = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        let rest = self.rest.as_ref();
        rest.is_none_or(|rest| rest.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.as_ref();
        rest.map_or_else(|| SizeHint::with_exact(0), |rest| rest.body.size_hint())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let rest = self.rest.take().filter(|rest| !rest.body.is_end_stream());
        if let (Some(rest), Some(back)) = (rest, self.back.take()) {
            // Without a receiver the request is over, and its body is not needed.
            let _ = back.send(rest);
        }
    }
}
