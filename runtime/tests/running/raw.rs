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
    let patience = Some(Duration::from_secs(60));
    socket.set_read_timeout(patience).expect("a timeout");
    socket
}

/// Says something, and reads until the other side closes.
pub fn ask(service: &Service, request: &str) -> String {
    let mut socket = connect(service);
    socket.write_all(request.as_bytes()).expect("a request");
    rest(&mut socket)
}

/// As [`ask`], from this address of the machine.
#[cfg(target_os = "linux")]
pub fn ask_from(own: &str, service: &Service, request: &str) -> String {
    let mut socket = connect_from(own, service);
    // A connection that is refused may be closed already.
    let _ = socket.write_all(request.as_bytes());
    rest(&mut socket)
}

/// As [`connect`], from this address of the machine.
#[cfg(target_os = "linux")]
pub fn connect_from(own: &str, service: &Service) -> TcpStream {
    use socket2::{Domain, Socket, Type};

    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    let own = SocketAddr::new(own.parse().expect("an address"), 0);
    socket.bind(&own.into()).expect("an address");
    let address = address(service).into();
    socket.connect(&address).expect("a connection");
    let socket = TcpStream::from(socket);
    let patience = Some(Duration::from_secs(60));
    socket.set_read_timeout(patience).expect("a timeout");
    socket
}

/// The bytes until the other side closes.
pub fn rest(socket: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // Bytes before a reset count too.
    let _ = socket.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}
