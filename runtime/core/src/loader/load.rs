//! Giving records their related rows.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use formwork_data::value::LinkKey;
use formwork_data::{
    column::KeyOf,
    error::{Error, Result},
    model::{Model, described},
    relations::{Local, Relation, RelationInfo},
    value::Value,
};
use futures_util::{StreamExt, TryStreamExt, stream};

use crate::{
    context::Context,
    includes::{Includes, Node, TargetNode},
    loaded::Loaded,
    rows::{Members, Rows, Slot},
    source::Wanted,
};

/// How many relations of one level are loaded at once: each level multiplies the statements that one
/// answer has at a time.
const AT_ONCE: usize = 2;

/// Loads relations for records: one statement for each relation and level, each on a connection of its
/// own; in a transaction one after the other.
///
/// # Errors
/// The database's error.
pub async fn load<M: Model>(
    ctx: &Context,
    records: Vec<M>,
    includes: &Includes,
) -> Result<Vec<Loaded<M>>> {
    let mut records: Vec<Loaded<M>> = records.into_iter().map(Loaded::new).collect();
    if records.is_empty() {
        return Ok(records);
    }
    if ctx.rendering().is_json_api() {
        for record in &mut records {
            let mut key = KeyOf::default();
            record.record_mut().columns(&mut key)?;
            record.note_key(LinkKey::of(&key.value));
        }
    }
    let relations = &described::<M>().relations;
    let mut loading = Vec::with_capacity(includes.nodes.len());
    for node in &includes.nodes {
        let relation = relations
            .get(node.relation)
            .ok_or_else(|| Error::internal(format!("`{}` is not a relation", node.name)))?;
        let own = records
            .iter_mut()
            .map(|record| own_side(record.record_mut(), relation))
            .collect::<Result<Vec<Own>>>()?;
        loading.push(slots(ctx, &relation.info, node, own));
    }
    let mut loading = stream::iter(loading).buffered(AT_ONCE);
    while let Some(slots) = loading.try_next().await? {
        for (record, slot) in records.iter_mut().zip(slots) {
            record.put(slot);
        }
    }
    Ok(records)
}

/// A record's own side of a relation: which of its targets, and the value that links.
type Own = Option<(usize, LinkKey)>;

/// The rows of a relation that belong to records with these sides. Compiled once, for all models.
async fn slots(
    ctx: &Context,
    info: &RelationInfo,
    node: &Node,
    own: Vec<Own>,
) -> Result<Vec<Slot>> {
    let mut slots: Vec<Slot> = own.iter().map(|_| empty(info)).collect();
    for (at, target) in node.targets.iter().enumerate() {
        let of_target = |own: &Own| {
            own.as_ref()
                .filter(|(of, _)| *of == at)
                .map(|(_, key)| key.clone())
        };
        let keys: Vec<Option<LinkKey>> = own.iter().map(of_target).collect();
        if let Some((rows, linked)) = rows_of(ctx, info, node, target, &keys).await? {
            for (slot, key) in slots.iter_mut().zip(&keys) {
                if let Some(members) = key.as_ref().and_then(|key| linked.get(key)) {
                    *slot = filled(info, at, &rows, members);
                }
            }
        }
    }
    Ok(slots)
}

type Linked = HashMap<LinkKey, Vec<u32>>;

/// The rows of one target, and which belong to which key.
async fn rows_of(
    ctx: &Context,
    info: &RelationInfo,
    node: &Node,
    target: &TargetNode,
    keys: &[Option<LinkKey>],
) -> Result<Option<(Arc<dyn Rows>, Linked)>> {
    let mut seen = HashSet::with_capacity(keys.len());
    let distinct = keys
        .iter()
        .flatten()
        .filter(|key| seen.insert(*key))
        .map(LinkKey::value);
    let keys: Vec<Value> = distinct.collect();
    let owners = keys.len();
    if owners == 0 {
        return Ok(None);
    }
    let entry = ctx
        .registry()
        .get(target.source)
        .ok_or_else(|| Error::internal(format!("`{}` has no target", node.name)))?;
    let wanted = Wanted {
        info,
        keys,
        as_guest: target.as_guest,
        includes: &target.includes,
    };
    let fetched = entry.source.fetch(ctx, wanted).await?;
    let mut linked = Linked::with_capacity(owners);
    for (key, index) in fetched.links {
        linked.entry(key).or_default().push(index);
    }
    Ok(Some((fetched.rows, linked)))
}

fn own_side<M: Model>(record: &mut M, relation: &Relation) -> Result<Own> {
    Ok(match &relation.local {
        Local::Key => {
            let mut key = KeyOf::default();
            record.columns(&mut key)?;
            LinkKey::of(&key.value).map(|key| (0, key))
        }
        _ => relation
            .named_by(record)
            .and_then(|(target, value)| Some((target, LinkKey::of(&value)?))),
    })
}

fn empty(info: &RelationInfo) -> Slot {
    let members = if info.many {
        Members::Many(Box::default())
    } else {
        Members::One(None)
    };
    Slot {
        name: info.name,
        target: 0,
        rows: None,
        members,
    }
}

fn filled(info: &RelationInfo, target: usize, rows: &Arc<dyn Rows>, indexes: &[u32]) -> Slot {
    let members = if info.many {
        Members::Many(indexes.into())
    } else {
        Members::One(indexes.first().copied())
    };
    Slot {
        name: info.name,
        target,
        rows: Some(Arc::clone(rows)),
        members,
    }
}
