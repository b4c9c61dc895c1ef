//! Where a request came from: the socket, or what a trusted proxy forwarded.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Once,
};

use axum::{
    extract::ConnectInfo,
    http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts},
};

use crate::{config::Config, context::ClientInfo};

/// Says once that a proxy forwards requests while none is trusted: all its clients are counted as
/// one then.
fn warn_of_proxy(headers: &HeaderMap, config: &Config) {
    static SAID: Once = Once::new();
    let forwarded = FORWARDED
        .into_iter()
        .find(|name| headers.contains_key(name));
    if let (Some(header), []) = (forwarded, config.api.trusted_proxies.as_slice()) {
        SAID.call_once(|| {
            tracing::warn!(
                header = header.as_str(),
                "a forwarded request arrived, and api.trusted_proxies names no proxy: its clients \
                 are counted as one"
            );
        });
    }
}

/// The header of the addresses that a request came through.
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Headers that proxies add.
const FORWARDED: [HeaderName; 3] = [
    FORWARDED_FOR,
    header::FORWARDED,
    HeaderName::from_static("x-forwarded-proto"),
];

/// The client of a request.
pub fn client(parts: &Parts, config: &Config) -> ClientInfo {
    warn_of_proxy(&parts.headers, config);
    let socket = parts
        .extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map(|ConnectInfo(address)| address.ip().to_canonical());
    let trusted = |address: IpAddr| config.api.trusts(address);
    let user_agent = parts.headers.get(header::USER_AGENT);
    ClientInfo {
        address: socket.map(|address| forwarded(address, &parts.headers, trusted)),
        user_agent: user_agent
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned),
    }
}

/// The last address before the trusted proxies. Addresses further left may have been written by the
/// client.
fn forwarded(socket: IpAddr, headers: &HeaderMap, trusted: impl Fn(IpAddr) -> bool) -> IpAddr {
    let values: Vec<&[u8]> = headers
        .get_all(FORWARDED_FOR)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    // Bytes, because a client may send any of them to the left of its address.
    let hops = values
        .iter()
        .rev()
        .flat_map(|value| value.rsplit(|byte| *byte == b','));
    let mut client = socket;
    for hop in hops {
        if !trusted(client) {
            break;
        }
        match address(hop) {
            Some(address) => client = address.to_canonical(),
            None => break,
        }
    }
    client
}

/// An address; some proxies write the port behind it, and IPv6 in brackets.
fn address(hop: &[u8]) -> Option<IpAddr> {
    let hop = str::from_utf8(hop).ok()?.trim();
    let bare = || hop.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let ported = || Some(hop.parse::<SocketAddr>().ok()?.ip());
    hop.parse().ok().or_else(ported).or_else(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_do_not_count() {
        for (hop, seen) in [
            ("1.2.3.4:5678", "1.2.3.4"),
            ("[2001:db8::1]:5678", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_static(hop));
            let proxy: IpAddr = "10.0.0.1".parse().unwrap();
            let client = forwarded(proxy, &headers, |address| address == proxy);
            assert_eq!(client.to_string(), seen, "{hop}");
        }
        for none in ["unknown", "1.2.3.4:", "1.2.3.4:x", "[1.2.3.4", ""] {
            assert_eq!(address(none.as_bytes()), None, "{none}");
        }
    }
}
