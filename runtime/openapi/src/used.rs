//! Which components are referred to.

use std::collections::BTreeSet;

use formwork_data::error::{Error, Result};
use serde_json::Value as Json;

use super::document::Document;

/// Leaves out the components that no path leads to.
pub(super) fn prune(document: &mut Document) -> Result<()> {
    let whole = serde_json::to_value(&*document).map_err(Error::internal)?;
    let mut used = BTreeSet::new();
    gather(&whole["paths"], &whole, &mut used);
    let is_used = |family: &str, name: &str| {
        let place = format!("#/components/{family}/{name}");
        used.contains(place.as_str())
    };
    let components = &mut document.components;
    components
        .schemas
        .retain(|name, _| is_used("schemas", name));
    components
        .responses
        .retain(|name, _| is_used("responses", name));
    components
        .parameters
        .retain(|name, _| is_used("parameters", name));
    components
        .headers
        .retain(|name, _| is_used("headers", name));
    Ok(())
}

/// The components a part refers to, and those that they refer to.
fn gather<'d>(part: &'d Json, whole: &'d Json, used: &mut BTreeSet<&'d str>) {
    match part {
        Json::Object(members) => {
            if let Some(Json::String(place)) = members.get("$ref")
                && used.insert(place)
                && let Some(found) = place.strip_prefix('#').and_then(|it| whole.pointer(it))
            {
                gather(found, whole, used);
            }
            members.values().for_each(|it| gather(it, whole, used));
        }
        Json::Array(items) => items.iter().for_each(|it| gather(it, whole, used)),
        _ => {}
    }
}
