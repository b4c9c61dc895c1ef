//! What is decided about a resource.

use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        area::area,
        ask::Ask,
        pages,
        rows::{self, Row, Which},
    },
    audit::audit,
    form::{State, answer},
    overtaken,
    resources::find,
    shown::shown,
    typed::Typed,
};

/// The form.
pub(super) async fn form(app: &ServiceState, ask: &Ask, which: Which<'_>) -> Result<Response> {
    let stands = shown(app, &find(ask, which).await?);
    let typed = Typed::nothing(&stands);
    answer(app, ask, State::Opened, (&stands, &typed))
}

/// Writes what the form says; it acts at once.
///
/// # Errors
///
/// 404 where there is no row, and no form of one was sent. Broken rules are shown beside their
/// fields, with status 422; what somebody else has decided meanwhile, with 409.
pub(super) async fn save(app: &ServiceState, ask: &Ask, which: Which<'_>) -> Result<Response> {
    let Some(row) = rows::find(&ask.db, which).await? else {
        return overtaken::by_deletion(app, ask).await;
    };
    let stands = shown(app, &row);
    let typed = Typed::read(ask, &stands);
    if ask.field("seen") != row.print() {
        return answer(app, ask, State::Overtaken, (&stands, &typed));
    }
    if !typed.errors.is_empty() {
        return answer(app, ask, State::Refused, (&stands, &typed));
    }
    if !rows::update(&ask.db, &decided(app, &row, &typed), ask.now).await? {
        return overtaken::since(app, ask, &row).await;
    }
    area(app)?.settings.refresh(app, &ask.db).await?;
    audit(ask, "settings of a resource saved", &row.endpoint);
    Ok(pages::see(
        app.config(),
        &format!("/resources/{}/edit?notice=saved", row.address()),
    ))
}

/// The row as the form wants it.
fn decided(app: &ServiceState, row: &Row, typed: &Typed) -> Row {
    let entry = app.registry().find(&row.endpoint);
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let meta = match resource {
        Some(resource) => typed.meta.written(resource.registered()),
        // What is not registered here has no switches: another replica may know it.
        None => row.meta.clone(),
    };
    Row {
        name: typed.name.clone(),
        description: Some(typed.description.clone()),
        meta,
        ..row.clone()
    }
}
