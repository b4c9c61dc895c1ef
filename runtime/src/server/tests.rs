use std::time::Instant;

use axum::routing::get;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::{Notify, oneshot},
    task::JoinHandle,
};

use super::*;

const HALF: Duration = Duration::from_millis(500);

struct Service {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<bool>,
    /// Told when work on a request begins.
    begun: Arc<Notify>,
}

fn options(max_connections: usize, shutdown_timeout: Duration) -> ServerOptions {
    ServerOptions {
        max_connections,
        shutdown_timeout,
        trusted_proxies: Vec::new(),
    }
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
    let served = serve_until(listener, router, stop_asked, options(8, patience));
    Service {
        address,
        stop,
        served: tokio::spawn(served),
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
    assert!(service.served.await.expect("task"));
}

/// A request that is begun and never ends holds nothing up; one in flight is answered.
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
    // Bytes that were never read make the end a reset.
    let _ = idle.read_to_string(&mut nothing).await;
    assert_eq!(nothing, "");
    assert!(!service.served.is_finished(), "a request is in flight");
    let mut answer = String::new();
    asked.read_to_string(&mut answer).await.expect("answer");
    assert!(answer.ends_with("done"), "{answer}");
    assert!(service.served.await.expect("task"));
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "the time for a head"
    );
}

#[tokio::test]
async fn a_stopping_service_does_not_wait_forever() {
    let began = Instant::now();
    let service = service(Duration::from_secs(60), HALF).await;
    let _socket = ask(&service).await;
    service.stop.send(()).expect("running");
    assert!(!service.served.await.expect("task"));
    assert!(began.elapsed() < Duration::from_secs(30));
}

/// More than the system keeps for a client.
const LENGTH: usize = 32 * 1024 * 1024;

/// Short for a client, long for a machine that is busy with something else.
const SHORT: Duration = Duration::from_secs(2);

/// Two places, of which one client may have one; clients have a short time.
async fn impatient() -> (Arc<Places>, SocketAddr) {
    let router = Router::new().route("/", get(async || vec![b'x'; LENGTH]));
    let mut server = Server::new(router, options(2, SHORT));
    server.client_timeout = SHORT;
    let places = Arc::clone(&server.places);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, peer)) = listener.accept().await {
            server.serve(stream, peer);
        }
    });
    (places, address)
}

/// Waits until the one place of this client is taken, and then until it is free again.
async fn taken_and_free(
    places: &Arc<Places>,
    address: SocketAddr,
    mut meanwhile: impl AsyncFnMut(),
) {
    let began = Instant::now();
    while places.take(address.ip()).is_some() {
        assert!(began.elapsed() < SHORT, "the place is taken first");
        tokio::task::yield_now().await;
    }
    while places.take(address.ip()).is_none() {
        assert!(began.elapsed() < 20 * SHORT, "the place is given back");
        tokio::time::sleep(SHORT / 10).await;
        meanwhile().await;
    }
    assert!(began.elapsed() >= SHORT);
}

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn a_client_that_reads_nothing_loses_its_place() {
    let (places, address) = impatient().await;
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    socket.write_all(REQUEST).await.expect("a request");
    taken_and_free(&places, address, async || {}).await;
}

/// A letter now and then makes no head.
#[tokio::test]
async fn a_client_that_does_not_finish_a_head_loses_its_place() {
    for begun in ["", "GET / HTTP/1.1\r\nHost: x\r\nA: "] {
        let (places, address) = impatient().await;
        let mut socket = TcpStream::connect(address).await.expect("a connection");
        socket.write_all(begun.as_bytes()).await.expect("a head");
        taken_and_free(&places, address, async || {
            if !begun.is_empty() {
                // It may be closed already.
                let _ = socket.write_all(b"x").await;
            }
        })
        .await;
    }
}

#[tokio::test]
async fn a_client_that_reads_slowly_is_answered_whole() {
    let (_places, address) = impatient().await;
    let mut slow = TcpStream::connect(address).await.expect("a connection");
    slow.write_all(REQUEST).await.expect("a request");
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
