//! The screens: which there are, and who is let in.

mod confirm;
mod edit;
mod login;
mod overtaken;
mod resources;
mod shown;
mod tokens;
mod typed;

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::{Error, Result};
use serde_json::json;

use super::{
    area::area,
    ask::Ask,
    guard,
    pages::{self, Frame},
    permission::MANAGE,
    rows::Which,
    sessions::Session,
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
    /// What stands at a path below `admin.path`.
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

/// Answers what the area is asked.
///
/// # Errors
///
/// What becomes a page that says so: 403, 404, 405; what the database answers.
pub(super) async fn answer(app: &Arc<ServiceState>, ask: Ask) -> Result<Response> {
    let screen = Screen::at(&ask.path)
        .ok_or_else(|| Error::NotFound("There is nothing at this address.".to_owned()))?;
    let methods = screen.methods();
    if !methods.contains(&ask.method) {
        let allow: Vec<&str> = methods.iter().map(Method::as_str).collect();
        return Err(Error::MethodNotAllowed {
            method: ask.method.to_string(),
            allow: allow.join(", "),
        });
    }
    match (&ask.session, screen) {
        (_, Screen::Login) => login::answer(app, &ask).await,
        (None, _) => Ok(pages::see(app.config(), "/login")),
        (Some(session), _) => signed_in(app, &ask, session, screen).await,
    }
}

async fn signed_in(
    app: &Arc<ServiceState>,
    ask: &Ask,
    session: &Session,
    screen: Screen<'_>,
) -> Result<Response> {
    let changes = ask.method == Method::POST;
    if changes {
        let sent = ask.secret(guard::FIELD);
        guard::check(Some(&session.csrf), &sent)?;
    }
    if screen == Screen::Logout {
        return login::end(app, ask, session).await;
    }
    if !session.account.has_permission(MANAGE) {
        return forbidden(app, ask);
    }
    match screen {
        Screen::DeleteResources => resources::delete(app, ask).await,
        Screen::Resources => resources::list(app, ask).await,
        Screen::Resource(which) => resources::show(app, ask, which).await,
        Screen::Docs(which) => resources::docs(app, ask, which).await,
        Screen::Edit(which) if changes => edit::save(app, ask, which).await,
        Screen::Edit(which) => edit::form(app, ask, which).await,
        Screen::Tokens => tokens::list(app, ask).await,
        Screen::Revoke => tokens::revoke(app, ask).await,
        Screen::Home | Screen::Login | Screen::Logout => Ok(pages::see(app.config(), "/resources")),
    }
}

/// The frame of a page for who is signed in.
fn frame<'a>(app: &'a ServiceState, ask: &'a Ask) -> Frame<'a> {
    Frame::new(app.config(), ask.session.as_ref(), None).noticing(&ask.param("notice"))
}

/// Who is signed in and may not: the page lets him sign out.
fn forbidden(app: &ServiceState, ask: &Ask) -> Result<Response> {
    let message = format!("Your account does not hold the permission {MANAGE}.");
    let page = json!({"title": "Not permitted", "message": message});
    let (status, pages) = (StatusCode::FORBIDDEN, &area(app)?.pages);
    pages.show("message.html", status, &frame(app, ask), &page)
}

/// What is done here is told to the log: who, and to what.
fn audit(ask: &Ask, what: &str, which: impl std::fmt::Display) {
    let administrator = ask.session.as_ref().map(|session| session.account.id);
    tracing::info!(administrator, %which, "admin area: {what}");
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
