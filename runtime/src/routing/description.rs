//! `/api/openapi.json` and `/api/docs`: http.md, "Routes".

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{Method, request::Parts},
};

use super::{accept, admitted, endpoint::not_allowed};
use crate::{
    app::App,
    error::Result,
    etag::{self, TagKey},
    response::Response,
};

/// Adds the description of the service, and the page that shows it.
pub(super) fn routes(router: Router, app: &Arc<App>, prefix: &str) -> Router {
    let router = at(
        router,
        app,
        &format!("{prefix}/openapi.json"),
        |app, parts| {
            read_only(parts)?;
            let body = app.description()?.to_vec();
            Ok(etag::tagged(TagKey::OPEN, Response::json_bytes(body), None))
        },
    );
    #[cfg(feature = "docs")]
    let router = page::routes(router, app, prefix);
    router
}

/// Adds a path that only looks, at what has one form.
fn at(
    router: Router,
    app: &Arc<App>,
    path: &str,
    answer: impl Fn(&Arc<App>, &Parts) -> Result<Response> + Copy + Send + Sync + 'static,
) -> Router {
    let own = Arc::clone(app);
    let looked = move |request: Request, _| {
        let (parts, _) = request.into_parts();
        let answer = answer(&own, &parts);
        let answer = answer.and_then(|response| accept::taken(&parts.headers, response));
        std::future::ready(answer.map(|response| etag::revalidated(&parts, response)))
    };
    router.route(path, admitted(app, looked))
}

fn read_only(parts: &Parts) -> Result<()> {
    let known = [Method::GET, Method::HEAD];
    match known.contains(&parts.method) {
        true => Ok(()),
        false => Err(not_allowed(&parts.method, known.iter())),
    }
}

/// The page, behind the feature `docs`.
#[cfg(feature = "docs")]
mod page {
    use std::sync::Arc;

    use axum::{
        Router,
        http::{HeaderMap, header, request::Parts},
    };

    use super::{super::media, at, read_only};
    use crate::{
        app::App,
        etag::{self, TagKey},
        openapi::{asset, page},
    };

    /// Adds the page, and its files beside it.
    pub(super) fn routes(router: Router, app: &Arc<App>, prefix: &str) -> Router {
        let router = at(router, app, &format!("{prefix}/docs"), |app, parts| {
            read_only(parts)?;
            let page = page(&app.config().api.prefix);
            Ok(etag::tagged(TagKey::OPEN, page, None))
        });
        let files = format!("{prefix}/docs/{{version}}/{{file}}");
        at(router, app, &files, |_, parts| {
            read_only(parts)?;
            let (version, file) = segments(parts);
            asset(version, file, takes_gzip(&parts.headers))
        })
    }

    /// The last two segments of the path.
    fn segments(parts: &Parts) -> (&str, &str) {
        let mut segments = parts.uri.path().rsplit('/');
        let file = segments.next().unwrap_or_default();
        (segments.next().unwrap_or_default(), file)
    }

    /// Whether the client takes gzip; who says nothing takes anything (RFC 9110, section 12.5.3).
    fn takes_gzip(headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(header::ACCEPT_ENCODING).iter().peekable();
        if values.peek().is_none() {
            return true;
        }
        // Codings are listed and weighed as media types are.
        let codings: Vec<_> = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(media::list)
            .collect();
        let weight = |names: &[&str]| {
            let mut codings = codings.iter();
            let found = codings.find(|coding| names.contains(&coding.essence.as_str()));
            found.map(|coding| coding.weight)
        };
        // What is named counts, and not what stands for all the others.
        let weight = weight(&["gzip", "x-gzip"]).or_else(|| weight(&["*"]));
        weight.is_some_and(|weight| weight > 0.0)
    }

    #[cfg(test)]
    mod tests {
        use axum::http::HeaderValue;

        use super::*;

        #[test]
        fn who_takes_gzip_says_so() {
            let takes = |value: &'static str| {
                let mut headers = HeaderMap::new();
                headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
                takes_gzip(&headers)
            };
            assert!(takes("gzip") && takes("br, GZIP;q=0.5") && takes("*"));
            assert!(!takes("gzip;q=0") && !takes("gzip; q=0.0, br") && !takes("identity"));
            assert!(!takes("gzip;Q=0") && !takes("*, gzip;q=0") && !takes("br, *;q=0"));
            assert!(takes("*;q=0, gzip") && !takes(""));
            assert!(takes_gzip(&HeaderMap::new()));
        }
    }
}
