//! The data rendering: a record is what its transformer returns.

use formwork_data::error::{Error, Result};
use serde::Serialize;

use super::{adapter::RecordSerializer, shapes};
use crate::{
    context::Context,
    includes::{Includes, Node},
    loaded::Loaded,
    outline::Outline,
    rows::{Body, Members, Slot},
    transformer::Transformer,
};

/// Writes a record: what its transformer returns, `id` first and once, and then the included
/// relations under their names. A member named like an included relation gives way to it.
///
/// # Errors
/// 500 where the transformer returns no object.
pub(crate) fn write_record<T: Transformer>(
    body: &mut Body<'_>,
    record: &Loaded<T::Model>,
    includes: &Includes,
    ctx: &Context,
) -> Result<()> {
    let begin = body.out.len();
    let shown = T::transform(record, ctx);
    let relations: Vec<&str> = includes.shown().map(|node| node.name).collect();
    let outline = Outline {
        fields: &includes.fields,
        relations: &relations,
        json_api: None,
        blank: false,
    };
    let mut any = shown
        .serialize(RecordSerializer::new(body.out, outline))
        .map_err(Error::internal)?;
    if shapes::CHECKED {
        shapes::check::<T>(&body.out[begin..]);
    }
    for node in includes.shown() {
        if std::mem::replace(&mut any, true) {
            body.out.push(b',');
        }
        serde_json::to_writer(&mut *body.out, node.name).map_err(Error::internal)?;
        body.out.push(b':');
        write_slot(body, record.slot(node.name), node, ctx)?;
    }
    body.out.push(b'}');
    Ok(())
}

/// Writes what a transformer returns as the attributes of an object; its `links` go to `links`.
pub(crate) fn write_attributes<T: Transformer>(
    out: &mut Vec<u8>,
    links: &mut Vec<u8>,
    record: &Loaded<T::Model>,
    outline: Outline<'_>,
    ctx: &Context,
) -> Result<()> {
    let shown = T::transform(record, ctx);
    shown
        .serialize(RecordSerializer::new(out, outline).links_into(links))
        .map_err(Error::internal)?;
    out.push(b'}');
    Ok(())
}

/// Writes records as an array. A row that several of them include is shaped once.
///
/// # Errors
/// 500 where the transformer returns no object.
pub fn write_list<T: Transformer>(
    out: &mut Vec<u8>,
    records: &[Loaded<T::Model>],
    includes: &Includes,
    ctx: &Context,
) -> Result<()> {
    let mut body = Body::new(out);
    body.out.push(b'[');
    for (at, record) in records.iter().enumerate() {
        if at > 0 {
            body.out.push(b',');
        }
        write_record::<T>(&mut body, record, includes, ctx)?;
    }
    body.out.push(b']');
    Ok(())
}

/// An array (to-many), an object or null (to-one).
fn write_slot(body: &mut Body<'_>, slot: Option<&Slot>, node: &Node, ctx: &Context) -> Result<()> {
    match slot {
        Some(
            slot @ Slot {
                members: Members::Many(_),
                ..
            },
        ) => {
            body.out.push(b'[');
            write_rows(body, slot, node, ctx)?;
            body.out.push(b']');
            Ok(())
        }
        Some(
            slot @ Slot {
                members: Members::One(Some(_)),
                ..
            },
        ) => write_rows(body, slot, node, ctx),
        _ => {
            body.out.extend_from_slice(b"null");
            Ok(())
        }
    }
}

fn write_rows(body: &mut Body<'_>, slot: &Slot, node: &Node, ctx: &Context) -> Result<()> {
    let Some(rows) = &slot.rows else {
        return Ok(());
    };
    let includes = node
        .targets
        .get(slot.target)
        .map_or(Includes::none(), |target| &target.includes);
    body.count(slot.members.indexes().len(), ctx)?;
    for (at, index) in slot.members.indexes().iter().enumerate() {
        if at > 0 {
            body.out.push(b',');
        }
        body.row(rows, *index, includes, ctx)?;
    }
    Ok(())
}
