//! Connections as the system hands them out: one after the other, and the last when a service stops.

use std::{io, net::SocketAddr, time::Duration};

use tokio::net::{TcpListener, TcpStream};

/// How long the loop rests when the system has no connection to give, for want of descriptors.
const REST: Duration = Duration::from_millis(200);

/// The next connection.
pub(crate) async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            // The client went away before it was accepted.
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};

    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}

/// The connections that the system has accepted already. The listener is closed then.
///
/// # Errors
///
/// When the listener cannot be asked.
pub(crate) fn waiting(listener: TcpListener) -> io::Result<Vec<(TcpStream, SocketAddr)>> {
    close_the_door(&listener);
    // Asked directly: the runtime may not have heard of the latest yet.
    let listener = listener.into_std()?;
    let mut waiting = Vec::new();
    loop {
        match listener.accept() {
            Ok((stream, peer)) => {
                stream.set_nonblocking(true)?;
                waiting.push((TcpStream::from_std(stream)?, peer));
            }
            Err(error) if is_the_clients(&error) => {}
            Err(_) => return Ok(waiting),
        }
    }
}

/// The system accepts no more, so that nobody comes behind the last look and is dropped: on Linux what
/// knocks is not heard, and is refused once the listener is closed. Where the system does not let
/// itself be told, a few come.
fn close_the_door(listener: &TcpListener) {
    let socket = socket2::SockRef::from(listener);
    #[cfg(target_os = "linux")]
    {
        /// `BPF_RET | BPF_K` with 0: of each packet nothing is kept.
        const NOTHING: socket2::SockFilter = socket2::SockFilter::new(0x06, 0, 0, 0);
        let _ = socket.attach_filter(&[NOTHING]);
    }
    let _ = socket.listen(0);
}
