//! The rows of a relation's target.

use std::{collections::HashMap, sync::Arc};

use formwork_data::value::LinkKey;
use formwork_data::{
    database::Row,
    error::{Error, Result},
    model::{self, Schema},
    query::{Linked, Selection},
    relations::Link,
    value::Value,
};
use serde_json::Value as Json;

use super::load;
use crate::{
    auth::Caller,
    context::Context,
    repository::{Repository, RepositoryExt},
    serializer::RowsOf,
    source::{Fetched, Wanted},
    transformer::Transformer,
};

/// Values in one list: below every database's limit for bound values, with room for the others.
const CHUNK: usize = 1024;

/// The rows of a source that belong to some records; one statement for each 1024 records.
pub(crate) async fn fetch<R, T>(ctx: &Context, wanted: Wanted<'_>) -> Result<Fetched>
where
    R: Repository,
    T: Transformer<Model = R::Model>,
{
    let guest = wanted.as_guest.then(|| ctx.with_caller(Caller::Guest));
    let ctx = guest.as_ref().unwrap_or(ctx);
    let query = R::visible(ctx)?;
    let found = found(ctx, &wanted, query.selection().clone()).await?;
    let records: Result<Vec<_>> = found.rows.iter().map(model::read).collect();
    let records = load(ctx, records?, wanted.includes).await?;
    Ok(Fetched {
        rows: Arc::new(RowsOf::<T>::shown_in(records, guest.clone())),
        links: found.links,
    })
}

/// The rows of a selection that belong to some records. Compiled once, for all models.
async fn found(
    ctx: &Context,
    wanted: &Wanted<'_>,
    mut selection: Selection,
) -> Result<FetchedRows> {
    for (column, value) in &wanted.info.conditions {
        selection.eq(column, value.clone());
    }
    selection.order_all(&wanted.info.order);
    let is_pivot = matches!(wanted.info.link, Link::Pivot(..));
    let mut found = FetchedRows::new(selection.schema(), is_pivot);
    // Relations for computed attributes count as well: their rows are in memory like any others.
    let budget = ctx.budget();
    'chunks: for keys in wanted.keys.chunks(CHUNK) {
        // Of each the first: there are no more than keys.
        if let Some(budget) = budget.filter(|_| !wanted.info.first) {
            selection.limit((budget.left() as u64 + 1).saturating_sub(found.links.len() as u64));
        }
        let linked = Linked {
            info: wanted.info,
            keys: padded(keys),
        };
        for row in selection.linked_rows(ctx.db(), &linked).await? {
            found.take(row, linked.is_grouped())?;
            // A row may be linked to every record: it counts as often as it is written.
            if budget.is_some_and(|budget| found.links.len() > budget.left()) {
                break 'chunks;
            }
        }
    }
    if let Some(budget) = budget {
        budget.read(found.links.len())?;
    }
    Ok(found)
}

/// Each length of a list would be another statement; lengths are powers of two, so that a
/// connection reuses its prepared statements.
fn padded(keys: &[Value]) -> Vec<Value> {
    let mut padded = keys.to_vec();
    if let Some(last) = keys.last() {
        padded.resize(keys.len().next_power_of_two(), last.clone());
    }
    padded
}

/// Rows as they come, and what links them.
struct FetchedRows {
    schema: &'static Schema,
    rows: Vec<Row>,
    links: Vec<(LinkKey, u32)>,
    /// Where a table between lets a row come several times, it is read once.
    seen: Option<HashMap<LinkKey, u32>>,
}

impl FetchedRows {
    fn new(schema: &'static Schema, repeated: bool) -> Self {
        Self {
            schema,
            rows: Vec::new(),
            links: Vec::new(),
            seen: repeated.then(HashMap::new),
        }
    }

    fn take(&mut self, row: Row, grouped: bool) -> Result<()> {
        let links = links(&row, self.schema.columns.len(), grouped)?;
        if links.is_empty() {
            return Ok(());
        }
        let next = u32::try_from(self.rows.len()).map_err(Error::internal)?;
        let index = match &mut self.seen {
            None => next,
            Some(seen) => match LinkKey::of(&row.value(self.schema.key_index())?) {
                Some(key) => *seen.entry(key).or_insert(next),
                None => next,
            },
        };
        if index == next {
            self.rows.push(row);
        }
        self.links
            .extend(links.into_iter().map(|link| (link, index)));
        Ok(())
    }
}

/// The keys that link a row: the value at a position, or the list of values there.
fn links(row: &Row, index: usize, grouped: bool) -> Result<Vec<LinkKey>> {
    if !grouped {
        return Ok(LinkKey::of(&row.value(index)?).into_iter().collect());
    }
    let all: Vec<Json> = serde_json::from_str(row.text(index)?).map_err(Error::internal)?;
    Ok(all.into_iter().filter_map(of_json).collect())
}

fn of_json(value: Json) -> Option<LinkKey> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(LinkKey::Text(text)),
        other => Some(match other.as_i64() {
            Some(key) => LinkKey::Int(key),
            None => LinkKey::Text(other.to_string()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_of_lists_are_keys_as_they_are_stored() {
        let keys: Vec<_> = [json!(7), json!("a"), json!(null), json!(1.5)]
            .into_iter()
            .map(of_json)
            .collect();
        let text = |text: &str| Some(LinkKey::Text(text.to_owned()));
        assert_eq!(keys, [Some(LinkKey::Int(7)), text("a"), None, text("1.5")]);
    }

    #[test]
    fn lists_are_padded_to_powers_of_two() {
        let keys: Vec<Value> = (1..=5_i64).map(Value::from).collect();
        let padded = padded(&keys);
        assert_eq!(padded.len(), 8);
        assert_eq!(padded[7], Value::Int(5));
        assert_eq!(CHUNK.next_power_of_two(), CHUNK);
    }
}
