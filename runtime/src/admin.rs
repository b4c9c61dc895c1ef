//! The admin area (`admin.path`): which actions of which resources are on, for whom, and which
//! tokens there are (specification, section 5.4; behaviour of the reference, A11).
//!
//! Pages are made on the server, and work without scripts. What is decided here stands in the
//! database, and is held in memory by every replica ([`settings`]).

mod ask;
mod assets;
mod cookies;
mod guard;
mod markdown;
mod meta;
mod pages;
mod paging;
mod path;
mod rows;
mod screens;
mod sessions;
mod settings;
mod sync;

use std::sync::Arc;

use axum::http::{HeaderMap, Method};
use serde_json::json;

use crate::{
    app::App,
    config::Config,
    extension::Permission,
    registry::Registry,
    response::{Response, with_headers},
    status::Status,
};
use formwork_data::{
    database::Db,
    error::{Error, Result},
    migration::Migration,
    value::DateTime,
};

pub(crate) use ask::Ask;
pub(crate) use guard::csrf;
pub(crate) use sessions::Session;
pub use sessions::{IDLE, LIFETIME};
pub use settings::{BELIEVED_FOR, REREAD_AFTER};
pub use sync::Synced;
pub(crate) use sync::{add, sync};

pub(crate) use pages::PAGE;
use pages::{Frame, Pages};
use settings::Settings;

/// The permission that the screens ask for (specification, section 5.4).
pub const MANAGE: &str = "Ext.Api.Manage";

/// The permissions the area brings.
pub const PERMISSIONS: &[Permission] = &[Permission {
    code: MANAGE,
    label: "Manage APIs: actions, whom they let in, access tokens",
}];

/// The tables of the area.
pub(crate) const MIGRATIONS: &[Migration] = &[rows::MIGRATION, sessions::MIGRATION];

/// The area of a service.
#[derive(Debug)]
pub(crate) struct Admin {
    pages: Pages,
    settings: Settings,
}

impl Admin {
    /// An area at `admin.path`.
    ///
    /// # Errors
    ///
    /// 500 where something else answers at that path.
    pub fn new(config: &Config, registry: &Registry) -> Result<Self> {
        path::check(config, registry)?;
        Ok(Self {
            pages: Pages::new()?,
            settings: Settings::default(),
        })
    }

    /// Sees to it that what is known of what was decided is young enough for a request.
    ///
    /// # Errors
    ///
    /// 503 where nothing is known yet.
    pub async fn keep_up(&self, app: &Arc<App>, now: DateTime) -> Result<()> {
        self.settings.keep_up(app, now).await
    }

    /// Reads what was decided, now.
    ///
    /// # Errors
    ///
    /// 503 where nothing is known yet.
    pub async fn refresh(&self, app: &App) -> Result<()> {
        self.settings.refresh(app, &app.db().for_request()).await
    }
}

/// What is at a path below `admin.path` without anybody asking who wants it: style and script.
pub(crate) fn asset(method: &Method, path: &str) -> Option<Result<Response>> {
    let file = path.strip_prefix("assets/")?;
    Some(assets::answer(method, file))
}

/// The session that a request's cookie belongs to: the first that does, where there are several.
///
/// # Errors
///
/// When the database fails.
pub(crate) async fn session(
    db: &Db,
    headers: &HeaderMap,
    now: DateTime,
) -> Result<Option<Session>> {
    for secret in cookies::all(headers, cookies::SESSION) {
        if let Some(session) = sessions::find(db, secret, now).await? {
            return Ok(Some(session));
        }
    }
    Ok(None)
}

/// Answers what the area is asked.
///
/// # Errors
///
/// What [`refusal`] makes a page of.
pub(crate) async fn answer(app: &Arc<App>, ask: Ask) -> Result<Response> {
    screens::answer(app, ask).await
}

/// Whether a path is one of the area's.
pub(crate) fn is_within(config: &Config, path: &str) -> bool {
    let rest = path.strip_prefix(&config.admin.path);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The page that says why there is no other: who is signed in keeps what stands around it.
///
/// # Errors
///
/// 500 where the page itself is wrong: a bug.
pub(crate) fn refusal(
    app: &App,
    session: Option<&Session>,
    error: &Error,
    message: &str,
) -> Result<Response> {
    let status = error.status();
    let title = status.canonical_reason().unwrap_or("Something went wrong");
    let page = json!({"title": title, "message": message});
    let frame = Frame::new(app.config(), session, None);
    let response = app
        .admin()
        .pages
        .show("message.html", status, &frame, &page)?;
    Ok(with_headers(response, error))
}
