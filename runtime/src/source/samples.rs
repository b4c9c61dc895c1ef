//! Made-up rows: what a transformer is shown where nobody stored a record yet.

use std::sync::Arc;

use super::Resolved;
use crate::{
    loaded::{Loaded, Members, Rows, RowsOf, Slot},
    model::{Model, sampled},
    transformer::Transformer,
};

/// Two rows of something that is registered: a blank one, and one with a value everywhere.
#[derive(Clone)]
pub struct Samples(Arc<dyn Rows>);

/// The made-up rows of what is registered, by its index; `None` where relations lead no further.
pub type Sampling<'a> = &'a dyn Fn(usize) -> Option<Samples>;

/// Both records, with both rows in every relation. Where a relation leads to several kinds, they are
/// of the kind at `choice`, or of its last one.
pub(super) fn records<M: Model>(
    relations: &[Resolved],
    choice: usize,
    rows: Sampling<'_>,
) -> [Loaded<M>; 2] {
    let with = |record: M, at: u32| {
        let mut record = Loaded::new(record);
        for relation in relations {
            if let Some(slot) = slot(relation, choice, at, rows) {
                record.put(slot);
            }
        }
        record
    };
    [with(M::defaults(), 0), with(sampled(), 1)]
}

/// The most kinds that one of these relations leads to.
pub(super) fn choices(relations: &[Resolved]) -> usize {
    let kinds = relations.iter().map(|known| known.targets.len());
    kinds.max().unwrap_or_default().max(1)
}

/// Both records as rows of a relation.
pub(super) fn rows<T: Transformer>(relations: &[Resolved], related: Sampling<'_>) -> Samples {
    let records = records::<T::Model>(relations, 0, related);
    Samples(Arc::new(RowsOf::<T>(records.into())))
}

fn slot(relation: &Resolved, choice: usize, at: u32, rows: Sampling<'_>) -> Option<Slot> {
    let target = choice.min(relation.targets.len().checked_sub(1)?);
    let Samples(rows) = rows(*relation.targets.get(target)?)?;
    let members = match relation.info.many {
        true => Members::Many([0, 1].into()),
        false => Members::One(Some(at)),
    };
    Some(Slot {
        name: relation.info.name,
        target,
        rows: Some(rows),
        members,
    })
}
