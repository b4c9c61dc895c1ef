//! What a relation is in the database, whatever its name: a later import finds it again by this.

/// Kind, target table, pivot and columns of a relation.
pub type Identity = Vec<String>;

/// Returns the identity of a relation with these entries. `table_of` returns the table of a resource.
pub fn identity(
    entries: &[(&'static str, String)],
    table_of: impl Fn(&str) -> Option<String>,
) -> Identity {
    let value = |key: &str| {
        entries
            .iter()
            .find(|(own, _)| *own == key)
            .map(|(_, value)| value.clone())
    };
    let (kind, target) = match entries.first() {
        // A new value of the pair adds a target.
        Some(("morph_to", _)) => ("morph_to", None),
        // A unique index turns many into one.
        Some(("has_one", target)) => ("has_many", Some(target)),
        Some((kind, target)) => (*kind, Some(target)),
        None => ("", None),
    };
    let target = target.map(|key| table_of(key).unwrap_or_else(|| key.clone()));
    let columns = ["pivot", "morph", "value", "column", "other_column"].map(value);
    let parts = [Some(kind.to_owned()), target].into_iter().chain(columns);
    parts
        .map(|part| part.unwrap_or_default().to_lowercase())
        .collect()
}
