//! How a service stops: in-flight requests finish, new ones are refused (http.md, "Limits and running").

use std::{future::Future, io, time::Duration};

use axum::Router;
use tokio::{net::TcpListener, sync::watch};

pub use crate::connections::Bounds;

use crate::connections::{self, Connections, Stage};

/// Between the listener's end and the connections': time to read what clients had sent by then, and
/// to tell those who keep a connection that it ends.
const LAST_CALL: Duration = Duration::from_millis(100);

/// Serves until `stop` is done; then no connection is accepted any more, and requests in flight
/// have a while to finish. True when all of them did.
///
/// What the system had accepted when `stop` was done is served.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve_until(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
    bounds: Bounds,
) -> io::Result<bool> {
    let (stopping, stopped) = watch::channel(Stage::Open);
    let patience = bounds.patience;
    let connections = Connections::new(router, bounds, stopped);
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            (stream, peer) = connections::accept(&listener) => connections.serve(stream, peer),
        }
    }
    stopping.send_replace(Stage::LastCall);
    for (stream, peer) in connections::waiting(listener)? {
        connections.serve(stream, peer);
    }
    // It holds a receiver of its own, for which nobody has to wait.
    drop(connections);
    let ending = async {
        tokio::time::sleep(LAST_CALL).await;
        stopping.send_replace(Stage::Closing);
        stopping.closed().await;
    };
    Ok(tokio::time::timeout(patience, ending).await.is_ok())
}

/// Done when the process is asked to stop: SIGTERM or Ctrl-C.
pub async fn asked() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                tokio::select! {
                    _ = interrupt => {}
                    _ = terminate.recv() => {}
                }
            }
            Err(_) => wait(interrupt).await,
        }
    }
    #[cfg(not(unix))]
    wait(interrupt).await;
}

async fn wait(interrupt: impl Future<Output = io::Result<()>>) {
    if interrupt.await.is_err() {
        // No signals on this system: it runs until it is killed.
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, sync::Arc, time::Instant};

    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
        sync::{Notify, oneshot},
        task::JoinHandle,
    };

    use super::*;
    use crate::config::SerializerKind;

    const HALF: Duration = Duration::from_millis(500);

    struct Service {
        address: SocketAddr,
        stop: oneshot::Sender<()>,
        served: JoinHandle<io::Result<bool>>,
        /// Told when work on a request begins.
        begun: Arc<Notify>,
    }

    async fn service(works: Duration, patience: Duration) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("port");
        let address = listener.local_addr().expect("address");
        let begun = Arc::new(Notify::new());
        let told = Arc::clone(&begun);
        let slow = async move || {
            told.notify_one();
            tokio::time::sleep(works).await;
            "done"
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let stop_asked = async move { drop(stopped.await) };
        let router = Router::new().route("/", get(slow));
        let bounds = Bounds {
            connections: 8,
            patience,
            proxies: Vec::new(),
            serializer: SerializerKind::Data,
        };
        let served = tokio::spawn(serve_until(listener, router, stop_asked, bounds));
        Service {
            address,
            stop,
            served,
            begun,
        }
    }

    /// A request on which work has begun.
    async fn ask(service: &Service) -> TcpStream {
        let mut socket = TcpStream::connect(service.address)
            .await
            .expect("connection");
        socket
            .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .expect("request");
        service.begun.notified().await;
        socket
    }

    #[tokio::test]
    async fn requests_in_flight_finish_and_new_ones_are_refused() {
        let service = service(HALF, Duration::from_secs(60)).await;
        let mut socket = ask(&service).await;
        service.stop.send(()).expect("running");
        let began = Instant::now();
        while TcpStream::connect(service.address).await.is_ok() {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "new connections are refused"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.expect("answer");
        assert!(answer.ends_with("done"), "{answer}");
        assert!(service.served.await.expect("task").expect("served"));
    }

    /// Who begins a request and never ends it holds nobody up; who waits for an answer gets it.
    #[tokio::test]
    async fn half_a_head_is_not_waited_for() {
        let began = Instant::now();
        // Longer than half a head is waited for, on a busy machine too.
        let service = service(Duration::from_secs(8), Duration::from_secs(60)).await;
        let half = b"GET / HTTP/1.1\r\nHo";
        let mut idle = TcpStream::connect(service.address)
            .await
            .expect("connection");
        idle.write_all(half).await.expect("half a head");
        let mut asked = ask(&service).await;
        service.stop.send(()).expect("running");
        let mut nothing = String::new();
        idle.read_to_string(&mut nothing).await.expect("the end");
        assert_eq!(nothing, "");
        assert!(!service.served.is_finished(), "a request is in flight");
        let mut answer = String::new();
        asked.read_to_string(&mut answer).await.expect("answer");
        assert!(answer.ends_with("done"), "{answer}");
        assert!(service.served.await.expect("task").expect("served"));
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "the time for a head"
        );
    }

    #[tokio::test]
    async fn patience_ends() {
        let began = Instant::now();
        let service = service(Duration::from_secs(60), HALF).await;
        let _socket = ask(&service).await;
        service.stop.send(()).expect("running");
        assert!(!service.served.await.expect("task").expect("served"));
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}
