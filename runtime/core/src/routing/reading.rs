//! Paths that only read, and have one media type: pages, what they load, the description. Requests
//! without a token are not counted there.

use std::{future::Future, sync::Arc};

use axum::{
    Router,
    extract::Request,
    http::{Method, request::Parts},
};
use formwork_data::error::{Error, Result};

use super::{
    accept,
    admission::{Count, admitted_counting},
    endpoint::not_allowed,
};
use crate::{etag, response::Response, state::ServiceState};

/// Adds a path that answers GET and HEAD alone.
pub fn reading<F: Future<Output = Result<Response>> + Send>(
    router: Router,
    app: &Arc<ServiceState>,
    path: &str,
    answer: impl Fn(Arc<ServiceState>, Arc<Parts>) -> F + Copy + Send + Sync + 'static,
) -> Router {
    let looked = move |app: Arc<ServiceState>, request: Request, _| async move {
        let parts = Arc::new(request.into_parts().0);
        read_only(&parts.method)?;
        let response = answer(app, Arc::clone(&parts)).await?;
        let response = accept::taken(&parts.headers, response)?;
        Ok::<_, Error>(etag::revalidated(&parts.method, &parts.headers, response))
    };
    router.route(path, admitted_counting(app, Count::Nothing, looked))
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
