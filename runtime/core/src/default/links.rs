//! Links that a body writes: a caller links to rows in its reach.

use formwork_data::{
    error::{Result, ValidationErrors},
    model::{Model, described},
    relations::{Link, Relation, RelationInfo},
    value::{Json, Value},
};
use formwork_vocabulary::inflect::words;

use crate::{auth::AdminUser, context::Context, request::Input};

/// Refuses columns of `record` that the body made name rows beyond the caller's reach, as if those
/// did not exist. Values that `before` has already may stay.
///
/// # Errors
///
/// The database's error; columns at fault go to `errors`.
pub(super) async fn check_links<M: Model>(
    ctx: &Context,
    before: &M,
    record: &M,
    input: &Input,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let links = described::<M>().relations.iter().map(|relation| {
        let link = link(relation, record);
        let changed = link.filter(|link| changed(relation, before, link));
        (&relation.info, changed)
    });
    check_linking(ctx, links.collect(), input, errors).await
}

/// Checks relations, each with the row that it leads to now if that is another row than before.
/// Compiled once, for all models.
async fn check_linking(
    ctx: &Context,
    links: Vec<(&'static RelationInfo, Option<Named>)>,
    input: &Input,
    errors: &mut ValidationErrors,
) -> Result<()> {
    for (info, changed) in links {
        check_list(info, input, errors);
        let Some((target, value)) = changed else {
            continue;
        };
        let sent = info.own.names().any(|own| input.has(own));
        let field = info.own.names().last().unwrap_or(info.name);
        if !sent || errors.has(field) || reached(ctx, info, target, value).await? {
            continue;
        }
        let label = words(field);
        errors.add(field, format!("The selected {label} is invalid."));
    }
    Ok(())
}

/// The target of a record's relation: the key of a source, and the value that names the row.
type Named = (&'static str, Value);

fn link<M: Model>(relation: &Relation, record: &M) -> Option<Named> {
    let (target, value) = relation.named_by(&mut record.clone())?;
    let target = relation.info.targets.get(target)?;
    (!value.is_null()).then_some((target.key, value))
}

fn changed<M: Model>(relation: &Relation, before: &M, now: &Named) -> bool {
    link(relation, before).as_ref() != Some(now)
}

/// The ids of a synchronised relation are a list: rules of items would judge an object's members.
fn check_list(info: &RelationInfo, input: &Input, errors: &mut ValidationErrors) {
    if info.sync && input.get(info.name).is_some_and(Json::is_object) {
        let label = words(info.name);
        errors.add(info.name, format!("The {label} field must be a list."));
    }
}

async fn reached(ctx: &Context, info: &RelationInfo, target: &str, value: Value) -> Result<bool> {
    let Some(entry) = ctx.registry().find(target) else {
        return Ok(true);
    };
    let column = match info.link {
        Link::Key(column) => column,
        _ => return Ok(true),
    };
    let values = [value];
    if let Some(reached) = entry.source.reached(ctx, column, &values).await? {
        return Ok(!reached.is_empty());
    }
    let schema = entry.source.schema();
    // The database checks the others: no foreign key of a project leads to a table of the runtime.
    if schema.table != AdminUser::TABLE {
        return Ok(true);
    }
    let place = (schema.table, column.unwrap_or(schema.key));
    Ok(!ctx.db().held(place, &values).await?.is_empty())
}
