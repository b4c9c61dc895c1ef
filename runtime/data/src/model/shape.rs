//! The JSON of a model's records.

use super::{Model, Schema};
use crate::{
    column::{ColumnInfo, Kind},
    shape::{Shape, ShapeKind, Shaped},
};

impl<M: Model> Shaped for M {
    fn shape(to: &mut Shape) {
        M::attributes(to);
    }
}

/// The JSON of `M`'s records: every column that is not hidden, the key as `id`.
pub(super) fn columns<M: Model>(to: &mut Shape) {
    let schema = Schema::of::<M>();
    let is_shown = |column: &&ColumnInfo| !M::HIDDEN.contains(&column.name);
    for column in schema.columns.iter().filter(is_shown) {
        let kind = match column.kind {
            Kind::Json => ShapeKind::Any,
            kind => ShapeKind::Scalar(kind),
        };
        let nullable = column.nullable || kind == ShapeKind::Any;
        let name = if column.name == schema.key {
            "id"
        } else {
            column.name
        };
        to.add(name, Shape { kind, nullable });
    }
}
