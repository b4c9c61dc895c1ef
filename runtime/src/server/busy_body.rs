//! Response bodies that keep their connection busy.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    Error,
    body::{Body, HttpBody},
};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use super::places::Busy;

/// A response body. Its connection is busy until the body is sent, or given up.
pub(super) struct BusyBody {
    body: Body,
    _busy: Busy,
}

impl BusyBody {
    pub fn new(body: Body, busy: Busy) -> Self {
        Self { body, _busy: busy }
    }
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
