//! Connections: how many at once, how long one may take to say what it wants, and how they end.

mod bounds;
mod head;
mod listening;
mod patient;
mod share;
mod unheard;
mod unread;

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, StatusCode, header},
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::TcpStream,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

pub use bounds::Bounds;
pub(crate) use listening::{accept, waiting};

use crate::{alarm::Alarm, config::SerializerKind, error::Error, routing::refusal};
use patient::Patient;
use share::{Place, Places};
use unheard::Unheard;
use unread::Unread;

/// How long a client may take for the head of a request, keep a connection without one, or take
/// nothing of an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Most bytes of a head: a target of 64 KiB, and as much of headers. A connection keeps no more of what
/// its client sends, or is sent.
const MOST_OF_HEAD: usize = 128 * 1024;

/// The time for the head of a request of a client that is only told to come back.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Clients at once that are told to come back; what is beyond is hung up on.
const REFUSALS: usize = 64;

/// The time for the rest of a head that was begun when connections end: its client may send it now, or
/// never.
const LAST_HEAD: Duration = Duration::from_secs(2);

/// How far the end of a service has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is not in sight.
    Open,
    /// Requests are read and answered; each answer says that its connection closes (RFC 9112,
    /// section 9.6), so that nobody sends another into a connection that ends.
    LastCall,
    /// Connections end, each after the request it is at.
    Closing,
}

/// Serves connections, so many at once.
pub(crate) struct Connections {
    router: Router,
    places: Arc<Places>,
    refusals: Arc<Semaphore>,
    serializer: SerializerKind,
    patience: Duration,
    stopping: watch::Receiver<Stage>,
}

/// A connection as hyper sees it.
type Wire = TokioIo<Unheard<Patient>>;

impl Connections {
    /// Connections to this router; `stopping` says when they end.
    pub fn new(router: Router, bounds: Bounds, stopping: watch::Receiver<Stage>) -> Self {
        Self {
            // Otherwise each request would make a service of each route again.
            router: router.with_state(()),
            places: Places::new(bounds.connections, bounds.proxies),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            serializer: bounds.serializer,
            patience: PATIENCE,
            stopping,
        }
    }

    /// Serves a connection in a task of its own. Where all places are taken, or the client has his
    /// share of them, it is answered 503 and closed: nobody waits for another's connection to end.
    pub fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        // Answers are written whole: nothing is gained by waiting for more.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection without TCP_NODELAY");
        }
        let stopping = self.stopping.clone();
        if let Some(place) = self.places.take(peer.ip()) {
            let router = TowerToHyperService::new(self.router.clone());
            let wire = self.wire(stream, self.patience);
            let service = Service {
                router,
                serializer: self.serializer,
                patience: self.patience,
                stopping,
            };
            tokio::spawn(served(wire, peer, service, place));
        } else if let Ok(place) = Arc::clone(&self.refusals).try_acquire_owned() {
            let wire = self.wire(stream, REFUSAL_TIMEOUT);
            tokio::spawn(refused(wire, self.serializer, stopping, place));
        }
    }

    fn wire(&self, stream: TcpStream, patience: Duration) -> Wire {
        let patient = Patient::new(stream, patience);
        TokioIo::new(Unheard::new(patient, self.serializer))
    }
}

/// What a connection is served with.
struct Service {
    router: TowerToHyperService<Router>,
    serializer: SerializerKind,
    patience: Duration,
    stopping: watch::Receiver<Stage>,
}

async fn served(wire: Wire, peer: SocketAddr, service: Service, _place: Place) {
    let Service {
        router,
        serializer,
        patience,
        mut stopping,
    } = service;
    let stage = stopping.clone();
    let limit = Alarm::default();
    let service = service_fn(move |request: Request<Incoming>| {
        let stage = stage.clone();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(limit.clone());
        let (request, unread) = Unread::lend(request);
        let answering = match head::refused(&request, serializer) {
            Some(refused) => Err(refused),
            None => Ok(router.call(request)),
        };
        async move {
            let response = match answering {
                Ok(answering) => answering.await?,
                Err(refused) => refused,
            };
            let mut response = unread.before(response).await;
            // axum counts the body that is not there (RFC 9110, section 8.6).
            if matches!(
                response.status(),
                StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT
            ) {
                response.headers_mut().remove(header::CONTENT_LENGTH);
            }
            if *stage.borrow() != Stage::Open {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let heads = Alarm::default();
    let connection = http1::Builder::new()
        .timer(heads.clone())
        .header_read_timeout(patience)
        .max_buf_size(MOST_OF_HEAD)
        .serve_connection(wire, service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // What is waited for is locked while it is looked at: it must not be held while the rest is served.
    let closing = async move { drop(stopping.wait_for(|it| *it == Stage::Closing).await) };
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing => {
            connection.as_mut().graceful_shutdown();
            let within = tokio::time::timeout(LAST_HEAD, connection.as_mut()).await;
            match within {
                Ok(ended) => ended,
                Err(_) => {
                    heads.end();
                    connection.await
                }
            }
        }
    };
    if let Err(error) = ended {
        // A client that went away, or sent no HTTP.
        tracing::debug!(%error, "a connection ended early");
    }
}

/// 503 for whatever is asked; then the connection closes.
async fn refused(
    wire: Wire,
    serializer: SerializerKind,
    _stopping: watch::Receiver<Stage>,
    _place: OwnedSemaphorePermit,
) {
    let service = service_fn(move |request: Request<Incoming>| async move {
        let message = "There are too many connections; try again later.";
        let error = Error::Unavailable(message.to_owned());
        Ok::<_, Infallible>(refusal(request.headers(), &error, serializer))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REFUSAL_TIMEOUT)
        .max_buf_size(MOST_OF_HEAD)
        .keep_alive(false)
        .serve_connection(wire, service);
    let patience = 2 * REFUSAL_TIMEOUT;
    if !matches!(tokio::time::timeout(patience, connection).await, Ok(Ok(()))) {
        tracing::debug!("a connection that was refused ended early");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    /// More than the system keeps for a client.
    const LENGTH: usize = 32 * 1024 * 1024;

    /// Short for a client, long for a machine that is busy with something else.
    const SHORT: Duration = Duration::from_secs(2);

    /// Two places, of which one client may have one.
    async fn service() -> (Arc<Places>, SocketAddr) {
        let bounds = Bounds {
            connections: 2,
            patience: SHORT,
            proxies: Vec::new(),
            serializer: SerializerKind::Data,
        };
        let router = Router::new().route("/", get(async || vec![b'x'; LENGTH]));
        let (stopping, stopped) = watch::channel(Stage::Open);
        let mut connections = Connections::new(router, bounds, stopped);
        connections.patience = SHORT;
        let places = Arc::clone(&connections.places);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            let _stopping = stopping;
            loop {
                let (stream, peer) = accept(&listener).await;
                connections.serve(stream, peer);
            }
        });
        (places, address)
    }

    async fn ask(address: SocketAddr) -> TcpStream {
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        let request = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        socket.write_all(request).await.expect("a request");
        socket
    }

    #[tokio::test]
    async fn who_does_not_read_loses_the_place() {
        let (places, address) = service().await;
        let began = Instant::now();
        let silent = ask(address).await;
        while places.take(address.ip()).is_some() {
            assert!(began.elapsed() < SHORT, "the place is taken first");
            tokio::task::yield_now().await;
        }
        while places.take(address.ip()).is_none() {
            assert!(began.elapsed() < 20 * SHORT, "the place is given back");
            tokio::time::sleep(SHORT / 10).await;
        }
        assert!(began.elapsed() >= SHORT);
        drop(silent);
    }

    /// A letter now and then makes no head.
    #[tokio::test]
    async fn who_does_not_finish_a_head_loses_the_place() {
        for begun in ["", "GET / HTTP/1.1\r\nHost: x\r\nA: "] {
            let (places, address) = service().await;
            let began = Instant::now();
            let mut socket = TcpStream::connect(address).await.expect("a connection");
            socket.write_all(begun.as_bytes()).await.expect("a head");
            while places.take(address.ip()).is_some() {
                assert!(began.elapsed() < SHORT, "the place is taken first");
                tokio::task::yield_now().await;
            }
            while places.take(address.ip()).is_none() {
                assert!(began.elapsed() < 20 * SHORT, "the place is given back");
                tokio::time::sleep(SHORT / 10).await;
                if !begun.is_empty() {
                    // It may be closed already.
                    let _ = socket.write_all(b"x").await;
                }
            }
            assert!(began.elapsed() >= SHORT);
        }
    }

    /// What follows a request is read while its answer waits to be taken.
    #[tokio::test]
    async fn what_cannot_be_read_does_not_come_between_an_answer() {
        let (_places, address) = service().await;
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        let requests = b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET\r\n\r\n";
        socket.write_all(requests).await.expect("requests");
        tokio::time::sleep(SHORT / 3).await;
        let mut answers = Vec::new();
        // A reset behind the last answer takes nothing of it.
        let _ = socket.read_to_end(&mut answers).await;
        let head = answers.windows(4).position(|it| it == b"\r\n\r\n");
        let body = &answers[head.expect("a head") + 4..];
        assert!(body.len() > LENGTH, "{}", body.len());
        assert!(body[..LENGTH].iter().all(|byte| *byte == b'x'));
        let last = String::from_utf8_lossy(&body[LENGTH..]);
        assert!(last.starts_with("HTTP/1.1 400"), "{last}");
        assert!(last.contains("\r\nx-request-id: "), "{last}");
    }

    #[tokio::test]
    async fn who_reads_slowly_is_answered_whole() {
        let (_places, address) = service().await;
        let mut slow = ask(address).await;
        let (mut piece, mut read) = (vec![0; LENGTH / 12], 0);
        loop {
            tokio::time::sleep(SHORT / 5).await;
            match slow.read_exact(&mut piece).await {
                Ok(length) => read += length,
                Err(_) => break,
            }
        }
        // The last piece is not a whole one.
        assert_eq!(read, 12 * piece.len());
    }
}
