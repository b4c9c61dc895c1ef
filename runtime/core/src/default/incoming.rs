//! A body on its way into a record: rules, fields, rules that ask the database.

use formwork_data::{
    error::{Error, Result, ValidationErrors},
    model::{Model, fill, values},
};

use super::{hooks::Hooks, links::check_links, named::check_named};
use crate::{
    changes::Changing,
    context::Context,
    repository::Repository,
    request::{
        Input, Reading, ResourceRequest, TypedRow, check_custom, check_database, check_dates,
    },
};

/// How the body of this request is to be read.
pub fn reading<C: Hooks>(ctx: &Context, storing: bool) -> Reading<'static> {
    // Where the owner is the key itself there is nothing to set: it never comes from a body.
    let owner = <C::Repository as Repository>::OWNER.filter(|owner| *owner != C::Model::KEY);
    Reading {
        attributes: C::Request::ATTRIBUTES,
        storing,
        partial: ctx.request().partial && !storing,
        admin: ctx.is_admin(),
        owner: owner.filter(|_| !ctx.is_admin()),
        row: None,
    }
}

/// Checks the body and writes it into `record`; the context it returns has the validated body.
///
/// # Errors
///
/// 400 where a document links to several and should to one, 409 where to objects of another type, 422 with every broken rule at once.
async fn take_body<C: Hooks>(
    ctx: &Context,
    record: &mut C::Model,
    storing: bool,
) -> Result<Context> {
    let row = match storing {
        true => None,
        false => Some(TypedRow::of(record)?.members()),
    };
    let reading = Reading {
        row: row.as_ref(),
        ..reading::<C>(ctx, storing)
    };
    let (input, mut errors) = opened(ctx, &reading)?;
    let before = record.clone();
    write_fields(record, &input, &mut errors)?;
    let row = TypedRow::of(record)?;
    check_dates(ctx.now(), &reading, &input, &row, &mut errors);
    check_database(ctx, &reading, &input, &row, &mut errors).await?;
    check_links(ctx, &before, record, &input, &mut errors).await?;
    let ctx = ctx.with_input(input);
    check_custom(&ctx, C::Request::rules, &reading, &mut errors).await?;
    C::Request::validate(ctx.input(), &ctx, &mut errors).await?;
    let before = (!storing).then_some(&before);
    check_named::<C::Repository>(&ctx, before, record, &mut errors).await?;
    errors.into_result()?;
    Ok(ctx)
}

/// The members of the body that the caller may write, and the rules they broke. Compiled once, for all
/// resources.
fn opened(ctx: &Context, reading: &Reading<'_>) -> Result<(Input, ValidationErrors)> {
    let mut input = Input::normalised(ctx.input().members().clone(), reading.attributes);
    let mut errors = ValidationErrors::default();
    // Attributes that the caller may not write get no messages.
    let counts = |field: &str| {
        let member = field.split('.').next();
        let mut writable = reading.writable();
        writable.any(|known| Some(known.member()) == member)
    };
    ctx.input().check_linkage(counts)?;
    for (field, message) in ctx.input().refused() {
        if counts(field) {
            errors.add(field, message);
        }
    }
    reading.weigh(&input)?;
    reading.check(&input, &mut errors)?;
    if errors.is_full() {
        return Err(Error::Validation(errors));
    }
    reading.narrow(&mut input);
    Ok((input, errors))
}

/// Checks the body again on the row that the transaction has locked, if it is another one than the
/// rules saw: other requests may have changed it meanwhile.
///
/// # Errors
///
/// 422 with every broken rule; the database's error.
pub(super) async fn check_locked<C: Hooks>(
    inside: &Context,
    seen: &C::Model,
    locked: &C::Model,
) -> Result<()> {
    if values(&mut seen.clone())? == values(&mut locked.clone())? {
        return Ok(());
    }
    take_body::<C>(inside, &mut locked.clone(), false)
        .await
        .map(drop)
}

/// As [`take_body`], and then what the controller's `prepare` makes of it. Rules and `validate` see
/// the change of a record that is updated.
pub(super) async fn prepared<C: Hooks>(
    controller: &C,
    ctx: &Context,
    record: &mut C::Model,
    update: Option<Changing>,
) -> Result<Context> {
    let storing = update.is_none();
    let seeing = update.map(|change| ctx.with_change(change));
    let checked = take_body::<C>(seeing.as_ref().unwrap_or(ctx), record, storing).await?;
    let ctx = ctx.with_input(checked.input().clone());
    let Some(input) = controller.before_transaction(&ctx).await? else {
        return Ok(ctx);
    };
    fill(record, input.members(), &|_| true)?;
    Ok(ctx.with_input(input))
}

/// A member that broke a rule already is not written: it has its message.
fn write_fields<M: Model>(
    record: &mut M,
    input: &Input,
    errors: &mut ValidationErrors,
) -> Result<()> {
    let broken = errors.clone();
    match fill(record, input.members(), &|name| !broken.has(name)) {
        Err(Error::Validation(unfit)) => {
            errors.merge(unfit);
            Ok(())
        }
        other => other,
    }
}
