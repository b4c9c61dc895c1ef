//! Forwarded addresses are bytes, read from the right: docs/guide/proxies.md.

use std::io::Write;

use formwork::testing::Service;

use super::{
    config, extensions,
    raw::{connect, rest},
};

/// How many requests the client of this one has left; its `X-Forwarded-For` may be any bytes.
fn remaining(service: &Service, forwarded: &[u8]) -> u64 {
    let mut socket = connect(service);
    let head = b"GET /api/dishes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ";
    let request = [&head[..], forwarded, b"\r\n\r\n"].concat();
    socket.write_all(&request).expect("a request");
    let answer = rest(&mut socket).to_ascii_lowercase();
    let count = answer.split("ratelimit-remaining: ").nth(1);
    let count = count.and_then(|rest| rest.lines().next()?.parse().ok());
    count.unwrap_or_else(|| panic!("{answer}"))
}

#[test]
fn bytes_that_are_no_text_do_not_hide_the_address_behind_them() {
    let yaml = "api: { rate_limit: 10, trusted_proxies: [127.0.0.1, 10.0.0.0/8] }";
    let service = Service::limited(config(yaml), extensions());
    assert_eq!(remaining(&service, b"192.0.2.77"), 9);
    for (at, forwarded) in [
        &b"\xff, 192.0.2.77"[..],
        b"\xff\xfe 198.51.100.1,192.0.2.77, 10.1.2.3",
        b"198.51.100.1, \xff\r\nX-Forwarded-For: 192.0.2.77",
    ]
    .into_iter()
    .enumerate()
    {
        let left = remaining(&service, forwarded);
        assert_eq!(left, 8 - at as u64, "{}", forwarded.escape_ascii());
    }
    // The last trusted proxy is the client where the hop before it cannot be read.
    assert_eq!(remaining(&service, b"192.0.2.77, \xff"), 9);
}
