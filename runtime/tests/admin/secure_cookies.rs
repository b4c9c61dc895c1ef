//! Cookies of the admin area are `Secure` unless the browser runs on this machine.

use super::service;

#[test]
fn cookies_are_secure_unless_host_and_peer_are_loopback() {
    let service = service();
    let is_secure = |headers: &[(&str, &str)]| {
        let mut client = service.guest().header("Accept", "text/html");
        for (name, value) in headers {
            client = client.header(name, value);
        }
        let page = client.get("/admin/login");
        let cookie = page.header("set-cookie").expect("a cookie");
        cookie.contains("; Secure")
    };
    for host in [
        "127.0.0.1:8000",
        "localhost",
        "LOCALHOST:8000",
        "[::1]:8000",
    ] {
        assert!(!is_secure(&[("Host", host)]), "{host}");
    }
    // A proxy on this machine ends TLS and forwards the host.
    for forwarded in [
        &[("Host", "shop.example")][..],
        &[
            ("Host", "shop.example"),
            ("Forwarded", "for=192.0.2.1;proto=https"),
        ],
        &[("Host", "shop.example"), ("X-Forwarded-For", "192.0.2.1")],
        &[
            ("Host", "127.0.0.1"),
            ("Forwarded", "for=192.0.2.1; Proto=\"https\""),
        ],
        &[("Host", "127.0.0.1"), ("X-Forwarded-Proto", "HTTPS")],
        &[("Host", "localhost.example")],
    ] {
        assert!(is_secure(forwarded), "{forwarded:?}");
    }
}
