//! What the HTTP layer answers by itself: a head that is no HTTP (400), a target that is too long
//! (414), headers that are too large (431). No route hears of such a request.
//!
//! Every answer carries `X-Request-Id` (http.md, "Errors"); hyper's has neither that nor a body, and
//! offers no place to give it one. So the bytes of it are looked for in what is written, and the
//! service's own answer goes out instead. What does not look like it to the letter passes as it is.

use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::http::StatusCode;
use bytes::{Buf, Bytes};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::Sleep,
};

use crate::{config::SerializerKind, routing::unread};

/// How long, and how much, a client may go on writing what nobody reads: were the connection closed
/// on it, the answer might never arrive (RFC 9112, section 9.6).
const PATIENCE: Duration = Duration::from_secs(2);
const LIMIT: usize = 8 * 1024 * 1024;

/// What hyper says of a request that it cannot read: the status line, these headers, and nothing
/// else.
const VERSIONS: [&[u8]; 2] = [b"HTTP/1.1 ", b"HTTP/1.0 "];
const CLOSE: &[u8] = b"connection: close\r\n";
const LENGTH: &[u8] = b"content-length: 0\r\ndate: ";
const END: &[u8] = b"\r\n\r\n";

/// The status and the date of such an answer.
fn own(bytes: &[u8]) -> Option<(StatusCode, &[u8])> {
    // Mostly it is another answer, with another status.
    if bytes.get(9) != Some(&b'4') {
        return None;
    }
    let rest = VERSIONS.iter().find_map(|it| bytes.strip_prefix(*it))?;
    let status = StatusCode::from_bytes(rest.get(..3)?).ok()?;
    let reason = status.canonical_reason()?.as_bytes();
    let rest = rest[3..].strip_prefix(b" ")?.strip_prefix(reason)?;
    let rest = rest.strip_prefix(b"\r\n")?;
    let rest = rest.strip_prefix(CLOSE).unwrap_or(rest);
    let date = rest.strip_prefix(LENGTH)?.strip_suffix(END)?;
    let plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    (date.len() == 29 && date.iter().all(plain)).then_some((status, date))
}

/// A stream whose client never sees such an answer, but the service's own in its place.
pub(super) struct Unheard<S> {
    stream: S,
    serializer: SerializerKind,
    stage: Stage,
}

enum Stage {
    /// What is written passes.
    Passing,
    /// This goes out still.
    Answering(Bytes),
    /// The answer is out; what the client writes is read, and forgotten.
    Lingering {
        left: usize,
        until: Pin<Box<Sleep>>,
    },
    Over,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Unheard<S> {
    /// The stream, and the rendering of what is answered in the place of hyper.
    pub fn new(stream: S, serializer: SerializerKind) -> Self {
        Self {
            stream,
            serializer,
            stage: Stage::Passing,
        }
    }

    /// Whether these bytes go no further, since an answer goes in their place. The connection ends
    /// with it.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        if !matches!(self.stage, Stage::Passing) {
            return true;
        }
        let Some((status, date)) = own(bytes) else {
            return false;
        };
        self.stage = Stage::Answering(unread(status, date, self.serializer));
        true
    }

    /// Brings the answer out.
    fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Stage::Answering(rest) = &mut self.stage
            && rest.has_remaining()
        {
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, rest))?;
            rest.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    /// Brings the answer out, and the rest of the request in.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_answer(cx))?;
        loop {
            match &mut self.stage {
                Stage::Passing => return Pin::new(&mut self.stream).poll_shutdown(cx),
                Stage::Answering(_) => {
                    ready!(Pin::new(&mut self.stream).poll_shutdown(cx))?;
                    let until = Box::pin(tokio::time::sleep(PATIENCE));
                    self.stage = Stage::Lingering { left: LIMIT, until };
                }
                Stage::Lingering { left, until } => {
                    let over = until.as_mut().poll(cx).is_ready();
                    let read = forget(&mut self.stream, cx);
                    match read {
                        Poll::Ready(Ok(read)) if read > 0 && *left > read && !over => *left -= read,
                        Poll::Pending if !over => return Poll::Pending,
                        _ => self.stage = Stage::Over,
                    }
                }
                Stage::Over => return Poll::Ready(Ok(())),
            }
        }
    }
}

/// Reads some of what comes, which nobody wants.
fn forget(stream: &mut (impl AsyncRead + Unpin), cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
    let mut piece = [0; 8 * 1024];
    let mut buffer = ReadBuf::new(&mut piece);
    ready!(Pin::new(stream).poll_read(cx, &mut buffer))?;
    Poll::Ready(Ok(buffer.filled().len()))
}

impl<S: AsyncRead + Unpin> AsyncRead for Unheard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Unheard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        // It has no body: there is one piece of it.
        let head = match pieces {
            [head] => head,
            _ => &[][..],
        };
        if self.replaces(head) {
            return Poll::Ready(Ok(pieces.iter().map(|piece| piece.len()).sum()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_answer(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_end(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYPERS: &str = "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\
                          content-length: 0\r\ndate: Sun, 22 Nov 2026 05:00:00 GMT\r\n\r\n";

    #[test]
    fn hypers_answers_are_known_to_the_letter() {
        let seen = own(HYPERS.as_bytes()).expect("hyper's");
        assert_eq!(seen.0, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
        assert_eq!(seen.1, b"Sun, 22 Nov 2026 05:00:00 GMT");
        let older = HYPERS
            .replace("1.1", "1.0")
            .replace("connection: close\r\n", "");
        assert_eq!(own(older.as_bytes()), Some(seen));
        for others in [
            HYPERS.replace("431 ", "500 "),
            HYPERS.replace("431 ", "400 "),
            HYPERS.replace("date", "x-request-id: 1\r\ndate"),
            HYPERS.replace("length: 0", "length: 1"),
            HYPERS.replace(" GMT", "\r\na:b"),
            format!("{HYPERS}{HYPERS}"),
            HYPERS.trim_end().to_owned(),
            String::new(),
        ] {
            assert_eq!(own(others.as_bytes()), None, "{others}");
        }
    }
}
