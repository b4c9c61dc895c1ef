//! The form of a resource's settings.

use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        admin_request::AdminRequest,
        area::area,
        pages,
        rows::{self, Row, Which},
    },
    audit::audit,
    form::{State, answer},
    overtaken,
    resources::find,
    shown::shown,
    submitted_form::SubmittedForm,
    widening,
};

/// The form.
pub(super) async fn form(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let saved = shown(app, &find(request, which).await?);
    let submitted = SubmittedForm::unchanged(&saved);
    answer(app, request, State::Opened, (&saved, &submitted))
}

/// Saves the form; it takes effect at once. Where more people get at rows by it, the question is
/// asked first, and nothing is saved before the answer.
///
/// # Errors
///
/// 404 where there is no row, and no form of one was sent. Broken rules are shown beside their
/// fields, with status 422; what another administrator saved meanwhile, with 409.
pub(super) async fn save(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let Some(row) = rows::find(&request.db, which).await? else {
        return overtaken::by_deletion(app, request).await;
    };
    let saved = shown(app, &row);
    let submitted = SubmittedForm::read(request, &saved);
    if request.field("seen") != row.print() {
        let merged = SubmittedForm::read_over(request, &saved);
        return answer(app, request, State::Overtaken, (&saved, &merged));
    }
    if !submitted.errors.is_empty() {
        return answer(app, request, State::Refused, (&saved, &submitted));
    }
    if request.has(widening::BACK) {
        return answer(app, request, State::Opened, (&saved, &submitted));
    }
    if let Some(question) = widening::ask(app, request, (&saved, &submitted))? {
        return Ok(question);
    }
    if !rows::update(&request.db, &decided(app, &row, &submitted), request.now).await? {
        return overtaken::since(app, request, &row).await;
    }
    area(app)?.settings.refresh(app, &request.db).await?;
    audit(request, "settings of a resource saved", &row.endpoint);
    Ok(pages::see(
        app.config(),
        &format!("/resources/{}/edit?notice=saved", row.address()),
    ))
}

/// The form again with what was typed before the sign-in, or with a token of another sign-in. It is
/// not saved.
pub(super) async fn restore(
    app: &ServiceState,
    request: &AdminRequest,
    (which, state): (Which<'_>, State),
) -> Result<Response> {
    let Some(row) = rows::find(&request.db, which).await? else {
        return overtaken::by_deletion(app, request).await;
    };
    let saved = shown(app, &row);
    let is_seen = request.field("seen") == row.print();
    let (state, submitted) = match is_seen {
        true => (state, SubmittedForm::read(request, &saved)),
        false => (State::Overtaken, SubmittedForm::read_over(request, &saved)),
    };
    answer(app, request, state, (&saved, &submitted))
}

/// The row with the form's values.
fn decided(app: &ServiceState, row: &Row, submitted: &SubmittedForm) -> Row {
    let entry = app.registry().find(&row.endpoint);
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let meta = match resource {
        Some(resource) => submitted.meta.written(resource.registered()),
        // A resource that is not registered here has no switches: another replica may know it.
        None => row.meta.clone(),
    };
    Row {
        name: submitted.values.name.clone(),
        description: Some(submitted.values.description.clone()),
        meta,
        ..row.clone()
    }
}
