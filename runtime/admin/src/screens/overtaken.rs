//! Another administrator saved while a form was open: the form keeps the fields that were changed in
//! it, takes the saved values of the others, shows what differs, and can be sent again.

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

/// The row was changed or deleted since it was read.
pub(super) async fn since(
    app: &ServiceState,
    request: &AdminRequest,
    row: &Row,
) -> Result<Response> {
    match rows::find(&request.db, Which::Id(row.id)).await? {
        Some(row) => show_saved(app, request, State::Overtaken, &row),
        None => by_deletion(app, request).await,
    }
}

/// The row is gone. Where its resource is registered, it gets a new row, as it does when the list
/// is opened.
///
/// # Errors
///
/// 404 where no form of a resource was sent: then no such row is known.
pub(super) async fn by_deletion(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let endpoint = request.field("endpoint");
    if endpoint.is_empty() {
        return Err(missing());
    }
    sync::add(app, &request.db).await?;
    match rows::find(&request.db, Which::Endpoint(&endpoint)).await? {
        Some(row) => show_saved(app, request, State::Reset, &row),
        None => show_saved(app, request, State::Gone, &Row::none(endpoint)),
    }
}

fn show_saved(
    app: &ServiceState,
    request: &AdminRequest,
    state: State,
    row: &Row,
) -> Result<Response> {
    let saved = shown(app, row);
    let submitted = match state {
        // There are no saved values: the input is there to be copied.
        State::Gone => SubmittedForm::read(request, &saved),
        _ => SubmittedForm::read_over(request, &saved),
    };
    answer(app, request, state, (&saved, &submitted))
}
