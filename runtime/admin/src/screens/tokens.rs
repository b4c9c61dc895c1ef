//! Access tokens: the list, and their revocation.

use askama::Template;
use axum::http::StatusCode;
use formwork_core::{
    auth::{IssuedToken, Sought, revoke_tokens},
    response::Response,
    state::ServiceState,
};
use formwork_data::{
    error::Result,
    value::{DateTime, parse_datetime},
};

use super::{
    super::{
        admin_request::AdminRequest,
        pages::{self, Frame, Paging, filters},
    },
    confirm::{Named, Question, confirm_first, id_fields, without_selection},
};

/// A token as the screen shows it.
#[derive(Debug)]
struct ShownToken {
    id: i64,
    name: String,
    kind: &'static str,
    email: Option<String>,
    abilities: Vec<String>,
    created: Option<String>,
    used: Option<String>,
    expires: Option<String>,
    is_expired: bool,
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct Page<'a> {
    frame: Frame<'a>,
    rows: Vec<ShownToken>,
    paging: Paging,
}

impl ShownToken {
    fn of(token: &IssuedToken, now: DateTime) -> Self {
        let expires = token.expires_at.as_deref().and_then(parse_datetime);
        Self {
            id: token.id,
            name: token.name.clone(),
            kind: kind(token),
            email: token.email.clone(),
            abilities: token.abilities.clone(),
            created: minute(Some(&token.created_at)),
            used: minute(token.last_used_at.as_deref()),
            expires: minute(token.expires_at.as_deref()),
            is_expired: expires.is_some_and(|expires| expires <= now),
        }
    }
}

fn kind(token: &IssuedToken) -> &'static str {
    if token.kind == "admin" {
        "User"
    } else {
        "Customer"
    }
}

/// A moment for people, to the minute; a line ends between day and time only.
fn minute(text: Option<&str>) -> Option<String> {
    let moment = parse_datetime(text?)?;
    Some(moment.format("%Y-%m-%d %H:%M\u{a0}UTC").to_string())
}

/// The list.
pub(super) async fn list(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let mut paging = Paging::of(request)?;
    let search = paging.search.clone();
    let page = async |bounds| {
        app.auth()
            .issued(&request.db, Sought::Called(&search), bounds)
            .await
    };
    let mut issued = page(paging.bounds()).await?;
    if !paging.counted(issued.total) {
        issued = page(paging.bounds()).await?;
    }
    let rows: Vec<ShownToken> = issued
        .tokens
        .iter()
        .map(|token| ShownToken::of(token, request.now))
        .collect();
    let page = Page {
        frame: Frame::of(app, request),
        rows,
        paging,
    };
    pages::show(StatusCode::OK, &page)
}

fn named(token: &IssuedToken) -> Named {
    let whose = token.email.as_deref().unwrap_or("a deleted account");
    Named {
        text: token.name.clone(),
        about: kind(token).to_owned(),
        whose: Some(whose.to_owned()),
    }
}

/// Revokes, once that is confirmed.
pub(super) async fn revoke(app: &ServiceState, request: &AdminRequest) -> Result<Response> {
    let ids = request.ids();
    let most = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let found = app.auth().issued(&request.db, Sought::Ids(&ids), (most, 0));
    let chosen = found.await?.tokens;
    if chosen.is_empty() {
        return Ok(without_selection(app, &ids, "/tokens"));
    }
    let ids: Vec<i64> = chosen.iter().map(|token| token.id).collect();
    let question = Question {
        title: "Revoke tokens",
        message: "Requests with these tokens are refused from now on. This cannot be undone.",
        gains: Vec::new(),
        names: chosen.iter().map(named).collect(),
        fields: id_fields(&ids),
        action: "/tokens/delete".to_owned(),
        button: "Revoke",
        list: Some("/tokens"),
    };
    if let Some(asked) = confirm_first(app, request, &question)? {
        return Ok(asked);
    }
    revoke_tokens(&request.db, &ids).await?;
    for token in &chosen {
        request.audit("token revoked", token.id);
    }
    Ok(pages::see(app.config(), "/tokens?notice=revoked"))
}
