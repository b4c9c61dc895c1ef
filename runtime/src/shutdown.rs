//! How a service stops: in-flight requests finish, new ones are refused (http.md, "Limits and running").

use std::{future::Future, io, net::SocketAddr, time::Duration};

use axum::Router;
use tokio::{net::TcpListener, sync::oneshot};

/// Serves until `stop` is done; then no connection is accepted any more, and requests in flight
/// have this long to finish. True when all of them did.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve_until(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()> + Send + 'static,
    patience: Duration,
) -> io::Result<bool> {
    let (stopping, stopped) = oneshot::channel();
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop.await;
        // The other side is gone only when serving has ended already.
        let _ = stopping.send(());
    });
    tokio::select! {
        ended = async { serving.await } => ended.map(|()| true),
        () = too_late(stopped, patience) => Ok(false),
    }
}

/// Done when the patience after the stop is over.
async fn too_late(stopped: oneshot::Receiver<()>, patience: Duration) {
    if stopped.await.is_err() {
        // Serving ended without a stop: its result is what counts.
        std::future::pending::<()>().await;
    }
    tokio::time::sleep(patience).await;
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
    use std::time::Instant;

    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
        task::JoinHandle,
    };

    use super::*;

    const HALF: Duration = Duration::from_millis(500);

    async fn service(
        works: Duration,
        patience: Duration,
    ) -> (
        SocketAddr,
        oneshot::Sender<()>,
        JoinHandle<io::Result<bool>>,
    ) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("port");
        let address = listener.local_addr().expect("address");
        let slow = move || async move {
            tokio::time::sleep(works).await;
            "done"
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let stop_asked = async move { drop(stopped.await) };
        let router = Router::new().route("/", get(slow));
        let served = tokio::spawn(serve_until(listener, router, stop_asked, patience));
        (address, stop, served)
    }

    async fn ask(address: SocketAddr) -> TcpStream {
        let mut socket = TcpStream::connect(address).await.expect("connection");
        socket
            .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .expect("request");
        tokio::time::sleep(Duration::from_millis(100)).await;
        socket
    }

    #[tokio::test]
    async fn requests_in_flight_finish_and_new_ones_are_refused() {
        let (address, stop, served) = service(HALF, Duration::from_secs(10)).await;
        let mut socket = ask(address).await;
        stop.send(()).expect("running");
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(
            TcpStream::connect(address).await.is_err(),
            "new connections are refused"
        );
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.expect("answer");
        assert!(answer.ends_with("done"), "{answer}");
        assert!(served.await.expect("task").expect("served"));
    }

    #[tokio::test]
    async fn patience_ends() {
        let began = Instant::now();
        let (address, stop, served) = service(Duration::from_secs(60), HALF).await;
        let _socket = ask(address).await;
        stop.send(()).expect("running");
        assert!(!served.await.expect("task").expect("served"));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}
