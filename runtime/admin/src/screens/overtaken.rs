//! What somebody else has decided while a form was open: the form keeps what is typed, shows what
//! stands beside it, and can be sent again by who has seen that.

use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        admin_request::AdminRequest,
        rows::{self, Row, Which},
        sync,
    },
    form::{State, answer},
    resources::missing,
    shown::shown,
    submitted_form::SubmittedForm,
};

/// Since the row was read it was changed: it stands otherwise by now, or is gone.
pub(super) async fn since(
    app: &ServiceState,
    request: &AdminRequest,
    row: &Row,
) -> Result<Response> {
    match rows::find(&request.db, Which::Id(row.id)).await? {
        Some(row) => told(app, request, State::Overtaken, &row),
        None => by_deletion(app, request).await,
    }
}

/// The row is gone. What is registered stands then, and has its row again, as it has when the list
/// is opened; of anything else nothing stands.
///
/// # Errors
///
/// 404 where no form of a resource was sent: there was no such row ever, for all that is known.
pub(super) async fn by_deletion(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let endpoint = request.field("endpoint");
    if endpoint.is_empty() {
        return Err(missing());
    }
    sync::add(app, &request.db).await?;
    match rows::find(&request.db, Which::Endpoint(&endpoint)).await? {
        Some(row) => told(app, request, State::Reset, &row),
        None => told(app, request, State::Gone, &Row::none(endpoint)),
    }
}

fn told(app: &ServiceState, request: &AdminRequest, state: State, row: &Row) -> Result<Response> {
    let stands = shown(app, row);
    let submitted = SubmittedForm::read(request, &stands);
    answer(app, request, state, (&stands, &submitted))
}
