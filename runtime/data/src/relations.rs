//! Relations between models: one line each in `Model::relations`.

mod info;

pub use crate::database::{Morph, Pivot, morph, pivot};
pub use info::{Binding, Link, OwnColumns, RelationInfo, Target};

use std::marker::PhantomData;

use formwork_vocabulary::action::Allow;

use crate::{column::Kind, value::Value};

/// Collects the relations of a model.
pub struct Relations<M> {
    pub(crate) list: Vec<Relation>,
    model: PhantomData<fn() -> M>,
}

impl<M> Default for Relations<M> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            model: PhantomData,
        }
    }
}

/// A relation of a model to a registered key.
pub struct Relation {
    /// Its facts without its model.
    #[doc(hidden)]
    pub info: RelationInfo,
    /// The record's own side of it.
    #[doc(hidden)]
    pub local: Local,
}

/// A record's own side of a relation.
pub enum Local {
    /// Its primary key.
    Key,
    /// The columns that [`RelationInfo`] names.
    Columns,
    /// A value that is the same for every record.
    Fixed(Value),
}

impl<M> Relations<M> {
    /// A record of the target whose key is in a column of this one: `to.belongs_to_one("customer",
    /// "customers", "customer_id")`.
    pub fn belongs_to_one(
        &mut self,
        name: &'static str,
        target: &'static str,
        column: &'static str,
    ) -> &mut Relation {
        let relation = self.add(name, target, false, Link::Key(None), Local::Columns);
        relation.info.own = OwnColumns::One(column);
        relation
    }

    /// A record of the target that all of these share: the one with this value in `column`, as in
    /// `to.belongs_to_where("default_currency", "currencies", "is_default", true)`.
    pub fn belongs_to_where(
        &mut self,
        name: &'static str,
        target: &'static str,
        column: &'static str,
        value: impl Into<Value>,
    ) -> &mut Relation {
        let local = Local::Fixed(value.into());
        self.add(name, target, false, Link::Key(Some(column)), local)
    }

    /// The record of the target that holds this one's key in `column`.
    pub fn has_one(
        &mut self,
        name: &'static str,
        target: &'static str,
        column: &'static str,
    ) -> &mut Relation {
        self.add(name, target, false, Link::Foreign(column), Local::Key)
    }

    /// The records of the target that hold this one's key in `column`.
    pub fn has_many(
        &mut self,
        name: &'static str,
        target: &'static str,
        column: &'static str,
    ) -> &mut Relation {
        self.add(name, target, true, Link::Foreign(column), Local::Key)
    }

    /// The records of the target that a table between links to this one.
    pub fn belongs_to_many(
        &mut self,
        name: &'static str,
        target: &'static str,
        pivot: Pivot,
    ) -> &mut Relation {
        self.add(name, target, true, Link::Pivot(pivot, None), Local::Key)
    }

    /// The record of the target that belongs to this one, among several kinds it may belong to.
    pub fn morph_one(
        &mut self,
        name: &'static str,
        target: &'static str,
        morph: Morph,
    ) -> &mut Relation {
        self.add(name, target, false, Link::Morph(morph), Local::Key)
    }

    /// The records of the target that belong to this one, among several kinds they may belong to.
    pub fn morph_many(
        &mut self,
        name: &'static str,
        target: &'static str,
        morph: Morph,
    ) -> &mut Relation {
        self.add(name, target, true, Link::Morph(morph), Local::Key)
    }

    /// The record this one belongs to, of one of several kinds: `targets` pairs the word in the
    /// column `kind` with a key, the column `id` holds the target's key.
    pub fn morph_to_one(
        &mut self,
        name: &'static str,
        targets: &[(&'static str, &'static str)],
        kind: &'static str,
        id: &'static str,
    ) -> &mut Relation {
        let relation = self.add(name, "", false, Link::Key(None), Local::Columns);
        relation.info.own = OwnColumns::Morph { kind, id };
        relation.lead_to(targets)
    }

    /// As [`Relations::belongs_to_many`], through a table that several kinds of record share.
    pub fn morph_to_many(
        &mut self,
        name: &'static str,
        target: &'static str,
        pivot: Pivot,
        morph: Morph,
    ) -> &mut Relation {
        self.add(
            name,
            target,
            true,
            Link::Pivot(pivot, Some(morph)),
            Local::Key,
        )
    }

    fn add(
        &mut self,
        name: &'static str,
        target: &'static str,
        many: bool,
        link: Link,
        local: Local,
    ) -> &mut Relation {
        let info = RelationInfo {
            name,
            targets: vec![Target {
                key: target,
                morph: "",
            }],
            many,
            include: None,
            default: false,
            always: false,
            needed_by: &[],
            sync: false,
            json_type: None,
            // Of those that could be several, a to-one relation shows the first.
            first: !many && !matches!(link, Link::Key(_)),
            link,
            own: OwnColumns::Unknown,
            own_key: Kind::BigInt,
            conditions: Vec::new(),
            order: Vec::new(),
        };
        let at = self.list.len();
        self.list.push(Relation { info, local });
        &mut self.list[at]
    }
}

impl Relation {
    fn lead_to(&mut self, targets: &[(&'static str, &'static str)]) -> &mut Self {
        let targets = targets.iter();
        self.info.targets = targets.map(|(morph, key)| Target { key, morph }).collect();
        self
    }

    /// The column of the target that the local value names, where that is not its key.
    pub fn target_key(&mut self, column: &'static str) -> &mut Self {
        self.info.link = Link::Key(Some(column));
        self
    }

    /// Only rows of the target with this value.
    pub fn condition(&mut self, column: &'static str, value: impl Into<Value>) -> &mut Self {
        self.info.conditions.push((column, value.into()));
        self
    }

    /// The order of the rows: `-priority` for descending. Repeated, it breaks ties; the key is the
    /// last.
    pub fn order(&mut self, column: &'static str) -> &mut Self {
        self.info.order.push(column);
        self
    }

    /// Only the first row counts: a to-one relation.
    pub fn first(&mut self) -> &mut Self {
        self.info.first = true;
        self.info.many = false;
        self
    }

    /// Clients may include it.
    pub fn include(&mut self) -> &mut Self {
        self.include_for(Allow::All)
    }

    /// Only these callers may include it.
    pub fn include_for(&mut self, allow: Allow) -> &mut Self {
        self.info.include = Some(allow);
        self
    }

    /// It is included unless the client excludes it.
    pub fn include_default(&mut self) -> &mut Self {
        self.info.default = true;
        self.info.include.get_or_insert(Allow::All);
        self
    }

    /// It is loaded for computed attributes, whether it is included or not.
    pub fn load_always(&mut self) -> &mut Self {
        self.info.always = true;
        self
    }

    /// It is loaded for these computed attributes, included or not: where none of them is shown, it
    /// is not loaded, and is empty for the transformer.
    pub fn load_for(&mut self, attributes: &'static [&'static str]) -> &mut Self {
        self.info.needed_by = attributes;
        self.load_always()
    }

    /// A body's list of ids under its name replaces the linked rows (many-to-many relations).
    pub fn sync(&mut self) -> &mut Self {
        self.info.sync = true;
        self
    }

    /// The type of its objects in JSON:API, where that is not the key of the target.
    pub fn json_type(&mut self, name: &'static str) -> &mut Self {
        self.info.json_type = Some(name);
        self
    }
}

#[cfg(test)]
mod tests;
