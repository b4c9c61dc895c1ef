//! HTTP by hand, for what a good client would not do.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use formwork::testing::Service;

/// Where a service listens.
pub fn address(service: &Service) -> SocketAddr {
    let url = service.url();
    let address = url.strip_prefix("http://").expect("an address");
    address.parse().expect("an address")
}

/// A connection that does not wait for ever.
pub fn connect(service: &Service) -> TcpStream {
    let socket = TcpStream::connect(address(service)).expect("a connection");
    let patience = Some(Duration::from_secs(20));
    socket.set_read_timeout(patience).expect("a timeout");
    socket
}

/// Says something, and reads until the other side closes.
pub fn ask(service: &Service, request: &str) -> String {
    let mut socket = connect(service);
    socket.write_all(request.as_bytes()).expect("a request");
    rest(&mut socket)
}

/// What comes until the other side closes.
pub fn rest(socket: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // What came before a reset counts too.
    let _ = socket.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
