//! Finds the rows that a caller may link to.

use formwork_data::{error::Result, query::Selection, value::Value};

use super::{Repository, RepositoryExt};
use crate::context::Context;

/// Values in one list: well below every database's limit.
const CHUNK: usize = 500;

/// Of the rows with these values in a column (the key's without one), the values of those in the
/// caller's reach. `None` where the caller reaches all rows: then no statement runs.
pub(crate) async fn reached<R: Repository>(
    ctx: &Context,
    column: Option<&'static str>,
    values: &[Value],
) -> Result<Option<Vec<Value>>> {
    let query = R::visible(ctx)?;
    if query.is_plain() {
        return Ok(None);
    }
    held(ctx, query.selection(), column, values).await.map(Some)
}

/// Of the values, those that a column of the selected rows holds. Compiled once, for all models.
async fn held(
    ctx: &Context,
    selection: &Selection,
    column: Option<&'static str>,
    values: &[Value],
) -> Result<Vec<Value>> {
    let schema = selection.schema();
    let column = column.unwrap_or(schema.key);
    let at = schema.columns.iter().position(|known| known.name == column);
    let (Some(at), mut held) = (at, Vec::with_capacity(values.len())) else {
        return Ok(Vec::new());
    };
    for chunk in values.chunks(CHUNK) {
        let mut selection = selection.clone();
        selection.is_in(column, chunk.iter().cloned());
        for row in selection.rows(ctx.db()).await? {
            held.push(row.value(at)?);
        }
    }
    Ok(held)
}
