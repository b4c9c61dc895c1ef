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

/// Connects, and sends these bytes.
async fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut socket = TcpStream::connect(address).await.expect("a connection");
    socket.write_all(bytes).await.expect("a request");
    socket
}

/// Sends a request; returns when work on it has begun.
async fn request(service: &Service) -> TcpStream {
    let socket = send(service.address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    service.begun.notified().await;
    socket
}

/// Asserts that a request is answered, and that the service has stopped then.
async fn assert_answered(mut socket: TcpStream, served: JoinHandle<bool>) {
    let mut answer = String::new();
    socket
        .read_to_string(&mut answer)
        .await
        .expect("a response");
    assert!(answer.ends_with("done"), "{answer}");
    assert!(served.await.expect("a task"));
}

#[tokio::test]
async fn requests_in_flight_finish_and_new_ones_are_refused() {
    let service = service(HALF, Duration::from_secs(60)).await;
    let socket = request(&service).await;
    service.stop.send(()).expect("running");
    let closed = async {
        while TcpStream::connect(service.address).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let closed = tokio::time::timeout(Duration::from_secs(30), closed).await;
    closed.expect("new connections are refused");
    assert_answered(socket, service.served).await;
}

/// A request that is begun and never ends delays nothing; one in flight is answered.
#[tokio::test]
async fn half_a_head_is_not_waited_for() {
    let began = Instant::now();
    // Longer than half a head is waited for, on a busy machine too.
    let service = service(Duration::from_secs(8), Duration::from_secs(60)).await;
    let mut idle = send(service.address, b"GET / HTTP/1.1\r\nHo").await;
    let socket = request(&service).await;
    service.stop.send(()).expect("running");
    let mut nothing = String::new();
    // Bytes that were never read make the end a reset.
    let _ = idle.read_to_string(&mut nothing).await;
    assert_eq!(nothing, "");
    assert!(!service.served.is_finished(), "a request is in flight");
    assert_answered(socket, service.served).await;
    let limit = Duration::from_secs(30);
    assert!(began.elapsed() < limit, "the time for a head");
}

#[tokio::test]
async fn a_stopping_service_does_not_wait_forever() {
    let began = Instant::now();
    let service = service(Duration::from_secs(60), HALF).await;
    let _socket = request(&service).await;
    service.stop.send(()).expect("running");
    assert!(!service.served.await.expect("a task"));
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

/// Waits until this client has its one permit, and then until it is free again.
async fn acquired_and_free(
    places: &Arc<Places>,
    address: SocketAddr,
    mut meanwhile: impl AsyncFnMut(),
) {
    let began = Instant::now();
    while places.take(address.ip()).is_some() {
        assert!(began.elapsed() < SHORT, "the permit is acquired first");
        tokio::task::yield_now().await;
    }
    while places.take(address.ip()).is_none() {
        assert!(began.elapsed() < 20 * SHORT, "the permit is released");
        tokio::time::sleep(SHORT / 10).await;
        meanwhile().await;
    }
    assert!(began.elapsed() >= SHORT);
}

const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// A character now and then makes no head.
#[tokio::test]
async fn a_client_that_reads_nothing_or_finishes_no_head_loses_its_place() {
    for (bytes, more) in [
        (REQUEST, &b""[..]),
        (b"", b""),
        (b"GET / HTTP/1.1\r\nHost: x\r\nA: ", b"x"),
    ] {
        let (places, address) = impatient().await;
        let mut socket = send(address, bytes).await;
        let meanwhile = async || {
            // It may be closed already.
            let _ = socket.write_all(more).await;
        };
        acquired_and_free(&places, address, meanwhile).await;
    }
}

#[tokio::test]
async fn a_client_that_reads_slowly_is_answered_whole() {
    let (_places, address) = impatient().await;
    let mut slow = send(address, REQUEST).await;
    let (mut piece, mut read) = (vec![0; LENGTH / 12], 0);
    loop {
        tokio::time::sleep(SHORT / 5).await;
        match slow.read_exact(&mut piece).await {
            Ok(length) => read += length,
            Err(_) => break,
        }
    }
    // The last piece is shorter.
    assert_eq!(read, 12 * piece.len());
}

/// Reads what is sent until the other side closes; a reset ends it too.
async fn rest(mut socket: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// A response is in progress until its body is sent: its connection makes no room for others.
#[tokio::test]
async fn an_idle_connection_makes_room_and_a_busy_one_does_not() {
    let (chunks, body) = tokio::sync::mpsc::channel::<Result<&str, Infallible>>(1);
    let body = Arc::new(std::sync::Mutex::new(Some(body)));
    let slow = async move || {
        let mut chunks = body.lock().expect("a lock").take().expect("one request");
        Body::from_stream(futures_util::stream::poll_fn(move |cx| {
            chunks.poll_recv(cx)
        }))
    };
    let quick = async || "quick";
    let router = Router::new()
        .route("/slow", get(slow))
        .route("/", get(quick));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let options = ServerOptions {
        trusted_proxies: vec!["127.0.0.1".parse().expect("a network")],
        ..options(2, HALF)
    };
    tokio::spawn(serve_until(
        listener,
        router,
        std::future::pending(),
        options,
    ));

    let slow = b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let mut busy = send(address, slow).await;
    // Its head is sent.
    busy.read_exact(&mut [0]).await.expect("a response");
    let half = send(address, b"GET / HTTP/1.1\r\nHo").await;
    let kept = send(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert_eq!(rest(half).await, "", "it made room");
    let last = rest(send(address, REQUEST).await).await;
    assert!(last.ends_with("quick"), "{last}");
    let first = rest(kept).await;
    assert!(first.ends_with("quick"), "idle after its response: {first}");
    chunks.send(Ok("done")).await.expect("it is still read");
    drop(chunks);
    let busy = rest(busy).await;
    assert!(busy.contains("done"), "{busy}");
}
