//! Whether a form was sent from the area's own page: by the token that stands in each, and by what
//! the browser says of where it comes from (OWASP, "Cross-Site Request Forgery Prevention").

use axum::http::{HeaderMap, HeaderName, header};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::{
    config::Config,
    error::{Error, Result},
};

/// Says whose page made a browser send a request (w3.org, "Fetch Metadata Request Headers").
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The field of each form.
pub(super) const FIELD: &str = "csrf";

/// The token of all forms that are shown to who holds this cookie.
pub(super) fn token(cookie: &str) -> String {
    let mut hash = Sha256::new();
    hash.update("formwork admin form\0");
    hash.update(cookie);
    HEXLOWER.encode(&hash.finalize())
}

/// Lets a form pass that was sent from the area's own page, to who was shown this token.
///
/// # Errors
///
/// 403.
pub(super) fn check(
    config: &Config,
    headers: &HeaderMap,
    expected: Option<&str>,
    sent: &str,
) -> Result<()> {
    let same = |expected: &str| bool::from(expected.as_bytes().ct_eq(sent.as_bytes()));
    if expected.is_some_and(same) && is_own(config, headers) {
        Ok(())
    } else {
        Err(Error::forbidden(
            "The form is too old, or was not sent from this page. Go back, reload the page and \
             try again.",
        ))
    }
}

/// Whether the browser says that the request comes from a page of this service. One that says
/// nothing is no browser, or an old one: the token speaks for it.
fn is_own(config: &Config, headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text(FETCH_SITE) {
        return matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(header::ORIGIN) else {
        return true;
    };
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let own = |authority: &str| {
        let base = config.api.base_url.as_deref().unwrap_or_default();
        let (_, base) = base.split_once("://").unwrap_or_default();
        let base = base.split('/').next().unwrap_or_default();
        text(header::HOST) == Some(authority) || authority == base
    };
    authority.is_some_and(|authority| !authority.is_empty() && own(authority))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn passes(given: &[(&'static str, &'static str)]) -> bool {
        let yaml = "api: { base_url: 'https://bistro.example/shop' }";
        let config = Config::from_sources(yaml, []).expect("a configuration");
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        check(&config, &headers, Some(&token("abc")), &token("abc")).is_ok()
    }

    #[test]
    fn other_pages_forms_are_refused() {
        let host = ("host", "127.0.0.1:8000");
        for own in [
            &[host][..],
            &[host, ("sec-fetch-site", "same-origin")],
            &[host, ("sec-fetch-site", "same-origin"), ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:8000")],
            &[host, ("origin", "https://bistro.example")],
        ] {
            assert!(passes(own), "{own:?}");
        }
        for other in [
            &[host, ("sec-fetch-site", "cross-site")][..],
            &[host, ("sec-fetch-site", "same-site")],
            &[
                host,
                ("sec-fetch-site", "cross-site"),
                ("origin", "http://127.0.0.1:8000"),
            ],
            &[host, ("origin", "null")],
            &[host, ("origin", "")],
            &[host, ("origin", "http://")],
            &[host, ("origin", "http://127.0.0.1:8001")],
            &[host, ("origin", "https://evil.example")],
            &[host, ("origin", "https://bistro.example.evil.example")],
        ] {
            assert!(!passes(other), "{other:?}");
        }
    }

    #[test]
    fn without_the_token_nothing_passes() {
        let (config, headers) = (Config::default(), HeaderMap::new());
        let passes =
            |expected: Option<&str>, sent: &str| check(&config, &headers, expected, sent).is_ok();
        let (own, empty, other) = (token("abc"), token(""), token("abd"));
        assert!(passes(Some(&own), &own));
        for (expected, sent) in [
            (None, ""),
            (None, empty.as_str()),
            (Some(own.as_str()), ""),
            (Some(&own), "abc"),
            (Some(&own), &other),
            (Some(&own), &own[1..]),
        ] {
            assert!(!passes(expected, sent), "{expected:?} {sent:?}");
        }
    }
}
