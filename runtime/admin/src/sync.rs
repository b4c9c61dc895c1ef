//! Writes a row of the table for each registered resource without one. Existing rows are never
//! changed, and only a command deletes them: another replica may know a resource that this one does
//! not (docs/adr/0011).

use formwork_core::state::ServiceState;
use formwork_data::{database::Db, error::Result};

use super::rows;

/// The changes to the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Synced {
    /// Keys of resources that have a row from now on.
    pub added: Vec<String>,
    /// Keys whose rows are gone, as their registrations are.
    pub removed: Vec<String>,
}

/// Writes the missing rows, with one statement for all.
///
/// # Errors
///
/// When the database fails, or does not have the table yet.
pub(crate) async fn add(app: &ServiceState, db: &Db) -> Result<Vec<String>> {
    let known = rows::endpoints(db).await?;
    let is_missing = |key: &str| known.iter().all(|(endpoint, _)| endpoint != key);
    let missing: Vec<_> = resources(app).filter(|(key, ..)| is_missing(key)).collect();
    rows::insert(db, &missing, app.now()).await
}

/// Writes what is missing, and deletes what is left over: of resources that are not registered any
/// more, unless they are custom.
///
/// # Errors
///
/// When the database fails, or does not have the table yet.
pub async fn sync(app: &ServiceState) -> Result<Synced> {
    let added = add(app, app.db()).await?;
    let known = rows::endpoints(app.db()).await?;
    let is_left = |endpoint: &str| resources(app).all(|(key, ..)| key != endpoint);
    let mut removed = Vec::new();
    for (endpoint, is_custom) in known {
        if !is_custom && is_left(&endpoint) && rows::forget(app.db(), &endpoint).await? {
            removed.push(endpoint);
        }
    }
    Ok(Synced { added, removed })
}

/// What is registered: key, name and description of each.
fn resources(app: &ServiceState) -> impl Iterator<Item = (&str, &str, &str)> {
    app.registry().entries().filter_map(|(_, entry)| {
        let resource = entry.resource.as_ref()?;
        Some((entry.key, resource.name, resource.description))
    })
}
