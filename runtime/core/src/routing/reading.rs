//! Paths that only look, at what has one form.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    http::{Method, request::Parts},
};
use formwork_data::error::Result;

use super::{accept, admitted, endpoint::not_allowed};
use crate::{etag, response::Response, state::ServiceState};

/// Adds a path that answers GET and HEAD alone.
pub fn reading(
    router: Router,
    app: &Arc<ServiceState>,
    path: &str,
    answer: impl Fn(&Arc<ServiceState>, &Parts) -> Result<Response> + Copy + Send + Sync + 'static,
) -> Router {
    let own = Arc::clone(app);
    let looked = move |request: Request, _| {
        let (parts, _) = request.into_parts();
        let answer = read_only(&parts).and_then(|()| answer(&own, &parts));
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
