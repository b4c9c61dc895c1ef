//! Answers that are streamed, and WebSockets.

use std::{
    io::{Read, Write},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use formwork::{
    axum::{
        body::Body,
        extract::WebSocketUpgrade,
        http::{Method, header},
        response::{IntoResponse, Response as Answer},
    },
    http::route::Route,
    prelude::*,
};
use futures_util::{StreamExt, stream};

use super::{create_token, raw, shop::service, start};

/// Rows of the export, and the bytes of each.
const ROWS: usize = 60_000;
const ROW: usize = 500;

/// Rows that were made.
static EXPORTED: AtomicUsize = AtomicUsize::new(0);

/// A list as CSV, row by row.
async fn export() -> impl IntoResponse {
    let rows = stream::iter(0..ROWS).map(|row| {
        EXPORTED.fetch_add(1, Ordering::SeqCst);
        Ok::<_, std::io::Error>(format!("{row},{}\n", "x".repeat(ROW)))
    });
    (
        [(header::CONTENT_TYPE, "text/csv")],
        Body::from_stream(rows),
    )
}

async fn echo(upgrade: WebSocketUpgrade, ctx: Context) -> Answer {
    let who = ctx.customer_id();
    upgrade.on_upgrade(async move |mut socket| {
        while let Some(Ok(message)) = socket.recv().await {
            let Ok(text) = message.to_text() else { break };
            let answer = format!("{who:?} {text}");
            if text.is_empty() || socket.send(answer.into()).await.is_err() {
                break;
            }
        }
    })
}

fn routes() -> Vec<Route> {
    vec![
        Route::handler(Method::GET, "/export", Allow::All, export),
        Route::handler(Method::GET, "/echo", Allow::Customer, echo),
    ]
}

/// Waits until a counter has begun to count, and no longer changes; returns it.
fn wait_until_it_stops(count: impl Fn() -> usize) -> usize {
    let mut last = 0;
    loop {
        std::thread::sleep(Duration::from_millis(100));
        match count() {
            0 => {}
            same if same == last => return last,
            more => last = more,
        }
    }
}

#[test]
fn a_streamed_answer_waits_for_its_reader() {
    let service = start(service(routes));
    let mut socket = raw::connect(&service);
    let request =
        "GET /api/export HTTP/1.1\r\nHost: a\r\nAccept: text/csv\r\nConnection: close\r\n\r\n";
    socket.write_all(request.as_bytes()).expect("a request");
    // The client reads no byte yet: the bytes that are written fill buffers of the system.
    let written = wait_until_it_stops(|| EXPORTED.load(Ordering::SeqCst)) * ROW;
    assert!(written < 20 * 1024 * 1024, "{written} bytes were written");
    let (mut buffer, mut read) = (vec![0; 65536], 0);
    let count = socket.read(&mut buffer).expect("a head");
    let head = String::from_utf8_lossy(&buffer[..count]).into_owned();
    for part in ["content-type: text/csv", "x-request-id"] {
        assert!(head.contains(part), "{head}");
    }
    while let count @ 1.. = socket.read(&mut buffer).expect("bytes") {
        read += count;
    }
    assert!(read > ROWS * ROW, "{read} bytes");
    assert_eq!(EXPORTED.load(Ordering::SeqCst), ROWS);
}

#[test]
fn a_websocket_answers_after_the_checks() {
    let service = start(service(routes));
    let open = |head: &str| {
        let mut socket = raw::connect(&service);
        let request = format!(
            "GET /api/echo HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{head}\r\n"
        );
        socket.write_all(request.as_bytes()).expect("a request");
        let mut answer = vec![];
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(0);
            let last = answer.last_mut().map(std::slice::from_mut);
            socket.read_exact(last.expect("a byte")).expect("a byte");
        }
        (socket, String::from_utf8(answer).expect("a head"))
    };
    assert!(open("").1.starts_with("HTTP/1.1 401 "));
    let (token, id) = create_token(&service, "socket@example.com", "*");
    let (mut socket, head) = open(&format!("Authorization: Bearer {token}\r\n"));
    assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
    assert!(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "{head}");
    // A text of two bytes, masked with zeros (RFC 6455, section 5.2).
    for _ in 0..2 {
        let hi = [0x81, 0x82, 0, 0, 0, 0, b'h', b'i'];
        socket.write_all(&hi).expect("a frame");
        let expected = format!("Some({id}) hi");
        let mut frame = vec![0; 2 + expected.len()];
        socket.read_exact(&mut frame).expect("a frame");
        assert_eq!(frame[0], 0x81);
        assert_eq!(String::from_utf8_lossy(&frame[2..]), expected);
    }
}
