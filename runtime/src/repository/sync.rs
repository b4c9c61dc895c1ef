//! Synchronising many-to-many relations with the ids in a body.

use serde_json::Map;

use crate::{
    column::{Column, Kind},
    context::Context,
    database::PivotLink,
    error::{Error, Result, ValidationErrors},
    model::{Model, described},
    relations::{Link, RelationInfo},
    source::Source,
    value::{Json, Uuid, Value},
};

/// Makes the rows of every `.sync()` relation that `body` names and `writable` permits those of
/// the ids it lists: missing ones are attached, others detached. Null is an empty list.
///
/// # Errors
/// 422 on the relation's name for ids that are none, or name no record.
pub async fn sync_relations<M: Model>(
    ctx: &Context,
    record: &M,
    body: &Map<String, Json>,
    writable: &(dyn Fn(&str) -> bool + Sync),
) -> Result<()> {
    let own: Value = record.key().into();
    for relation in &described::<M>().relations {
        let info = &relation.info;
        let Some(ids) = body
            .get(info.name)
            .filter(|_| info.sync && writable(info.name))
        else {
            continue;
        };
        if let Link::Pivot(pivot, morph) = info.link {
            let ids = checked(ctx, info, ids).await?;
            let link = PivotLink {
                pivot,
                morph,
                own: own.clone(),
            };
            ctx.db().sync_pivot(&link, ids).await?;
        }
    }
    Ok(())
}

/// The ids of a body, each once; 422 where one names no record.
async fn checked(ctx: &Context, info: &RelationInfo, ids: &Json) -> Result<Vec<Value>> {
    let schema = target(ctx, info)?.schema();
    let kind = schema
        .column(schema.key)
        .map_or(Kind::BigInt, |info| info.kind);
    let mut wanted: Vec<Value> = Vec::new();
    for id in list(ids).ok_or_else(|| invalid(info))? {
        let id = key(kind, id).ok_or_else(|| invalid(info))?;
        if !wanted.contains(&id) {
            wanted.push(id);
        }
    }
    let known = ctx
        .db()
        .count_known(schema.table, schema.key, &wanted)
        .await?;
    if known == wanted.len() {
        Ok(wanted)
    } else {
        Err(invalid(info))
    }
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
        .ok_or_else(|| Error::internal(format!("the relation `{}` leads to nothing", info.name)))
}

fn invalid(info: &RelationInfo) -> Error {
    let mut errors = ValidationErrors::default();
    errors.add(
        info.name,
        format!("The selected {} are invalid.", info.name.replace('_', " ")),
    );
    Error::Validation(errors)
}
