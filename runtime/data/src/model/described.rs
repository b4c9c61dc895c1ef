//! The facts about a model without a record: its table and its relations.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use super::{
    Model,
    schema::{Schema, Statements},
};
use crate::{
    column::{Describe, Kind},
    relations::{Relation, Relations},
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

/// The facts about a model.
pub struct Described<M: Model> {
    pub schema: Schema,
    pub relations: Vec<Relation<M>>,
}

type Known = HashMap<TypeId, &'static (dyn Any + Send + Sync)>;

/// Models are types of the program: there are few, and they live as long as it does.
static KNOWN: RwLock<Option<Known>> = RwLock::new(None);

/// The facts about `M`; collected at the first call.
pub fn described<M: Model>() -> &'static Described<M> {
    let id = TypeId::of::<M>();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    let found = known
        .as_ref()
        .and_then(|known| known.get(&id))
        .and_then(|any| any.downcast_ref());
    if let Some(found) = found {
        return found;
    }
    drop(known);
    let mut relations = Relations::default();
    M::relations(&mut relations);
    let schema = Schema::new::<M>();
    for relation in &mut relations.list {
        relation.assume_columns(&schema);
    }
    let described: &'static Described<M> = Box::leak(Box::new(Described {
        schema,
        relations: relations.list,
    }));
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().entry(id).or_insert(described);
    described
}
