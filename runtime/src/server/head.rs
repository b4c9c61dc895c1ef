//! Parts of a request's head that must be unambiguous, since a proxy may read them differently: its
//! host, and the end of its body. RFC 9112 asks servers to refuse such heads, and hyper leaves it
//! to the application.

use axum::{
    body::HttpBody,
    extract::Request,
    http::{Version, header},
};
use formwork_core::routing::Refusal;

/// The mistake in the head of a request.
pub(super) fn check(request: &Request) -> Option<Refusal> {
    if !names_host(request) {
        Some(Refusal::Host)
    } else if !ends_plainly(request) {
        Some(Refusal::TransferEncoding)
    } else {
        None
    }
}

/// A request of HTTP/1.1 names its host once (RFC 9112, section 3.2).
fn names_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.as_bytes().iter().all(is_of_host),
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

/// A body is chunked once, or not (RFC 9112, section 6.1): no other coding is undone.
fn ends_plainly(request: &Request) -> bool {
    if request.body().is_end_stream() {
        return true;
    }
    let mut codings = request.headers().get_all(header::TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => true,
        (Some(coding), None) => coding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        (Some(_), Some(_)) => false,
    }
}

/// Characters of hosts and ports (RFC 3986, section 3.2.2).
fn is_of_host(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:[]".contains(byte)
}
