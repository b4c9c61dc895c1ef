//! Links on their way into a record: a caller links to what he reaches (http.md, "Who may do
//! what").

use formwork_vocabulary::inflect::words;

use crate::{
    context::Context,
    error::{Result, ValidationErrors},
    model::{Model, described, value_of},
    relations::{Link, Local, OwnColumns, Relation, RelationInfo, Target},
    request::Input,
    value::{Json, Value},
};

/// Refuses columns of `record` that the body made name rows beyond the caller's reach, as if those
/// did not exist. What was named `before` may stay.
///
/// # Errors
///
/// What the database answers; columns at fault go to `errors`.
pub(super) async fn check_links<M: Model>(
    ctx: &Context,
    before: &M,
    record: &M,
    input: &Input,
    errors: &mut ValidationErrors,
) -> Result<()> {
    for relation in &described::<M>().relations {
        let info = &relation.info;
        check_list(info, input, errors);
        let Some((column, target)) = named(info, record) else {
            check_computed(ctx, relation, [before, record], errors).await?;
            continue;
        };
        let sent = own_columns(info).any(|own| input.has(own));
        let changed = own_columns(info).any(|own| value_of(before, own) != value_of(record, own));
        let value = value_of(record, column).filter(|value| !value.is_null());
        let Some(value) = value.filter(|_| sent && changed && !errors.has(column)) else {
            continue;
        };
        if !reached(ctx, info, target, value).await? {
            let label = words(column);
            errors.add(column, format!("The selected {label} is invalid."));
        }
    }
    Ok(())
}

/// A link that is worked out of several columns: there what it leads to is compared.
async fn check_computed<M: Model>(
    ctx: &Context,
    relation: &Relation<M>,
    [before, record]: [&M; 2],
    errors: &mut ValidationErrors,
) -> Result<()> {
    let info = &relation.info;
    if info.own != OwnColumns::Unknown {
        return Ok(());
    }
    let link = computed(relation, record);
    if link == computed(relation, before) {
        return Ok(());
    }
    if let Some((target, value)) = link
        && !reached(ctx, info, target, value).await?
    {
        let label = words(info.name);
        errors.add(info.name, format!("The selected {label} is invalid."));
    }
    Ok(())
}

/// What a record's relation leads to: the key of a source, and the value that names the row.
fn computed<M>(relation: &Relation<M>, record: &M) -> Option<(&'static str, Value)> {
    let targets = &relation.info.targets;
    let (target, value) = match &relation.local {
        Local::Key => return None,
        Local::Column(local) => (targets.first()?, local(record)),
        Local::Morph(local) => {
            let (word, id) = local(record);
            let named = |target: &&Target| word.as_str() == Some(target.morph);
            (targets.iter().find(named)?, id)
        }
    };
    (!value.is_null()).then_some((target.key, value))
}

/// The ids of a synchronised relation are a list: rules of items would judge an object's members.
fn check_list(info: &RelationInfo, input: &Input, errors: &mut ValidationErrors) {
    if info.sync && input.get(info.name).is_some_and(Json::is_object) {
        let label = words(info.name);
        errors.add(info.name, format!("The {label} field must be a list."));
    }
}

/// The column that names a record of another source, and the key of that source.
fn named<M: Model>(info: &RelationInfo, record: &M) -> Option<(&'static str, &'static str)> {
    match info.own {
        OwnColumns::One(column) => Some((column, info.targets.first()?.key)),
        OwnColumns::Morph { kind, id } => {
            let word = value_of(record, kind)?;
            let mut targets = info.targets.iter();
            let target = targets.find(|target| word.as_str() == Some(target.morph))?;
            Some((id, target.key))
        }
        OwnColumns::Unknown => None,
    }
}

fn own_columns(info: &RelationInfo) -> impl Iterator<Item = &'static str> + use<> {
    let (one, other) = match info.own {
        OwnColumns::One(column) => (Some(column), None),
        OwnColumns::Morph { kind, id } => (Some(kind), Some(id)),
        OwnColumns::Unknown => (None, None),
    };
    one.into_iter().chain(other)
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
    let reached = entry.source.reached(ctx, column, &values).await?;
    Ok(reached.is_none_or(|reached| !reached.is_empty()))
}
