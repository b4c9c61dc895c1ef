//! `/api/openapi.json` and `/api/docs`: http.md, "Routes".

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{Method, header, request::Parts},
};
use formwork_data::error::Result;

use super::{accept, admitted, coding::prefers_gzip, endpoint::not_allowed};
use crate::{
    app::App,
    etag::{self, TagKey},
    openapi::Description,
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
            Ok(etag::tagged(TagKey::OPEN, description(app, parts)?, None))
        },
    );
    #[cfg(feature = "docs")]
    let router = page::routes(router, app, prefix);
    router
}

/// The description, compressed for who prefers that: each of both has a tag of its own.
fn description(app: &Arc<App>, parts: &Parts) -> Result<Response> {
    let Description { plain, gzip } = app.description()?;
    let response = match prefers_gzip(&parts.headers) {
        true => Response::json_bytes(gzip.to_vec()).with_header(header::CONTENT_ENCODING, "gzip"),
        false => Response::json_bytes(plain.to_vec()),
    };
    Ok(response.with_header(header::VARY, "Accept-Encoding"))
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

    use axum::{Router, http::request::Parts};

    use super::{super::coding::takes_gzip, at, read_only};
    use crate::{
        app::App,
        etag::{self, TagKey},
        openapi::{asset, page},
    };

    /// Adds the page, and its files beside it.
    pub(super) fn routes(router: Router, app: &Arc<App>, prefix: &str) -> Router {
        let router = at(router, app, &format!("{prefix}/docs"), |app, parts| {
            read_only(parts)?;
            let page = page(&app.config().api);
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
}
