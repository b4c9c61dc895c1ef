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
mod shown;
mod submitted_form;
mod tokens;
mod values;
mod widening;

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, routing::not_allowed, state::ServiceState};
use formwork_data::error::{Error, Result};
use serde_json::json;

use form::State;
use frame::show;

use super::{
    admin_request::AdminRequest, guard, pages, permission::MANAGE, rows::Which, sessions::Session,
};

/// A screen, or what a form of one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Screen<'p> {
    Home,
    Login,
    Logout,
    Resources,
    DeleteResources,
    Resource(Which<'p>),
    Edit(Which<'p>),
    Docs(Which<'p>),
    Tokens,
    Revoke,
}

impl<'p> Screen<'p> {
    /// The screen at a path below `admin.path`.
    fn at(path: &'p str) -> Option<Self> {
        let segments: Vec<&str> = path.split('/').collect();
        match segments[..] {
            [""] => Some(Self::Home),
            ["login"] => Some(Self::Login),
            ["logout"] => Some(Self::Logout),
            ["resources"] => Some(Self::Resources),
            ["resources", "delete"] => Some(Self::DeleteResources),
            ["resources", which] => Which::at(which).map(Self::Resource),
            ["resources", which, "edit"] => Which::at(which).map(Self::Edit),
            ["resources", which, "docs"] => Which::at(which).map(Self::Docs),
            ["tokens"] => Some(Self::Tokens),
            ["tokens", "delete"] => Some(Self::Revoke),
            _ => None,
        }
    }

    /// The methods it answers to.
    fn methods(self) -> &'static [Method] {
        match self {
            Self::Logout => &[Method::POST],
            Self::Login | Self::Edit(_) | Self::DeleteResources | Self::Revoke => {
                &[Method::GET, Method::HEAD, Method::POST]
            }
            _ => &[Method::GET, Method::HEAD],
        }
    }
}

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
    let page = json!({"title": "Not permitted", "message": message});
    show(app, request, ("message.html", StatusCode::FORBIDDEN), &page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn screens_have_one_address_each() {
        assert_eq!(Screen::at(""), Some(Screen::Home));
        let edit = |which| Some(Screen::Edit(which));
        assert_eq!(Screen::at("resources/7/edit"), edit(Which::Id(7)));
        let menus = Which::Endpoint("menu-items");
        assert_eq!(Screen::at("resources/menu-items/edit"), edit(menus));
        assert_eq!(
            Screen::at("resources/delete"),
            Some(Screen::DeleteResources)
        );
        for none in [
            "x",
            "/",
            "login/",
            "resources/",
            "resources/X",
            "resources/7x",
            "resources/x.y",
            "resources/07",
            "resources/+7",
            "resources/7/",
            "resources/7/x",
            "resources/x/x",
            "tokens/7",
            "resources/99999999999999999999",
        ] {
            assert_eq!(Screen::at(none), None, "{none}");
        }
    }
}
