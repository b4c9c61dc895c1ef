//! "No state outside the database: any number of replicas behind a balancer" (docs/contract.md, "Limits and
//! running"): what one of them did, the others know at once.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
};

use axum::http::StatusCode;
use formwork::{auth::AccountKind, prelude::*, testing::Service};
use tokio::net::TcpListener;

use super::{extensions, kitchen};

/// Another process' worth of the same service: its own pool, its own memory, the same database.
fn replica(of: &Service) -> SocketAddr {
    let config = of.app().config().clone();
    of.block_on(async {
        let replica = formwork::service(extensions()).start(config).await;
        let app = replica.expect("a replica");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, app.router()).await });
        address
    })
}

/// Status and text of an answer of the replica.
fn ask(replica: SocketAddr, method: &str, path: &str, token: &str) -> (StatusCode, String) {
    let mut socket = TcpStream::connect(replica).expect("a connection");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok());
    (status.expect("a status"), answer)
}

#[test]
fn replicas_see_the_tokens_and_records_of_each_other() {
    let service = kitchen();
    let replica = replica(&service);
    service.account(AccountKind::Admin, "chef@example.com");
    let login = json!({
        "is_admin": 1, "username": "chef", "password": "formwork", "device_name": "till",
    });
    let issued = service.guest().post("/api/token", login);
    let token = issued.json["token"].as_str().expect("a token").to_owned();
    let chef = service.with_token(&token);
    let stored = chef.post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(stored.status, 201, "{stored}");
    // The token and the dish are of the one; the other knows both, tag included.
    let (status, answer) = ask(replica, "GET", "/api/dishes/1", &token);
    assert!(status == 200 && answer.contains("Soup"), "{answer}");
    let tag = chef.get("/api/dishes/1");
    let tag = tag.header("etag").expect("a tag");
    assert!(answer.contains(tag), "{tag}: {answer}");
    assert_eq!(ask(replica, "DELETE", "/api/dishes/1", &token).0, 204);
    assert_eq!(chef.get("/api/dishes/1").status, 404);
    assert_eq!(ask(replica, "DELETE", "/api/token", &token).0, 204);
    assert_eq!(
        chef.get("/api/dishes").status,
        401,
        "revoked is revoked everywhere"
    );
}
