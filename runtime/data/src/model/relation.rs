//! A record's own side of a relation.

use super::{Model, Schema, pick};
use crate::{
    relations::{Local, OwnColumns, Relation},
    value::Value,
};

impl<M: Model> Relation<M> {
    /// The target that a record is linked to, by its position, and the value that names the row,
    /// which may be null. `None` where the record's key links, and for an unknown kind of target.
    pub fn named_by(&self, record: &mut M) -> Option<(usize, Value)> {
        let (kind, value) = match (&self.local, self.info.own) {
            (Local::Key, _) | (Local::Columns, OwnColumns::Unknown) => return None,
            (Local::Fixed(value), _) => return Some((0, value.clone())),
            (Local::Computed(local), _) => return Some((0, local(record))),
            (Local::Columns, OwnColumns::One(column)) => return Some((0, pick(record, column)?)),
            (Local::ComputedMorph(local), _) => local(record),
            (Local::Columns, OwnColumns::Morph { kind, id }) => {
                (pick(record, kind)?, pick(record, id)?)
            }
        };
        let mut targets = self.info.targets.iter();
        let target = targets.position(|target| kind.as_str() == Some(target.morph))?;
        Some((target, value))
    }

    /// The column with the value that names the row; `None` where a closure returns another value
    /// for one of these records.
    pub fn column_read(&self, records: [&M; 2]) -> Option<&'static str> {
        let column = match self.info.own {
            OwnColumns::One(column) => column,
            OwnColumns::Morph { id, .. } => id,
            OwnColumns::Unknown => return None,
        };
        let value = |record: &M, column| pick(&mut record.clone(), column).unwrap_or_default();
        let reads = |record: &M| match (&self.local, self.info.own) {
            (Local::Computed(local), OwnColumns::One(own)) => local(record) == value(record, own),
            (Local::ComputedMorph(local), OwnColumns::Morph { kind, id }) => {
                local(record) == (value(record, kind), value(record, id))
            }
            _ => true,
        };
        records.into_iter().all(reads).then_some(column)
    }

    /// Takes the columns that manifests name by default for those of a closure, and notes what the
    /// record's own key is.
    pub(crate) fn assume_columns(&mut self, schema: &Schema) {
        if let Some(key) = schema.column(schema.key) {
            self.info.own_key = key.kind;
        }
        let column = |end: &str| {
            let name = format!("{}_{end}", self.info.name);
            schema.column(&name).map(|column| column.name)
        };
        self.info.own = match (&self.local, column("type"), column("id")) {
            (Local::Computed(_), _, Some(id)) => OwnColumns::One(id),
            (Local::ComputedMorph(_), Some(kind), Some(id)) => OwnColumns::Morph { kind, id },
            _ => self.info.own,
        };
    }
}
