//! Named parts of the document.

use indexmap::IndexMap;

/// Named parts, in the order in which they were added: the document is the same every time.
pub(crate) type Named<T> = IndexMap<String, T>;

/// Parts by their names.
pub(crate) fn named<N: Into<String>, T>(parts: impl IntoIterator<Item = (N, T)>) -> Named<T> {
    let parts = parts.into_iter();
    parts.map(|(name, part)| (name.into(), part)).collect()
}
