//! Whether a form was sent from the area's own page: by the browser's headers about its origin, and
//! by the token in each (OWASP, "Cross-Site Request Forgery Prevention").

use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use formwork_core::config::Config;
use formwork_data::error::{Error, Result};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tower_http::csrf::{CsrfLayer, ProtectionError};
use url::Url;

/// The permission that the screens require.
pub(super) const MANAGE: &str = "Ext.Api.Manage";

/// Refuses forms of other sites' pages.
pub(crate) type Csrf = CsrfLayer<fn(ProtectionError) -> Response>;

/// A layer that refuses forms of other sites' pages. Pages of `api.base_url` are the service's own:
/// a proxy may send another `Host`.
pub(crate) fn csrf(config: &Config) -> Csrf {
    let base = config.api.base_url.as_deref().map(Url::parse);
    let layer = match base {
        Some(Ok(base)) => CsrfLayer::new().add_trusted_origin(base.origin().ascii_serialization()),
        _ => Ok(CsrfLayer::new()),
    };
    let refuse: fn(ProtectionError) -> Response = |_| refused().into_response();
    layer.unwrap_or_default().with_rejection_response(refuse)
}

fn refused() -> Error {
    Error::forbidden(
        "The form is too old, or was not sent from this page. Go back, reload the page and try \
         again.",
    )
}

/// The field of each form.
pub(super) const FIELD: &str = "csrf";

/// The token of the forms that are shown with this cookie.
pub(super) fn token(cookie: &str) -> String {
    let mut hash = Sha256::new();
    hash.update("formwork admin form\0");
    hash.update(cookie);
    HEXLOWER.encode(&hash.finalize())
}

/// Lets a form pass that was sent by a page with this token.
///
/// # Errors
///
/// 403.
pub(super) fn check(expected: Option<&str>, sent: &str) -> Result<()> {
    let same = |expected: &str| bool::from(expected.as_bytes().ct_eq(sent.as_bytes()));
    match expected.is_some_and(same) {
        true => Ok(()),
        false => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, sync::Arc};

    use axum::extract::Request;
    use tower::{Layer, ServiceExt, service_fn};

    use super::*;

    async fn passes(given: &[(&str, &str)]) -> bool {
        let yaml = "api: { base_url: 'https://bistro.example/shop' }";
        let config = Config::from_sources(yaml, []).expect("a configuration");
        let page = async |_: Request| Ok::<_, Infallible>(Response::default());
        let given = given.iter();
        let request = given.fold(Request::post("/admin/login"), |request, (name, value)| {
            request.header(*name, *value)
        });
        let request = request.body(axum::body::Body::empty()).expect("a request");
        let Ok(answer) = csrf(&config).layer(service_fn(page)).oneshot(request).await;
        answer.extensions().get::<Arc<Error>>().is_none()
    }

    #[tokio::test]
    async fn other_pages_forms_are_refused() {
        let host = ("host", "127.0.0.1:8000");
        for own in [
            &[host][..],
            &[host, ("sec-fetch-site", "same-origin")],
            &[host, ("sec-fetch-site", "same-origin"), ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:8000")],
            &[host, ("origin", "https://bistro.example")],
        ] {
            assert!(passes(own).await, "{own:?}");
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
            &[host, ("origin", "http://")],
            &[host, ("origin", "http://127.0.0.1:8001")],
            &[host, ("origin", "http://bistro.example")],
            &[host, ("origin", "https://evil.example")],
            &[host, ("origin", "https://bistro.example.evil.example")],
        ] {
            assert!(!passes(other).await, "{other:?}");
        }
    }

    #[test]
    fn requests_without_the_csrf_token_are_refused() {
        let passes = |expected: Option<&str>, sent: &str| check(expected, sent).is_ok();
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
