//! Synchronising many-to-many relations with the ids in a body.
//!
//! A caller neither links nor unlinks rows outside of its reach.

use std::collections::HashSet;

use formwork_data::{
    column::{Column, Kind},
    database::PivotLink,
    error::{Error, Result, ValidationErrors},
    model::{Model, described},
    relations::{Link, RelationInfo},
    value::{Json, LinkKey, Uuid, Value},
};
use formwork_vocabulary::inflect::words;
use serde_json::Map;

use super::{LocationScope, Repository};
use crate::{changes::RelationChange, context::Context, source::Source};

/// Makes the rows of every `.sync()` relation that `body` names and `writable` permits those of
/// the ids it lists: missing ones are attached, others detached. Null is an empty list.
///
/// # Errors
/// 422 on the relation's name for invalid ids, or ids without a record.
pub async fn sync_relations<M: Model>(
    ctx: &Context,
    record: &M,
    body: &Map<String, Json>,
    writable: &(dyn Fn(&str) -> bool + Sync),
) -> Result<()> {
    sync(ctx, record, body, writable, None).await
}

/// As [`sync_relations`], for a record of this repository: a caller that is bound to locations
/// links it to those only.
pub(crate) async fn sync_in_reach<R: Repository>(
    ctx: &Context,
    record: &R::Model,
    body: &Map<String, Json>,
) -> Result<()> {
    let location = R::LOCATION.filter(|_| !ctx.locations().is_empty());
    sync(ctx, record, body, &|_| true, location).await
}

/// Looks at every list of a body that [`sync_in_reach`] would write, and writes none; what is wrong
/// with them goes to `errors`. Lists that are at fault already are not looked at.
pub(crate) async fn check_lists<R: Repository>(
    ctx: &Context,
    record: &R::Model,
    body: &Map<String, Json>,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let location = R::LOCATION.filter(|_| !ctx.locations().is_empty());
    let told = errors.clone();
    let counts = |name: &str| !told.has_within(name);
    planned(ctx, linking(record), body, &counts, location, errors).await?;
    Ok(())
}

async fn sync<M: Model>(
    ctx: &Context,
    record: &M,
    body: &Map<String, Json>,
    writable: &(dyn Fn(&str) -> bool + Sync),
    location: Option<LocationScope>,
) -> Result<()> {
    let mut errors = ValidationErrors::default();
    let planned = planned(ctx, linking(record), body, writable, location, &mut errors).await?;
    errors.into_result()?;
    for (relation, link, ids) in planned {
        let written = ctx.db().write_links(&link, ids).await?;
        ctx.note_relation::<M>(RelationChange {
            relation,
            attached: written.attached,
            detached: written.detached,
        });
    }
    Ok(())
}

/// The name of a relation, where its links stand, and the keys it is to be linked to.
type Planned = (&'static str, PivotLink, Vec<Value>);

/// The relations of a record, and its key.
type Linking = (Vec<&'static RelationInfo>, Value);

fn linking<M: Model>(record: &M) -> Linking {
    let relations = described::<M>().relations.iter();
    let infos = relations.map(|relation| &relation.info);
    (infos.collect(), record.key().into())
}

/// The rows that each relation is to be linked to. All relations are checked, so that one answer
/// reports all mistakes.
async fn planned(
    ctx: &Context,
    (infos, own): Linking,
    body: &Map<String, Json>,
    counts: &(dyn Fn(&str) -> bool + Sync),
    location: Option<LocationScope>,
    errors: &mut ValidationErrors,
) -> Result<Vec<Planned>> {
    let mut planned = Vec::new();
    for info in infos {
        let sent = body.get(info.name);
        let Some(sent) = sent.filter(|_| info.sync && counts(info.name)) else {
            continue;
        };
        let Link::Pivot(pivot, morph) = info.link else {
            continue;
        };
        let own = own.clone();
        let link = PivotLink { pivot, morph, own };
        let places = location.is_some_and(|location| location.relation == info.name);
        match linkable(ctx, info, &link, places, sent).await {
            Ok(ids) => planned.push((info.name, link, ids)),
            Err(Error::Validation(unfit)) => errors.merge(unfit),
            Err(error) => return Err(error),
        }
    }
    Ok(planned)
}

async fn linkable(
    ctx: &Context,
    info: &RelationInfo,
    link: &PivotLink,
    places: bool,
    sent: &Json,
) -> Result<Vec<Value>> {
    let ids = checked(ctx, info, sent).await?;
    in_reach(ctx, info, link, places, ids).await
}

/// The ids of a body, each once; 422 where one names no record.
async fn checked(ctx: &Context, info: &RelationInfo, ids: &Json) -> Result<Vec<Value>> {
    let schema = target(ctx, info)?.schema();
    let kind = schema
        .column(schema.key)
        .map_or(Kind::BigInt, |info| info.kind);
    let (mut wanted, mut seen) = (Vec::new(), HashSet::new());
    for id in list(ids).ok_or_else(|| invalid(info))? {
        let id = key(kind, id).ok_or_else(|| invalid(info))?;
        if seen.insert(LinkKey::of(&id)) {
            wanted.push(id);
        }
    }
    let known = ctx.db().held((schema.table, schema.key), &wanted).await?;
    if known.len() == wanted.len() {
        Ok(wanted)
    } else {
        Err(invalid(info))
    }
}

/// The final links of the record: the sent ids among the rows the caller reaches, and the former
/// links to all other rows.
async fn in_reach(
    ctx: &Context,
    info: &RelationInfo,
    link: &PivotLink,
    places: bool,
    mut ids: Vec<Value>,
) -> Result<Vec<Value>> {
    let Some(open) = reached(ctx, info, places, &ids).await? else {
        return Ok(ids);
    };
    let linked = ctx.db().linked(link).await?;
    let (open, known) = (keys(&open), keys(&linked));
    let foreign =
        |id: &Value| LinkKey::of(id).is_none_or(|id| !open.contains(&id) && !known.contains(&id));
    if ids.iter().any(foreign) {
        return Err(invalid(info));
    }
    let Some(within) = reached(ctx, info, places, &linked).await? else {
        return Ok(ids);
    };
    let (within, sent) = (keys(&within), keys(&ids));
    let beyond = |id: &LinkKey| !within.contains(id) && !sent.contains(id);
    ids.extend(
        linked
            .into_iter()
            .filter(|id| LinkKey::of(id).as_ref().is_some_and(beyond)),
    );
    Ok(ids)
}

fn keys(ids: &[Value]) -> HashSet<LinkKey> {
    ids.iter().filter_map(LinkKey::of).collect()
}

/// Of these ids, those in the caller's reach; `None`: all of them.
async fn reached(
    ctx: &Context,
    info: &RelationInfo,
    places: bool,
    ids: &[Value],
) -> Result<Option<Vec<Value>>> {
    let rows = target(ctx, info)?.reached(ctx, None, ids).await?;
    if !places {
        return Ok(rows);
    }
    let mut rows = rows.unwrap_or_else(|| ids.to_vec());
    rows.retain(|id| id.as_int().is_some_and(|id| ctx.locations().contains(&id)));
    Ok(Some(rows))
}

fn list(ids: &Json) -> Option<&[Json]> {
    match ids {
        Json::Array(ids) => Some(ids),
        Json::Null => Some(&[]),
        _ => None,
    }
}

fn key(kind: Kind, id: &Json) -> Option<Value> {
    match kind {
        Kind::Integer | Kind::BigInt => i64::from_json(id).ok().map(Value::Int),
        Kind::Uuid => Uuid::from_json(id).ok().map(Value::Uuid),
        _ => String::from_json(id).ok().map(Value::Text),
    }
}

fn target<'c>(ctx: &'c Context, info: &RelationInfo) -> Result<&'c dyn Source> {
    let key = info.targets.first().map_or("", |target| target.key);
    let entry = ctx.registry().find(key);
    entry
        .map(|entry| entry.source.as_ref())
        .ok_or_else(|| Error::internal(format!("the relation `{}` has no target", info.name)))
}

fn invalid(info: &RelationInfo) -> Error {
    let message = format!("The selected {} are invalid.", words(info.name));
    Error::validation(info.name, message)
}
