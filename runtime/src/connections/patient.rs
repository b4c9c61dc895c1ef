//! A client that does not take its answer keeps its connection for a while only.

use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::Sleep,
};

/// A stream that is broken once nothing of what is written was taken for a while. A client that
/// takes something, however slowly, keeps it.
pub(super) struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Runs while the client takes nothing.
    waits: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    /// A stream whose client may take nothing for so long.
    pub fn new(stream: TcpStream, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            waits: None,
        }
    }

    /// What became of a write; `again` asks the system directly.
    ///
    /// The system tells of room when there is much of it, which may take a slow client longer than
    /// the patience lasts: before the stream is given up, it is asked whether there is any.
    fn judged(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
        again: impl FnOnce(SockRef<'_>) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let patience = self.patience;
        let waits = self
            .waits
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(waits.as_mut().poll(cx));
        self.waits = None;
        Poll::Ready(match again(SockRef::from(&self.stream)) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the client does not take its answer",
            )),
            taken => taken,
        })
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judged(cx, written, |socket| socket.send(bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.judged(cx, written, |socket| socket.send_vectored(pieces))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
        task::JoinHandle,
    };

    use super::*;

    /// Longer than a busy machine keeps this test from going on.
    const PATIENCE: Duration = Duration::from_secs(2);

    /// More than the system keeps for a client.
    const LENGTH: usize = 32 * 1024 * 1024;

    /// Writes much to a client, which is returned.
    async fn written() -> (TcpStream, JoinHandle<io::Result<()>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let client = TcpStream::connect(address).await.expect("a connection");
        let (stream, _) = listener.accept().await.expect("a connection");
        let mut patient = Patient::new(stream, PATIENCE);
        let writing = async move { patient.write_all(&vec![7; LENGTH]).await };
        (client, tokio::spawn(writing))
    }

    #[tokio::test]
    async fn who_takes_nothing_is_given_up() {
        let began = Instant::now();
        let (client, writing) = written().await;
        let error = writing.await.expect("a task").expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= PATIENCE && began.elapsed() < 20 * PATIENCE);
        drop(client);
    }

    #[tokio::test]
    async fn who_takes_it_slowly_gets_all_of_it() {
        let began = Instant::now();
        let (mut client, writing) = written().await;
        let mut piece = vec![0; LENGTH / 16];
        for _ in 0..16 {
            tokio::time::sleep(PATIENCE / 5).await;
            let taken = client.read_exact(&mut piece).await;
            taken.expect("it goes on");
        }
        writing.await.expect("a task").expect("all is written");
        assert!(began.elapsed() > 3 * PATIENCE);
    }

    /// Too little at a time for the system to tell of room, which it does by the third.
    #[tokio::test]
    async fn who_takes_a_little_is_not_given_up() {
        let (mut client, writing) = written().await;
        let mut piece = vec![0; 192 * 1024];
        for _ in 0..12 {
            tokio::time::sleep(PATIENCE / 4).await;
            let taken = client.read_exact(&mut piece).await;
            taken.expect("it goes on");
        }
        assert!(!writing.is_finished(), "it waits still");
        drop(client);
    }
}
