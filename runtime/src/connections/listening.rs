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
    // From now on the system accepts hardly any: however long this takes, few come behind the last
    // look and are dropped. Where it does not let itself be told, more do.
    let _ = socket2::SockRef::from(&listener).listen(0);
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
