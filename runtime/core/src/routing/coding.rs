//! The content coding a client takes (RFC 9110, section 12.5.3).

use axum::http::{HeaderMap, header};

/// Whether the client accepts gzip, for files that are stored in gzip alone. Without the header
/// every coding is accepted.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    codings(headers).is_none_or(|codings| gzip(&codings) > 0.0)
}

/// Whether the client prefers gzip to no coding. Without the header it may be unable to read gzip.
pub fn prefers_gzip(headers: &HeaderMap) -> bool {
    codings(headers).is_some_and(|codings| {
        let gzip = gzip(&codings);
        gzip > 0.0 && weight(&codings, &["identity"]).is_none_or(|plain| plain <= gzip)
    })
}

/// A coding, in lower-case letters, and how much it is wanted.
type Coding = (String, f32);

/// The codings that a client lists; `None` without the header.
fn codings(headers: &HeaderMap) -> Option<Vec<Coding>> {
    let mut values = headers.get_all(header::ACCEPT_ENCODING).iter().peekable();
    values.peek()?;
    let values = values.filter_map(|value| value.to_str().ok());
    let items = values.flat_map(|value| value.split(','));
    Some(
        items
            .map(|item| coding(&item.to_ascii_lowercase()))
            .collect(),
    )
}

fn coding(item: &str) -> Coding {
    let (name, weight) = item.split_once(';').unwrap_or((item, ""));
    let weight = weight.trim().strip_prefix("q=");
    let weight = weight.and_then(|weight| weight.parse().ok());
    (name.trim().to_owned(), weight.unwrap_or(1.0))
}

/// The weight of gzip where it is named, else that of `*`.
fn gzip(codings: &[Coding]) -> f32 {
    let named = weight(codings, &["gzip", "x-gzip"]);
    named.or_else(|| weight(codings, &["*"])).unwrap_or(0.0)
}

fn weight(codings: &[Coding], names: &[&str]) -> Option<f32> {
    let mut codings = codings.iter();
    let found = codings.find(|(name, _)| names.contains(&name.as_str()));
    found.map(|(_, weight)| *weight)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn sent(value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
        headers
    }

    #[test]
    fn gzip_is_taken_unless_accept_encoding_excludes_it() {
        let takes = |value: &'static str| takes_gzip(&sent(value));
        assert!(takes("gzip") && takes("br, GZIP;q=0.5") && takes("*"));
        assert!(!takes("gzip;q=0") && !takes("gzip; q=0.0, br") && !takes("identity"));
        assert!(!takes("gzip;Q=0") && !takes("*, gzip;q=0") && !takes("br, *;q=0"));
        assert!(takes("*;q=0, gzip") && !takes(""));
        assert!(takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn gzip_is_preferred_only_above_identity() {
        let prefers = |value: &'static str| prefers_gzip(&sent(value));
        assert!(prefers("gzip") && prefers("gzip, deflate, br, zstd") && prefers("*"));
        assert!(prefers("identity;q=0.5, gzip") && prefers("*;q=0, gzip"));
        assert!(!prefers("identity") && !prefers("gzip;q=0.5, identity") && !prefers(""));
        assert!(!prefers("gzip;q=0") && !prefers("br, *;q=0"));
        assert!(!prefers_gzip(&HeaderMap::new()));
    }
}
