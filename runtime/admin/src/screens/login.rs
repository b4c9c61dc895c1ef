//! Signing in, and out.

use askama::Template;
use axum::http::{Method, StatusCode, header};
use formwork_core::{
    auth::{AccountKind, Reason, random_text},
    response::Response,
    state::ServiceState,
    status::Status,
};
use formwork_data::error::{Error, Result};

use super::{
    super::{
        admin_request::{AdminRequest, Field},
        cookies, guard,
        pages::{self, Frame},
        rows::Which,
        sessions::{self, Session},
    },
    edit,
    screen::{Destination, NEXT, Screen},
};

/// Length of the cookie that ties the form to the browser.
const NONCE_LENGTH: usize = 40;

/// The field of the form that was sent without a session.
const KEPT: &str = "kept";

const SIGNED_OUT: &str = "You are no longer signed in. Your input is kept: sign in to go on with it. Nothing has been saved.";

/// The values that the form shows.
#[derive(Debug, Default)]
struct Form {
    login: String,
    /// The page to go on to.
    next: String,
    /// The form that was sent without a session.
    kept: String,
    message: Option<String>,
    login_error: Option<String>,
    password_error: Option<String>,
}

#[derive(Template)]
#[template(path = "login.html")]
struct Page<'a> {
    frame: Frame<'a>,
    form: Form,
}

/// The form, and what it sends.
///
/// # Errors
///
/// 503 where migrations are pending.
pub(super) async fn answer(app: &ServiceState, request: AdminRequest) -> Result<Response> {
    if request.method == Method::POST {
        return sign_in(app, request).await;
    }
    let next = Destination::read(&request.param(NEXT));
    if request.session.is_some() {
        return Ok(see(app, next.as_ref()));
    }
    app.check_ready().await?;
    let form = Form {
        next: address(next.as_ref()),
        ..Form::default()
    };
    show(app, &request, StatusCode::OK, form)
}

/// Leads a request without a session to the form, or shows it at once if settings were sent: it keeps
/// their fields, which are not saved.
pub(super) fn first(
    app: &ServiceState,
    request: &AdminRequest,
    screen: Screen<'_>,
) -> Result<Response> {
    let next = Destination::of(request, screen);
    if request.method == Method::POST && matches!(screen, Screen::Edit(_)) {
        let form = Form {
            next: address(next.as_ref()),
            kept: encoded(&request.carried()),
            message: Some(SIGNED_OUT.to_owned()),
            ..Form::default()
        };
        return show(app, request, StatusCode::FORBIDDEN, form);
    }
    let Some(next) = next else {
        return Ok(pages::see(app.config(), "/login"));
    };
    let (name, value) = (NEXT.to_owned(), next.address().to_owned());
    let query = encoded(&[Field { name, value }]);
    Ok(pages::see(app.config(), &format!("/login?{query}")))
}

fn encoded(fields: &[Field]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let pairs = fields.iter().map(|field| (&field.name, &field.value));
    query.extend_pairs(pairs).finish()
}

fn address(next: Option<&Destination>) -> String {
    let address = next.map(Destination::address);
    address.unwrap_or_default().to_owned()
}

/// The page to go on to, or the list.
fn see(app: &ServiceState, next: Option<&Destination>) -> Response {
    let below = next.map_or("resources", Destination::address);
    pages::see(app.config(), &format!("/{below}"))
}

async fn sign_in(app: &ServiceState, mut request: AdminRequest) -> Result<Response> {
    let next = Destination::read(&request.field(NEXT));
    let form = Form {
        login: request.field("login"),
        next: address(next.as_ref()),
        kept: request.field(KEPT),
        ..Form::default()
    };
    let expected = cookies::read(&request.headers, cookies::FORM).map(guard::token);
    let sent = request.secret(guard::FIELD);
    if let Err(error) = guard::check(expected.as_deref(), &sent) {
        request
            .origin
            .refused(AccountKind::Admin, &form.login, Reason::Form);
        let message = Some("This form was too old. Please try again.".to_owned());
        let form = Form { message, ..form };
        return show(app, &request, error.status(), form);
    }
    let password = request.secret("password");
    let words = (form.login.as_str(), password.as_str());
    let found = app
        .auth()
        .administrator(&request.db, words, &request.origin, request.now)
        .await;
    let (administrator, hash) = match found {
        Ok(found) => found,
        Err(error) => return refused(app, &request, form, error),
    };
    sessions::end_all(
        &request.db,
        cookies::all(&request.headers, cookies::SESSION),
    )
    .await?;
    let secret = sessions::begin(&request.db, (administrator, &hash), request.now).await?;
    request.origin.signed_in(administrator);
    let cookie = cookies::set(app.config(), request.is_local(), cookies::SESSION, &secret);
    let screen = next.as_ref().and_then(Destination::screen);
    let response = match screen.filter(|_| !form.kept.is_empty()) {
        Some(Screen::Edit(which)) => {
            request.session = sessions::find(&request.db, &secret, request.now).await?;
            request.body = form.kept.into_bytes();
            go_on(app, &request, which).await?
        }
        _ => see(app, next.as_ref()),
    };
    Ok(response.with_header(header::SET_COOKIE, &cookie))
}

/// Shows the kept form to an administrator who may use it.
async fn go_on(app: &ServiceState, request: &AdminRequest, which: Which<'_>) -> Result<Response> {
    let account = request.session.as_ref().map(|session| &session.account);
    match account {
        Some(account) if account.has_permission(guard::MANAGE) => {
            edit::restore(app, request, which, StatusCode::OK).await
        }
        _ => Ok(see(app, None)),
    }
}

/// The form again, and why: in the words of the token endpoint.
fn refused(
    app: &ServiceState,
    request: &AdminRequest,
    mut form: Form,
    error: Error,
) -> Result<Response> {
    let status = error.status();
    match &error {
        Error::Validation(errors) => {
            let of = |fields: &[&str]| {
                let mut errors = errors.iter().filter(|(field, _)| fields.contains(field));
                errors
                    .next()
                    .and_then(|(_, messages)| messages.first().cloned())
            };
            form.login_error = of(&["email", "username"]);
            form.password_error = of(&["password"]);
            if form.login.is_empty() {
                form.login_error = Some("The username or e-mail field is required.".to_owned());
            }
            show(app, request, status, form)
        }
        Error::TooManyRequests { retry_after } => {
            let seconds = retry_after.to_string();
            form.message = Some(format!(
                "Too many attempts. Try again in {seconds} seconds."
            ));
            let response = show(app, request, status, form)?;
            Ok(response.with_header(header::RETRY_AFTER, &seconds))
        }
        _ => Err(error),
    }
}

/// The form, tied to the browser: a cookie that is there stays, so that the same form in two windows
/// works in both.
fn show(
    app: &ServiceState,
    request: &AdminRequest,
    status: StatusCode,
    form: Form,
) -> Result<Response> {
    let known = cookies::read(&request.headers, cookies::FORM).map(str::to_owned);
    let is_new = known.is_none();
    let nonce = known.unwrap_or_else(|| random_text(NONCE_LENGTH));
    let frame = Frame::new(app.config(), None, Some(guard::token(&nonce)));
    let response = pages::show(status, &Page { frame, form })?;
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
    request.audit("signed out", session.id);
    let cookie = cookies::clear(app.config(), request.is_local(), cookies::SESSION);
    Ok(pages::see(app.config(), "/login").with_header(header::SET_COOKIE, &cookie))
}
