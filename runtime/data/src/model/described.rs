//! The facts about a model without a record: its table and its relations.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use super::{
    Model, pick,
    schema::{Schema, Statements},
};
use crate::{
    column::{Describe, Kind},
    relations::{Local, OwnColumns, Relation, Relations},
    value::Value,
};

impl Schema {
    /// The description of `M`.
    #[must_use]
    pub fn of<M: Model>() -> &'static Self {
        &described::<M>().schema
    }

    fn new<M: Model>() -> Self {
        let mut describe = Describe::default();
        // This visitor returns no errors.
        let _ = M::default().columns(&mut describe);
        for column in &mut describe.columns {
            column.native |= !M::MANAGED && column.kind == Kind::DateTime;
        }
        let sql = Statements::new(M::TABLE, M::KEY, &describe.columns);
        Self {
            table: M::TABLE,
            key: M::KEY,
            columns: describe.columns,
            created_at: describe.created_at,
            updated_at: describe.updated_at,
            defaulted: M::DEFAULTED,
            computed: M::COMPUTED,
            sql,
        }
    }
}

impl Relation {
    /// The target that a record is linked to, by its position, and the value that names the row,
    /// which may be null. `None` where the record's key links, and for an unknown kind of target.
    pub fn named_by<M: Model>(&self, record: &mut M) -> Option<(usize, Value)> {
        match (&self.local, self.info.own) {
            (Local::Key, _) | (Local::Columns, OwnColumns::Unknown) => None,
            (Local::Fixed(value), _) => Some((0, value.clone())),
            (Local::Columns, OwnColumns::One(column)) => Some((0, pick(record, column)?)),
            (Local::Columns, OwnColumns::Morph { kind, id }) => {
                let kind = pick(record, kind)?;
                let mut targets = self.info.targets.iter();
                let target = targets.position(|target| kind.as_str() == Some(target.morph))?;
                Some((target, pick(record, id)?))
            }
        }
    }
}

/// The facts about a model.
pub struct Described {
    pub schema: Schema,
    pub relations: Vec<Relation>,
}

type Known = HashMap<TypeId, &'static Described>;

/// Models are types of the program: there are few, and they live as long as it does.
static KNOWN: RwLock<Option<Known>> = RwLock::new(None);

/// The facts about `M`; collected at the first call.
pub fn described<M: Model>() -> &'static Described {
    let id = TypeId::of::<M>();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(described) = known.as_ref().and_then(|known| known.get(&id)) {
        return described;
    }
    drop(known);
    let mut relations = Relations::default();
    M::relations(&mut relations);
    let schema = Schema::new::<M>();
    if let Some(key) = schema.column(schema.key) {
        for relation in &mut relations.list {
            relation.info.own_key = key.kind;
        }
    }
    let described: &'static Described = Box::leak(Box::new(Described {
        schema,
        relations: relations.list,
    }));
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().entry(id).or_insert(described);
    described
}
