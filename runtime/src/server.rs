//! The server: connections at once, the time a client may take, and how a service stops.

mod head;
mod places;

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
    http::{HeaderValue, StatusCode, header},
    serve::Listener,
};
use formwork_core::{
    config::{Config, Network},
    routing::Refusal,
};
use http_body_util::BodyExt;
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
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{interval, timeout},
};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use places::{Activity, Places};

/// The time a client has for the head of a request, for the pause before the next one, and to read
/// anything of an answer; then its connection is closed.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

/// Bytes of a request's head at most: a target of 64 KiB, and as much of headers.
const HEAD_LIMIT: usize = 128 * 1024;

/// The time a connection beyond the limit has to send a request and read its 503.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(4);

/// Connections beyond the limit that are answered 503 at once; further ones are closed.
const REFUSALS: usize = 64;

/// The time an idle connection that makes room for another client has to read the rest of its response.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// When the service stops, answers say `Connection: close` for so long before idle connections are
/// closed: so a client that reuses its connection reads it in an answer, instead of a reset.
const CLOSE_NOTICE: Duration = Duration::from_millis(100);

/// When the service stops, the time a connection without any request has to send its first one.
const FIRST_REQUEST: Duration = Duration::from_secs(2);

/// Some timer always ends as soon as this. Without it the time limit of a request may be the timer that
/// ends first, and tokio wakes its sleeping thread to tell it so: 1.2 wakes a request, in place of 0.1.
const SOON: Duration = Duration::from_secs(1);

/// Limits of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerOptions {
    /// Connections at once. One address (of IPv6 a /64) may have half of them. One more takes the place
    /// of an idle connection; if none is idle, it is answered 503 and closed.
    pub max_connections: usize,
    /// How long requests in flight have to finish when the service stops.
    pub shutdown_timeout: Duration,
    /// Peers that speak for many clients, and have no share of their own: `api.trusted_proxies`.
    pub trusted_proxies: Vec<Network>,
}

impl From<&Config> for ServerOptions {
    fn from(config: &Config) -> Self {
        Self {
            max_connections: config.server.max_connections as usize,
            shutdown_timeout: config.server.shutdown_timeout,
            trusted_proxies: config.api.trusted_proxies.clone(),
        }
    }
}

/// Serves until `stop` is done; then no connection is accepted any more, and requests in flight
/// have `shutdown_timeout` to finish. True when all of them did. A listener that cannot accept is
/// tried again each second.
pub async fn serve_until(
    mut listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
    options: ServerOptions,
) -> bool {
    let patience = options.shutdown_timeout;
    let server = Server::new(router, options);
    let mut stop = std::pin::pin!(stop);
    let mut soon = interval(SOON);
    loop {
        tokio::select! {
            // First, so that signals are handled before any connection is accepted.
            biased;
            () = &mut stop => break,
            (stream, peer) = Listener::accept(&mut listener) => server.serve(stream, peer),
            _ = soon.tick() => {}
        }
    }
    server.stopping.cancel();
    // Connections that the system has accepted already.
    while let Ok((stream, peer)) = timeout(Duration::ZERO, Listener::accept(&mut listener)).await {
        server.serve(stream, peer);
    }
    drop(listener);
    timeout(patience, server.finish()).await.is_ok()
}

/// Completes when the process gets SIGTERM or SIGINT (Ctrl-C).
pub async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // No signals on this system: the service runs until the process is killed.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    interrupt.await;
}

/// The state that all connections of a server share.
struct Server {
    router: Router,
    places: Arc<Places>,
    refusals: Arc<Semaphore>,
    client_timeout: Duration,
    /// From here on answers say that their connection closes (RFC 9112, section 9.6).
    stopping: CancellationToken,
    /// From here on connections close, each after the request it is at.
    closing: CancellationToken,
    connections: TaskTracker,
}

impl Server {
    fn new(router: Router, options: ServerOptions) -> Self {
        Self {
            // Without this, each request would make the service of each route anew.
            router: router.with_state(()),
            places: Places::new(options.max_connections, options.trusted_proxies),
            refusals: Arc::new(Semaphore::new(REFUSALS)),
            client_timeout: CLIENT_TIMEOUT,
            stopping: CancellationToken::new(),
            closing: CancellationToken::new(),
            connections: TaskTracker::new(),
        }
    }

    /// Serves a connection in a task of its own, or answers it 503 where there are too many.
    fn serve(&self, stream: TcpStream, peer: SocketAddr) {
        // Answers are written whole: waiting for more bytes only delays them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection without TCP_NODELAY");
        }
        if let Some(place) = self.places.take(peer.ip()) {
            let served = self.connection(stream, peer, Ok(place.activity()));
            self.connections.spawn(async move {
                served.await;
                drop(place);
            });
        } else if let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() {
            let refused = self.connection(stream, peer, Err(Refusal::TooManyConnections));
            self.connections.spawn(async move {
                let _ = timeout(REFUSAL_TIMEOUT, refused).await;
                drop(permit);
            });
        }
    }

    /// Serves one connection to its end. Beyond the limit it has one request, which the router
    /// refuses.
    fn connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        admitted: Result<Arc<Activity>, Refusal>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let router = TowerToHyperService::new(self.router.clone());
        let (stopping, closing) = (self.stopping.clone(), self.closing.clone());
        let started = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&started);
        let (refused, activity) = match admitted {
            Ok(activity) => (None, activity),
            Err(refusal) => (Some(refusal), Arc::default()),
        };
        let active = Arc::clone(&activity);
        let service = service_fn(move |request: Request<Incoming>| {
            begun.store(true, Ordering::Relaxed);
            let busy = active.begin_request();
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            if let Some(refusal) = refused.or_else(|| head::check(&request)) {
                request.extensions_mut().insert(refusal);
            }
            let (answer, stopping) = (router.call(request), stopping.clone());
            async move {
                let mut response = answer.await?;
                let headers = response.headers_mut();
                if stopping.is_cancelled() {
                    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                // axum writes the length of the body that is not sent (RFC 9110, section 8.6).
                if response.status() == StatusCode::NOT_MODIFIED {
                    response.headers_mut().remove(header::CONTENT_LENGTH);
                }
                // The connection is busy until the body is sent, or given up.
                Ok::<_, Infallible>(response.map(|body| {
                    body.map_err(move |error| {
                        let _busy = &busy;
                        error
                    })
                }))
            }
        });
        let mut stream = TimeoutWriter::new(stream);
        stream.set_timeout(Some(self.client_timeout));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.client_timeout)
            .max_buf_size(HEAD_LIMIT)
            .keep_alive(refused.is_none())
            .serve_connection(TokioIo::new(Box::pin(stream)), service)
            .with_upgrades();
        async move {
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = activity.closing() => {
                    connection.as_mut().graceful_shutdown();
                    match timeout(CLOSE_TIMEOUT, connection.as_mut()).await {
                        Ok(ended) => ended,
                        // hyper would wait for the rest of a head as long as for any other.
                        Err(_) if activity.is_idle() => Ok(()),
                        // A request that came in the same moment is answered.
                        Err(_) => connection.await,
                    }
                }
                () = closing.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    match started.load(Ordering::Relaxed) {
                        true => connection.await,
                        // hyper would wait for a first request as long as for any other.
                        false => timeout(FIRST_REQUEST, connection).await.unwrap_or(Ok(())),
                    }
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended early");
            }
        }
    }

    /// Closes all connections, each after the request it is at.
    async fn finish(&self) {
        tokio::time::sleep(CLOSE_NOTICE).await;
        self.closing.cancel();
        self.connections.close();
        self.connections.wait().await;
    }
}

#[cfg(test)]
mod tests;
