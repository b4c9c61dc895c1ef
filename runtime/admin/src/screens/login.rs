//! Signing in, and out.

use axum::http::{Method, StatusCode, header};
use formwork_core::{
    auth::{AccountKind, Reason, random_text},
    response::Response,
    state::ServiceState,
    status::Status,
};
use formwork_data::error::{Error, Result};
use serde::Serialize;

use super::{
    super::{
        admin_request::AdminRequest,
        area::area,
        cookies, guard,
        pages::{self, Frame},
        sessions::{self, Session},
    },
    audit::audit,
};

/// Length of the cookie that ties the form to the browser.
const NONCE_LENGTH: usize = 40;

/// What the form shows.
#[derive(Debug, Default, Serialize)]
struct Page {
    login: String,
    message: Option<String>,
    login_error: Option<String>,
    password_error: Option<String>,
}

/// The form, and what it sends.
///
/// # Errors
///
/// 503 where migrations are pending.
pub(super) async fn answer(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    if request.method == Method::POST {
        return sign_in(app, request).await;
    }
    if request.session.is_some() {
        return Ok(pages::see(app.config(), "/resources"));
    }
    app.check_ready().await?;
    form(app, request, StatusCode::OK, Page::default())
}

async fn sign_in(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let expected = cookies::read(&request.headers, cookies::FORM).map(guard::token);
    let sent = request.secret(guard::FIELD);
    let login = request.field("login");
    if let Err(error) = guard::check(expected.as_deref(), &sent) {
        request
            .origin
            .refused(AccountKind::Admin, &login, Reason::Form);
        let message = Some("This page was too old. Please try again.".to_owned());
        let page = Page {
            login,
            message,
            ..Page::default()
        };
        return form(app, request, error.status(), page);
    }
    let password = request.secret("password");
    let words = (login.as_str(), password.as_str());
    let found = app
        .auth()
        .administrator(&request.db, words, &request.origin, request.now)
        .await;
    let (administrator, hash) = match found {
        Ok(found) => found,
        Err(error) => return refused(app, request, login, error),
    };
    sessions::end_all(
        &request.db,
        cookies::all(&request.headers, cookies::SESSION),
    )
    .await?;
    let secret = sessions::begin(&request.db, (administrator, &hash), request.now).await?;
    request.origin.signed_in(administrator);
    let cookie = cookies::set(app.config(), request.is_local(), cookies::SESSION, &secret);
    Ok(pages::see(app.config(), "/resources").with_header(header::SET_COOKIE, &cookie))
}

/// The form again, and why: in the words of the token endpoint.
fn refused(
    app: &ServiceState,
    request: &AdminRequest,
    login: String,
    error: Error,
) -> Result<Response> {
    let status = error.status();
    let mut page = Page {
        login,
        ..Page::default()
    };
    match &error {
        Error::Validation(errors) => {
            let of = |fields: &[&str]| {
                let mut errors = errors.iter().filter(|(field, _)| fields.contains(field));
                errors
                    .next()
                    .and_then(|(_, messages)| messages.first().cloned())
            };
            page.login_error = of(&["email", "username"]);
            page.password_error = of(&["password"]);
            if page.login.is_empty() {
                page.login_error = Some("The username or e-mail field is required.".to_owned());
            }
            form(app, request, status, page)
        }
        Error::TooManyRequests { retry_after } => {
            let seconds = retry_after.to_string();
            page.message = Some(format!(
                "Too many attempts. Try again in {seconds} seconds."
            ));
            let response = form(app, request, status, page)?;
            Ok(response.with_header(header::RETRY_AFTER, &seconds))
        }
        _ => Err(error),
    }
}

/// The form, tied to the browser: a cookie that is there stays, so that the same form in two windows
/// works in both.
fn form(
    app: &ServiceState,
    request: &AdminRequest,
    status: StatusCode,
    page: Page,
) -> Result<Response> {
    let known = cookies::read(&request.headers, cookies::FORM).map(str::to_owned);
    let is_new = known.is_none();
    let nonce = known.unwrap_or_else(|| random_text(NONCE_LENGTH));
    let frame = Frame::new(app.config(), None, Some(guard::token(&nonce)));
    let response = area(app)?.pages.show("login.html", status, &frame, &page)?;
    if !is_new {
        return Ok(response);
    }
    let cookie = cookies::set(app.config(), request.is_local(), cookies::FORM, &nonce);
    Ok(response.with_header(header::SET_COOKIE, &cookie))
}

/// Signs out of the sessions of all the browser's cookies.
pub(super) async fn end(
    app: &ServiceState,
    request: &AdminRequest,
    session: &Session,
) -> Result<Response> {
    sessions::end_all(
        &request.db,
        cookies::all(&request.headers, cookies::SESSION),
    )
    .await?;
    audit(request, "signed out", session.id);
    let cookie = cookies::clear(app.config(), request.is_local(), cookies::SESSION);
    Ok(pages::see(app.config(), "/login").with_header(header::SET_COOKIE, &cookie))
}
