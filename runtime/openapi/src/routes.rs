//! `/api/openapi.json` and `/api/docs`.

use std::sync::Arc;

use axum::{
    Router,
    http::{header, request::Parts},
};
use formwork_core::{
    etag,
    response::Response,
    routing::{
        coding::{prefers_gzip, takes_gzip},
        reading::reading,
    },
    state::ServiceState,
    tag_key::TagKey,
};
use formwork_data::error::{Error, Result};

use crate::description::{Description, Descriptions};
use crate::page;

/// Adds the description of the service.
pub(super) fn add(router: Router, app: &Arc<ServiceState>) -> Router {
    let path = format!("{}/openapi.json", app.config().api.prefix);
    reading(router, app, &path, async |app, parts| {
        let response = description(&app, &parts).await?;
        Ok(etag::tagged(TagKey::OPEN, response, None))
    })
}

/// Adds the page, and its files beside it.
pub(super) fn add_page(router: Router, app: &Arc<ServiceState>) -> Router {
    let prefix = &app.config().api.prefix;
    let router = reading(router, app, &format!("{prefix}/docs"), async |app, _| {
        let page = page::page(&app.config().api);
        Ok(etag::tagged(TagKey::OPEN, page, None))
    });
    let files = format!("{prefix}/docs/{{version}}/{{file}}");
    reading(router, app, &files, async |_, parts| {
        let (version, file) = segments(&parts);
        page::asset(version, file, takes_gzip(&parts.headers))
    })
}

/// The last two segments of the path.
fn segments(parts: &Parts) -> (&str, &str) {
    let mut segments = parts.uri.path().rsplit('/');
    let file = segments.next().unwrap_or_default();
    (segments.next().unwrap_or_default(), file)
}

/// The description, compressed for clients that prefer that; each form has a tag of its own.
async fn description(app: &Arc<ServiceState>, parts: &Parts) -> Result<Response> {
    let made: &Descriptions = app
        .part()
        .ok_or_else(|| Error::internal("this service has no description"))?;
    let Description { plain, gzip } = made.current(app).await?;
    let response = match prefers_gzip(&parts.headers) {
        true => Response::json_bytes(gzip.to_vec()).with_header(header::CONTENT_ENCODING, "gzip"),
        false => Response::json_bytes(plain.to_vec()),
    };
    Ok(response.with_header(header::VARY, "Accept-Encoding"))
}
