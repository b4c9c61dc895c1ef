//! Connections: how many at once, how long one may take to say what it wants, and how they end.

mod unread;

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, header},
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

use crate::{error::Error, routing::refusal};
use unread::Unread;

/// How long a client may take for the head of a request, or keep a connection without one.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// The same for a client that is only told to come back.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Clients at once that are told to come back; what is beyond is hung up on.
const REFUSALS: usize = 64;

/// How long the loop rests when the system has no connection to give, for want of descriptors.
const REST: Duration = Duration::from_millis(200);

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
    places: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    stopping: watch::Receiver<Stage>,
}

impl Connections {
    /// Connections to this router; `stopping` says when they end.
    pub fn new(router: Router, places: usize, stopping: watch::Receiver<Stage>) -> Self {
        let places = places.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            router,
            places: Arc::new(Semaphore::new(places)),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            stopping,
        }
    }

    /// Serves a connection in a task of its own. Where all places are taken, it is answered 503
    /// and closed: nobody waits for another's connection to end.
    pub fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        // Answers are written whole: nothing is gained by waiting for more.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection without TCP_NODELAY");
        }
        let stopping = self.stopping.clone();
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            let router = TowerToHyperService::new(self.router.clone());
            tokio::spawn(served(stream, peer, router, stopping, place));
        } else if let Ok(place) = Arc::clone(&self.refusals).try_acquire_owned() {
            tokio::spawn(refused(stream, stopping, place));
        }
    }
}

async fn served(
    stream: TcpStream,
    peer: SocketAddr,
    router: TowerToHyperService<Router>,
    mut stopping: watch::Receiver<Stage>,
    _place: OwnedSemaphorePermit,
) {
    let stage = stopping.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        let stage = stage.clone();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        let (request, unread) = Unread::lend(request);
        let answering = router.call(request);
        async move {
            let mut response = unread.before(answering.await?).await;
            if *stage.borrow() != Stage::Open {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // What is waited for is locked while it is looked at: it must not be held while the rest is served.
    let closing = async move { drop(stopping.wait_for(|it| *it == Stage::Closing).await) };
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = closing => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        // A client that went away, or sent no HTTP.
        tracing::debug!(%error, "a connection ended early");
    }
}

/// 503 for whatever is asked; then the connection closes.
async fn refused(
    stream: TcpStream,
    _stopping: watch::Receiver<Stage>,
    _place: OwnedSemaphorePermit,
) {
    let service = service_fn(async |request: Request<Incoming>| {
        let message = "There are too many connections; try again later.";
        let error = Error::Unavailable(message.to_owned());
        Ok::<_, io::Error>(refusal(request.headers(), &error))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REFUSAL_TIMEOUT)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    let patience = 2 * REFUSAL_TIMEOUT;
    if !matches!(tokio::time::timeout(patience, connection).await, Ok(Ok(()))) {
        tracing::debug!("a connection that was refused ended early");
    }
}

/// The next connection.
pub(crate) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // The client went away before it was accepted.
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};

    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

/// The connections that the system has accepted already. The listener is closed then.
///
/// # Errors
///
/// When the listener cannot be asked.
pub(crate) fn waiting(listener: TcpListener) -> io::Result<Vec<(TcpStream, SocketAddr)>> {
    // Asked directly: the runtime may not have heard of the latest yet.
    let listener = listener.into_std()?;
    let mut waiting = Vec::new();
    loop {
        match listener.accept() {
            Ok((stream, peer)) => {
                stream.set_nonblocking(true)?;
                waiting.push((TcpStream::from_std(stream)?, peer));
            }
            Err(error) if is_the_clients(&error) => {}
            Err(_) => return Ok(waiting),
        }
    }
}
