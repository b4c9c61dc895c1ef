//! Paths that only read, and have one media type.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{Method, request::Parts},
};
use formwork_data::error::Result;

use super::{accept, admission::admitted, endpoint::not_allowed};
use crate::{etag, response::Response, state::ServiceState};

/// Adds a path that answers GET and HEAD alone.
pub fn reading(
    router: Router,
    app: &Arc<ServiceState>,
    path: &str,
    answer: impl Fn(&Arc<ServiceState>, &Parts) -> Result<Response> + Copy + Send + Sync + 'static,
) -> Router {
    let looked = move |app: Arc<ServiceState>, request: Request, _| {
        let (parts, _) = request.into_parts();
        let answer = read_only(&parts.method).and_then(|()| answer(&app, &parts));
        let answer = answer.and_then(|response| accept::taken(&parts.headers, response));
        std::future::ready(answer.map(|response| etag::revalidated(&parts, response)))
    };
    router.route(path, admitted(app, looked))
}

/// Refuses other methods than GET and HEAD.
///
/// # Errors
///
/// 405.
pub fn read_only(method: &Method) -> Result<()> {
    let known = [Method::GET, Method::HEAD];
    match known.contains(method) {
        true => Ok(()),
        false => Err(not_allowed(method, known.iter())),
    }
}
