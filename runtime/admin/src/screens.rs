//! The screens, and the checks before them.

mod action;
mod confirm;
mod edit;
mod gains;
mod login;
mod resources;
mod screen;
mod shown;
mod submitted_form;
mod tokens;

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, routing::not_allowed, state::ServiceState};
use formwork_data::error::{Error, Result};

use screen::Screen;

use super::{
    admin_request::AdminRequest,
    guard,
    pages::{self, Frame, Message},
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
        let checked = guard::check(Some(&session.csrf), &request.secret(guard::FIELD));
        let may_edit = session.account.has_permission(guard::MANAGE);
        match screen {
            Screen::Edit(which) if checked.is_err() && may_edit && request.has("seen") => {
                return edit::restore(app, request, which, StatusCode::FORBIDDEN).await;
            }
            _ => checked?,
        }
    }
    if screen == Screen::Logout {
        return login::end(app, request, session).await;
    }
    if !session.account.has_permission(guard::MANAGE) {
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
    let message = format!(
        "Your account does not have the permission {}.",
        guard::MANAGE
    );
    let page = Message {
        frame: Frame::of(app, request),
        title: "Not permitted",
        message: &message,
    };
    pages::show(StatusCode::FORBIDDEN, &page)
}
