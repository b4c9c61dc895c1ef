//! Stopping: what was accepted is answered.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::Router;
use formwork::{
    app::App,
    config::Config,
    data::migration,
    server::{ServerOptions, serve_until},
};
use tokio::{net::TcpListener, runtime::Runtime, sync::oneshot};

use super::{
    extensions,
    gate::soon,
    oven::{BAKED, COUNTED, STARTED},
    support::rounds,
};

const CLIENTS: usize = 32;

/// Answers before it is: there is load.
const ANSWERS: usize = 150;

/// Longer than the slowest machine takes for anything here.
const PATIENCE: Duration = Duration::from_secs(60);

/// The answers that a client saw.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Seen {
    answered: usize,
    /// Half an answer, or something else than 200.
    failed: usize,
    /// A new connection that was accepted, and closed without a word.
    dropped: usize,
    /// A kept connection that ended under a request, with no answer before it that said so.
    cut: usize,
}

/// The state that clients and the test share.
#[derive(Default)]
struct Common {
    gone: AtomicBool,
    answered: AtomicUsize,
}

/// Sends requests over a connection, kept or new, until the service has stopped.
fn client(address: SocketAddr, keep: bool, common: &Common) -> Seen {
    let mut seen = Seen::default();
    while !common.gone.load(Ordering::SeqCst) {
        let Ok(mut socket) = TcpStream::connect(address) else {
            break;
        };
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut fresh = true;
        while let Some(answer) = exchange(&mut socket, keep) {
            match answer.as_str() {
                "" if fresh => seen.dropped += 1,
                "" => seen.cut += 1,
                whole if whole.starts_with("HTTP/1.1 200") && whole.ends_with("}}") => {
                    seen.answered += 1;
                    common.answered.fetch_add(1, Ordering::SeqCst);
                }
                _ => seen.failed += 1,
            }
            fresh = false;
            let closes = answer.contains("\r\nconnection: close\r\n");
            if answer.is_empty() || !keep || closes {
                break;
            }
        }
    }
    seen
}

/// One request; the empty text where the connection ended without a word of answer.
fn exchange(socket: &mut TcpStream, keep: bool) -> Option<String> {
    let connection = if keep { "keep-alive" } else { "close" };
    let request = format!(
        "GET /api/loaves/{COUNTED} HTTP/1.1\r\nHost: x\r\nConnection: {connection}\r\n\r\n"
    );
    if socket.write_all(request.as_bytes()).is_err() {
        return Some(String::new());
    }
    let mut answer = Vec::new();
    let mut piece = [0; 4096];
    loop {
        match socket.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => answer.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        if answer.ends_with(b"}}") {
            break;
        }
    }
    Some(String::from_utf8_lossy(&answer).into_owned())
}

async fn start(folder: &tempfile::TempDir) -> Arc<App> {
    let mut config = Config::default();
    config.api.rate_limit = 0;
    config.database.url = format!("sqlite://{}", folder.path().join("x.sqlite").display());
    let started = formwork::service(extensions()).start(config).await;
    let app = started.expect("the service");
    let migrated = migration::run(app.db(), app.migrations()).await;
    migrated.expect("migrations");
    app
}

/// Serves until clients have sent requests for a while; returns their results.
fn stopped_under_load(runtime: &Runtime, app: &App, router: Router) -> Vec<Seen> {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0"));
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel::<()>();
    let options = ServerOptions {
        max_connections: 100,
        shutdown_timeout: PATIENCE,
        ..ServerOptions::from(app.config())
    };
    let stopped = async move { drop(stopped.await) };
    let serving = runtime.spawn(serve_until(listener, router, stopped, options));
    let common = Common::default();
    std::thread::scope(|scope| {
        let common = &common;
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| scope.spawn(move || client(address, number % 4 == 0, common)))
            .collect();
        let is_busy = soon(|| common.answered.load(Ordering::SeqCst) > ANSWERS);
        assert!(is_busy, "there is load");
        app.stop();
        stop.send(()).expect("running");
        let finished = runtime.block_on(serving).expect("no panic");
        assert!(finished, "within the patience");
        common.gone.store(true, Ordering::SeqCst);
        let seen = clients.into_iter().map(|it| it.join().expect("a client"));
        seen.collect()
    })
}

#[test]
fn under_load_every_accepted_request_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = Runtime::new().expect("a runtime");
    let app = runtime.block_on(start(&folder));
    let mut seen = Vec::new();
    let stops = rounds(2) as usize;
    for _ in 0..stops {
        let clients = stopped_under_load(&runtime, &app, app.router());
        // The system accepts connections until the listener is closed; the last of each client no
        // service sees.
        let dropped: usize = clients.iter().map(|it| it.dropped).sum();
        assert!(dropped <= CLIENTS, "{clients:?}");
        seen.extend(clients);
    }
    let sum = |of: fn(&Seen) -> usize| seen.iter().map(of).sum::<usize>();
    let (started, baked) = (STARTED.load(Ordering::SeqCst), BAKED.load(Ordering::SeqCst));
    assert!(
        sum(|it| it.answered) > ANSWERS * stops,
        "there was load: {seen:?}"
    );
    assert_eq!(started, baked, "what began was finished");
    assert_eq!(baked, sum(|it| it.answered), "and answered: {seen:?}");
    assert_eq!(sum(|it| it.failed), 0, "{seen:?}");
    assert_eq!(sum(|it| it.cut), 0, "{seen:?}");
}
