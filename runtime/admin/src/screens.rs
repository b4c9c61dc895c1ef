//! The screens, and the checks before them.

mod audit;
mod confirm;
mod destination;
mod edit;
mod form;
mod frame;
mod gains;
mod login;
mod overtaken;
mod resources;
mod screen;
mod shown;
mod shown_action;
mod submitted_form;
mod tokens;
mod values;
mod widening;

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, routing::not_allowed, state::ServiceState};
use formwork_data::error::{Error, Result};

use form::State;
use frame::frame;
use screen::Screen;

use super::{
    admin_request::AdminRequest,
    guard,
    pages::{self, Message},
    permission::MANAGE,
    sessions::Session,
};

/// Answers a request to the area.
///
/// # Errors
///
/// 403, 404, 405, which are shown as a page; what the database answers.
pub(super) async fn answer(app: &Arc<ServiceState>, request: AdminRequest) -> Result<Response> {
    let screen = Screen::at(&request.path)
        .ok_or_else(|| Error::NotFound("There is no page at this address.".to_owned()))?;
    let methods = screen.methods();
    if !methods.contains(&request.method) {
        return Err(not_allowed(&request.method, methods.iter()));
    }
    match (&request.session, screen) {
        (_, Screen::Login) => login::answer(app, request).await,
        (None, _) => login::first(app, &request, screen),
        (Some(session), _) => signed_in(app, &request, session, screen).await,
    }
}

async fn signed_in(
    app: &Arc<ServiceState>,
    request: &AdminRequest,
    session: &Session,
    screen: Screen<'_>,
) -> Result<Response> {
    let changes = request.method == Method::POST;
    if changes {
        let sent = request.secret(guard::FIELD);
        let checked = guard::check(Some(&session.csrf), &sent);
        let may_go_on = session.account.has_permission(MANAGE) && request.has("seen");
        match screen {
            Screen::Edit(which) if checked.is_err() && may_go_on => {
                return edit::restore(app, request, (which, State::Outdated)).await;
            }
            _ => checked?,
        }
    }
    if screen == Screen::Logout {
        return login::end(app, request, session).await;
    }
    if !session.account.has_permission(MANAGE) {
        return forbidden(app, request);
    }
    match screen {
        Screen::DeleteResources => resources::delete(app, request).await,
        Screen::Resources => resources::list(app, request).await,
        Screen::Resource(which) => resources::show(app, request, which).await,
        Screen::Docs(which) => resources::docs(app, request, which).await,
        Screen::Edit(which) if changes => edit::save(app, request, which).await,
        Screen::Edit(which) => edit::form(app, request, which).await,
        Screen::Tokens => tokens::list(app, request).await,
        Screen::Revoke => tokens::revoke(app, request).await,
        Screen::Home | Screen::Login | Screen::Logout => Ok(pages::see(app.config(), "/resources")),
    }
}

/// The page for an administrator without the permission: it lets them sign out.
fn forbidden(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let message = format!("Your account does not have the permission {MANAGE}.");
    let page = Message {
        frame: frame(app, request),
        title: "Not permitted",
        message: &message,
    };
    pages::show(StatusCode::FORBIDDEN, &page)
}
