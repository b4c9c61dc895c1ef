//! Tools, APIs: the list of resources, one of them, and its docs.

use askama::Template;
use axum::http::StatusCode;
use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::{Error, Result};

use super::{
    super::{
        admin_request::AdminRequest,
        markdown,
        pages::{self, Frame, Paging, filters},
        path,
        rows::{self, Row, Which},
        settings, sync,
    },
    confirm::{Named, Question, confirm_first, id_fields, without_selection},
    gains,
    shown::{Shown, shown},
};

#[derive(Template)]
#[template(path = "resources.html")]
struct ListPage<'a> {
    frame: Frame<'a>,
    rows: Vec<Shown>,
    paging: Paging,
}

#[derive(Template)]
#[template(path = "resource.html")]
struct Preview<'a> {
    frame: Frame<'a>,
    resource: Shown,
}

#[derive(Template)]
#[template(path = "docs.html")]
struct Docs<'a> {
    frame: Frame<'a>,
    resource: Shown,
    /// HTML of Markdown in which HTML means nothing.
    docs: Option<String>,
    /// The page of the whole API, if the service has one.
    api_page: Option<String>,
}

/// The list. Registered resources without a row get one when it is opened.
pub(super) async fn list(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    sync::add(app, &request.db).await?;
    settings::of(app)?.refresh(app, &request.db).await?;
    let mut paging = Paging::of(request)?;
    let (mut found, total) = rows::page(&request.db, &paging.search, paging.bounds()).await?;
    if !paging.counted(total) {
        (found, _) = rows::page(&request.db, &paging.search, paging.bounds()).await?;
    }
    let rows: Vec<Shown> = found.iter().map(|row| shown(app, row)).collect();
    let page = ListPage {
        frame: Frame::of(app, request),
        rows,
        paging,
    };
    pages::show(StatusCode::OK, &page)
}

/// One resource, to be looked at.
pub(super) async fn show(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let page = Preview {
        frame: Frame::of(app, request),
        resource: shown(app, &find(request, which).await?),
    };
    pages::show(StatusCode::OK, &page)
}

/// Shows the Markdown of a resource, and leads to the page of the API.
pub(super) async fn docs(
    app: &ServiceState,
    request: &AdminRequest,
    which: Which<'_>,
) -> Result<Response> {
    let shown = shown(app, &find(request, which).await?);
    let html = markdown::html(app.docs(&shown.endpoint));
    let api = app.config().api.prefix.as_str();
    let has_page = app.registry().reserved_paths().contains(&"/docs");
    let page = Docs {
        frame: Frame::of(app, request),
        resource: shown,
        docs: Some(html).filter(|html| !html.is_empty()),
        api_page: has_page.then(|| path::public(app.config(), &format!("{api}/docs"))),
    };
    pages::show(StatusCode::OK, &page)
}

/// The requested row.
///
/// # Errors
///
/// 404.
pub(super) async fn find(request: &AdminRequest, which: Which<'_>) -> Result<Row> {
    let row = rows::find(&request.db, which).await?;
    row.ok_or_else(missing)
}

pub(super) fn missing() -> Error {
    Error::NotFound("There is no such resource.".to_owned())
}

pub(super) fn named(row: &Row) -> Named {
    Named {
        text: row.name.clone(),
        about: row.endpoint.clone(),
        whose: None,
    }
}

/// The access that people gain when a row is deleted: its registration applies then.
fn gains_by_reset(app: &ServiceState, row: &Row) -> Vec<String> {
    let Some(entry) = app.registry().find(&row.endpoint) else {
        return Vec::new();
    };
    let registered = Row {
        meta: None,
        ..row.clone()
    };
    let (before, after) = (shown(app, row), shown(app, &registered));
    gains::sentences(entry, &before.actions, &after.actions)
}

/// Restores the registration, after a confirmation.
pub(super) async fn delete(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let ids = request.ids();
    let chosen = rows::chosen(&request.db, &ids).await?;
    if chosen.is_empty() {
        return Ok(without_selection(app, &ids, "/resources"));
    }
    let ids: Vec<i64> = chosen.iter().map(|row| row.id).collect();
    let question = Question {
        title: "Delete settings",
        message: "The settings of these resources are deleted. The defaults are restored: \
                  all registered actions, with their contexts.",
        gains: chosen
            .iter()
            .flat_map(|row| gains_by_reset(app, row))
            .collect(),
        names: chosen.iter().map(named).collect(),
        fields: id_fields(&ids),
        action: "/resources/delete".to_owned(),
        button: "Delete",
        list: Some("/resources"),
    };
    if let Some(asked) = confirm_first(app, request, &question)? {
        return Ok(asked);
    }
    rows::delete(&request.db, &ids).await?;
    settings::of(app)?.refresh(app, &request.db).await?;
    for row in &chosen {
        request.audit("settings of a resource deleted", &row.endpoint);
    }
    Ok(pages::see(app.config(), "/resources?notice=reset"))
}
