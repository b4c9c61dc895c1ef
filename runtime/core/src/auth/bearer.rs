//! The token in the `Authorization` header: RFC 6750, section 2.1.

use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

/// The bearer token, from `Authorization`, or else from the header that `auth.authorization_header`
/// trusts. Another scheme (`Basic`, for a proxy in front) is not a token.
///
/// `Bearer` without a token, or with bytes that are not text, counts as a token that matches none;
/// so do two headers, because a proxy may have checked the other one (RFC 9110, section 5.3).
pub(super) fn token<'a>(headers: &'a HeaderMap, trusted: Option<&str>) -> Option<&'a str> {
    let value = match sent(headers, AUTHORIZATION.as_str()) {
        Sent::Never => sent(headers, trusted?),
        own => own,
    };
    let value = match value {
        Sent::Never => return None,
        Sent::Once(value) => value,
        Sent::Often => return Some(""),
    };
    let bytes = value.as_bytes();
    let end = bytes
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(bytes.len());
    let (scheme, token) = bytes.split_at(end);
    let bearer = scheme.eq_ignore_ascii_case(b"Bearer");
    bearer.then(|| std::str::from_utf8(token).map_or("", str::trim))
}

/// How often a header was sent.
enum Sent<'a> {
    Never,
    Once(&'a HeaderValue),
    Often,
}

fn sent<'a>(headers: &'a HeaderMap, name: &str) -> Sent<'a> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Sent::Never,
        (Some(value), None) => Sent::Once(value),
        (Some(_), Some(_)) => Sent::Often,
    }
}

/// Row and secret of `<id>|<secret>`.
pub(super) fn parts(token: &str) -> Option<(i64, &str)> {
    let (id, secret) = token.split_once('|')?;
    let digits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    (digits && !secret.is_empty())
        .then(|| Some((id.parse().ok()?, secret)))
        .flatten()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let line = |&(name, value)| {
            let name = HeaderName::from_bytes(str::as_bytes(name)).expect("name");
            (name, HeaderValue::from_static(value))
        };
        lines.iter().map(line).collect()
    }

    #[test]
    fn the_scheme_is_read_in_any_case() {
        for line in ["Bearer 1|x", "bearer 1|x", "BEARER   1|x "] {
            assert_eq!(
                token(&headers(&[("authorization", line)]), None),
                Some("1|x"),
                "{line}"
            );
        }
        assert_eq!(
            token(&headers(&[("authorization", "Basic YTpi")]), None),
            None
        );
        assert_eq!(
            token(&headers(&[("authorization", "Bearer")]), None),
            Some("")
        );
        assert_eq!(token(&headers(&[]), None), None);
    }

    #[test]
    fn a_token_is_a_row_and_a_secret() {
        assert_eq!(parts("7|abc"), Some((7, "abc")));
        for broken in [
            "",
            "7",
            "7|",
            "|abc",
            "x|abc",
            "-7|abc",
            "+7|abc",
            "99999999999999999999|a",
        ] {
            assert_eq!(parts(broken), None, "{broken}");
        }
    }
}
