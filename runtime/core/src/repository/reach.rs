//! Which rows a caller reaches: what he may link his own to.

use formwork_data::{
    error::Result,
    model::{Model, value_of},
    value::Value,
};

use super::{Repository, page::scoped};
use crate::context::Context;

/// Values in one list: well below every database's limit.
const CHUNK: usize = 500;

/// Of the rows with these values in a column (the key's without one), the values of those in the
/// caller's reach. `None`: nothing narrows it, and nothing is asked.
///
/// # Errors
/// What `extend_query` finds, and the database answers.
pub(crate) async fn reached<R: Repository>(
    ctx: &Context,
    column: Option<&'static str>,
    values: &[Value],
) -> Result<Option<Vec<Value>>> {
    let query = scoped::<R>(ctx)?;
    if query.is_plain() {
        return Ok(None);
    }
    let column = column.unwrap_or(R::Model::KEY);
    let mut reached = Vec::with_capacity(values.len());
    for chunk in values.chunks(CHUNK) {
        let mut query = query.clone();
        query.is_in(column, chunk.iter().cloned());
        let records = query.all(ctx).await?;
        reached.extend(records.iter().filter_map(|record| value_of(record, column)));
    }
    Ok(Some(reached))
}
