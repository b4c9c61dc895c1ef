//! The data rendering: a record is what its transformer returns.

use formwork_data::error::{Error, Result};
use serde::Serialize;

use super::{adapter::RecordSerializer, shapes};
use crate::{
    context::Context,
    includes::{Includes, Node},
    loaded::Loaded,
    outline::Outline,
    rows::{Members, Slot},
    transformer::Transformer,
};

/// Writes a record: what its transformer returns, `id` first and once, and then the included
/// relations under their names. A member named like an included relation gives way to it.
///
/// # Errors
/// 500 where the transformer returns no object.
pub fn write_record<T: Transformer>(
    out: &mut Vec<u8>,
    record: &Loaded<T::Model>,
    includes: &Includes,
    ctx: &Context,
) -> Result<()> {
    let begin = out.len();
    let shown = T::transform(record, ctx);
    let relations: Vec<&str> = includes.shown().map(|node| node.name).collect();
    let outline = Outline {
        fields: &includes.fields,
        relations: &relations,
        json_api: None,
        blank: false,
    };
    let mut any = shown
        .serialize(RecordSerializer::new(out, outline))
        .map_err(Error::internal)?;
    if shapes::CHECKED {
        shapes::check::<T>(&out[begin..]);
    }
    for node in includes.shown() {
        if std::mem::replace(&mut any, true) {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, node.name).map_err(Error::internal)?;
        out.push(b':');
        write_slot(out, record.slot(node.name), node, ctx)?;
    }
    out.push(b'}');
    Ok(())
}

/// Writes records as an array.
///
/// # Errors
/// As [`write_record`].
pub fn write_list<T: Transformer>(
    out: &mut Vec<u8>,
    records: &[Loaded<T::Model>],
    includes: &Includes,
    ctx: &Context,
) -> Result<()> {
    out.push(b'[');
    for (at, record) in records.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_record::<T>(out, record, includes, ctx)?;
    }
    out.push(b']');
    Ok(())
}

/// An array (to-many), an object or null (to-one).
fn write_slot(out: &mut Vec<u8>, slot: Option<&Slot>, node: &Node, ctx: &Context) -> Result<()> {
    match slot {
        Some(
            slot @ Slot {
                members: Members::Many(_),
                ..
            },
        ) => {
            out.push(b'[');
            write_rows(out, slot, node, ctx)?;
            out.push(b']');
            Ok(())
        }
        Some(
            slot @ Slot {
                members: Members::One(Some(_)),
                ..
            },
        ) => write_rows(out, slot, node, ctx),
        _ => {
            out.extend_from_slice(b"null");
            Ok(())
        }
    }
}

fn write_rows(out: &mut Vec<u8>, slot: &Slot, node: &Node, ctx: &Context) -> Result<()> {
    let Some(rows) = &slot.rows else {
        return Ok(());
    };
    let includes = node
        .targets
        .get(slot.target)
        .map_or(Includes::none(), |target| &target.includes);
    if let Some(budget) = ctx.budget() {
        budget.write(slot.members.indexes().len())?;
    }
    for (at, index) in slot.members.indexes().iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        rows.write(*index, out, includes, ctx)?;
    }
    Ok(())
}
