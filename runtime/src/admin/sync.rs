//! What is registered, brought to its table (behaviour of the reference, A11): a row for each
//! resource without one, none for those that are gone. A row that is there is never changed.

use crate::{app::App, error::Result};

use super::rows;

/// What was brought to the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synced {
    /// Keys of resources that have a row from now on.
    pub added: Vec<String>,
    /// Keys whose rows are gone, as their registrations are.
    pub removed: Vec<String>,
}

/// Writes what is missing, and deletes what is left over; where there is neither, nothing.
///
/// # Errors
///
/// When the database fails, or does not have the table yet.
pub(crate) async fn sync(app: &App) -> Result<Synced> {
    let (registry, now) = (app.registry(), app.now());
    let known = rows::endpoints(app.db()).await?;
    let resources = || {
        registry
            .entries()
            .filter_map(|(_, it)| Some((it.key, it.resource.as_ref()?)))
    };
    let missing = resources().filter(|(key, _)| known.iter().all(|(endpoint, _)| endpoint != key));
    let is_left = |endpoint: &str| resources().all(|(key, _)| key != endpoint);
    let left = known
        .iter()
        .filter(|(endpoint, is_custom)| !is_custom && is_left(endpoint));
    let (missing, left): (Vec<_>, Vec<_>) = (missing.collect(), left.collect());
    let mut synced = Synced::default();
    if missing.is_empty() && left.is_empty() {
        return Ok(synced);
    }
    let transaction = app.db().begin().await?;
    for (key, resource) in missing {
        let texts = (key, resource.name, resource.description);
        if rows::insert(transaction.db(), texts, now).await? {
            synced.added.push(key.to_owned());
        }
    }
    for (endpoint, _) in left {
        if rows::forget(transaction.db(), endpoint).await? {
            synced.removed.push(endpoint.clone());
        }
    }
    transaction.commit().await?;
    Ok(synced)
}
