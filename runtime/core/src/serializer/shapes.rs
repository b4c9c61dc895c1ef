//! Compares shown records with their declared shapes.

use std::any::type_name;

use formwork_data::shape::Shape;

use crate::transformer::Transformer;

/// Whether shown records are compared: in tests of projects.
pub(crate) const CHECKED: bool = cfg!(all(feature = "testing", debug_assertions));

/// Checks a record in the data rendering, without its relations and its last brace.
///
/// # Panics
///
/// When it contradicts the shape that its transformer declares.
pub(crate) fn check<T: Transformer>(written: &[u8]) {
    let mut written = written.to_vec();
    written.push(b'}');
    let shown = serde_json::from_slice(&written).expect("a record is JSON");
    if let Some(mistake) = Shape::declared(T::shape).mistake(&shown) {
        panic!(
            "{mistake}: correct `shape()` of `{}`, or `attributes()` and `HIDDEN` of its model",
            type_name::<T>()
        );
    }
}
