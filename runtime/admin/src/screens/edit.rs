//! The form of a resource's settings.

use askama::Template;
use axum::http::StatusCode;
use formwork_core::{action::Allow, response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        admin_request::AdminRequest,
        pages::{self, Frame, filters},
        rows::{self, Row, Which},
        settings, sync,
    },
    action::{ShownAction, callers},
    confirm::{BACK, Question},
    gains,
    resources::{find, missing, named},
    shown::{Shown, shown},
    submitted_form::{Difference, SubmittedForm},
};

/// The choices of "Allow Only", in the order in which the form shows them.
const CHOICES: [Allow; 5] = [
    Allow::Admin,
    Allow::Customer,
    Allow::Users,
    Allow::Guest,
    Allow::All,
];

#[derive(Template)]
#[template(path = "edit.html")]
struct Page<'a> {
    frame: Frame<'a>,
    resource: &'a Shown,
    form: &'a SubmittedForm,
    /// With the mistake of each.
    actions: Vec<(&'a ShownAction, Option<&'a str>)>,
    /// Words of contexts, and their labels.
    choices: [(&'static str, &'static str); 5],
    name_error: Option<&'a str>,
    description_error: Option<&'a str>,
    /// The field that takes the focus.
    focus: &'a str,
    is_kept: bool,
    /// What was sent, if the settings changed meanwhile.
    conflict: Option<Vec<Difference>>,
}

/// The reason why a form is shown.
enum Reason {
    /// It was opened, or breaks rules.
    Edit,
    /// It was sent without a valid session: it holds the input, which is not saved.
    Kept(StatusCode),
    /// The settings changed meanwhile: what was sent.
    Conflict(Vec<Difference>),
}

/// Shows the form.
pub(super) async fn form(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let saved = shown(app, &find(request, which).await?);
    let form = SubmittedForm::unchanged(&saved);
    show(app, request, (&saved, &form), Reason::Edit)
}

/// Saves the form; it takes effect at once. If more people get at rows by it, the question is asked
/// first, and nothing is saved before the answer.
///
/// # Errors
///
/// 404 if there is no row, and no form of one was sent. Broken rules are shown beside their fields,
/// with status 422; what another administrator saved meanwhile, with 409.
pub(super) async fn save(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let row = rows::find(&request.db, which).await?;
    let Some(row) = row.filter(|row| request.field("seen") == row.print()) else {
        return conflict(app, request, which).await;
    };
    let saved = shown(app, &row);
    let submitted = SubmittedForm::read(request, &saved);
    if !submitted.errors.is_empty() || request.has(BACK) {
        return show(app, request, (&saved, &submitted), Reason::Edit);
    }
    let question = question(app, request, &row, (&saved, &submitted));
    if !question.gains.is_empty() && !question.is_confirmed(request) {
        return question.show(app, request);
    }
    if !rows::update(&request.db, &decided(app, &row, &submitted), request.now).await? {
        return conflict(app, request, which).await;
    }
    settings::of(app)?.refresh(app, &request.db).await?;
    request.audit("settings of a resource saved", &row.endpoint);
    Ok(pages::see(
        app.config(),
        &format!("/resources/{}/edit?notice=saved", row.address()),
    ))
}

/// Shows the input of a form that was sent without a valid session, with this status. It is not saved.
pub(super) async fn restore(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
    status: StatusCode,
) -> Result<Response> {
    let row = rows::find(&request.db, which).await?;
    let Some(row) = row.filter(|row| request.field("seen") == row.print()) else {
        return conflict(app, request, which).await;
    };
    let saved = shown(app, &row);
    let form = SubmittedForm::read(request, &saved);
    show(app, request, (&saved, &form), Reason::Kept(status))
}

/// Shows the current settings, and what was sent: another administrator saved or deleted them
/// meanwhile. A registered resource without a row gets one, as it does when the list is opened.
async fn conflict(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let row = match rows::find(&request.db, which).await? {
        Some(row) => row,
        None => {
            sync::add(app, &request.db).await?;
            let endpoint = request.field("endpoint");
            let row = rows::find(&request.db, Which::Endpoint(&endpoint)).await?;
            row.ok_or_else(missing)?
        }
    };
    let saved = shown(app, &row);
    let sent = SubmittedForm::read(request, &saved).differences(&saved);
    let form = SubmittedForm::unchanged(&saved);
    show(app, request, (&saved, &form), Reason::Conflict(sent))
}

fn show(
    app: &ServiceState,
    request: &AdminRequest,
    (saved, form): (&Shown, &SubmittedForm),
    reason: Reason,
) -> Result<Response> {
    let error_of = |field: &str| {
        let mut errors = form.errors.iter();
        let (_, messages) = errors.find(|(faulty, _)| *faulty == field)?;
        messages.first().map(String::as_str)
    };
    let status = match reason {
        Reason::Conflict(_) => StatusCode::CONFLICT,
        Reason::Kept(status) => status,
        Reason::Edit if form.errors.is_empty() => StatusCode::OK,
        Reason::Edit => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let actions = form.actions.iter();
    let page = Page {
        frame: Frame::of(app, request),
        resource: saved,
        form,
        actions: actions
            .map(|action| (action, error_of(&format!("allow_{}", action.name))))
            .collect(),
        choices: CHOICES.map(|allow| (allow.name(), callers(allow))),
        name_error: error_of("name"),
        description_error: error_of("description"),
        focus: form.first_fault(),
        is_kept: matches!(reason, Reason::Kept(_)),
        conflict: match reason {
            Reason::Conflict(sent) => Some(sent),
            _ => None,
        },
    };
    pages::show(status, &page)
}

/// Returns the question about the access that people gain by a form.
fn question(
    app: &ServiceState,
    request: &AdminRequest,
    row: &Row,
    (saved, submitted): (&Shown, &SubmittedForm),
) -> Question {
    let entry = app.registry().find(&saved.endpoint);
    Question {
        title: "Let more people in?",
        message: "Nothing has been saved yet. If you save these settings like this:",
        gains: entry
            .map(|entry| gains::sentences(entry, &saved.actions, &submitted.actions))
            .unwrap_or_default(),
        names: vec![named(row)],
        fields: request.carried(),
        action: format!("/resources/{}/edit", saved.address),
        button: "Yes, save this",
        list: None,
    }
}

/// Returns the row with the form's values.
fn decided(app: &ServiceState, row: &Row, submitted: &SubmittedForm) -> Row {
    let entry = app.registry().find(&row.endpoint);
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let meta = match resource {
        Some(resource) => submitted.meta.written(resource.registered()),
        // A resource that is not registered here has no switches: another replica may know it.
        None => row.meta.clone(),
    };
    Row {
        name: submitted.name.clone(),
        description: Some(submitted.description.clone()),
        meta,
        ..row.clone()
    }
}
