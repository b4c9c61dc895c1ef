//! What somebody else has decided while a form was open: the form keeps what is typed, shows what
//! stands beside it, and can be sent again by who has seen that.

use formwork_core::{response::Response, state::ServiceState};
use formwork_data::error::Result;

use super::{
    super::{
        ask::Ask,
        rows::{self, Row, Which},
        sync,
    },
    edit::{State, answer},
    resources::missing,
    shown::shown,
    typed::Typed,
};

/// Since the row was read it was changed: it stands otherwise by now, or is gone.
pub(super) async fn since(app: &ServiceState, ask: &Ask, row: &Row) -> Result<Response> {
    match rows::find(&ask.db, Which::Id(row.id)).await? {
        Some(row) => told(app, ask, State::Overtaken, &row),
        None => by_deletion(app, ask).await,
    }
}

/// The row is gone. What is registered stands then, and has its row again, as it has when the list
/// is opened; of anything else nothing stands.
///
/// # Errors
///
/// 404 where no form of a resource was sent: there was no such row ever, for all that is known.
pub(super) async fn by_deletion(app: &ServiceState, ask: &Ask) -> Result<Response> {
    let endpoint = ask.field("endpoint");
    if endpoint.is_empty() {
        return Err(missing());
    }
    sync::add(app, &ask.db).await?;
    match rows::find(&ask.db, Which::Endpoint(&endpoint)).await? {
        Some(row) => told(app, ask, State::Reset, &row),
        None => told(app, ask, State::Gone, &Row::none(endpoint)),
    }
}

fn told(app: &ServiceState, ask: &Ask, state: State, row: &Row) -> Result<Response> {
    let stands = shown(app, row);
    let typed = Typed::read(ask, &stands);
    answer(app, ask, state, (&stands, &typed))
}
