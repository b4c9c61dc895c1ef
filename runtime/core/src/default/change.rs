//! Changes: store, update, destroy.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use formwork_data::{
    column::{is_no_segment, no_segment},
    error::{Error, Result},
    model::{Model, fill, set_owner, value_of},
    record::ModelExt,
    value::Value,
};

use super::{
    acting::acting,
    after::committed,
    hooks::{ChangeKind, Hooks, RecordKey},
    incoming::{check_locked, prepared},
    named::with_named,
    render,
    unfolded::unfolded,
};
use crate::{
    action::Action,
    auth::revoke_account_tokens,
    changes::Changing,
    context::Context,
    etag,
    repository::{self, Repository, RepositoryExt},
    response::Response,
};

/// Stores a new record: 201, the record, `Location`.
///
/// Rules, fields, `prepare`, owner; then in one transaction `before_save`, `before_create`, the row,
/// `write_relations`; after the commit `after_save`, `after_create`. In a transaction of its caller's
/// the hooks after the commit run when that one commits, and never after a rollback.
///
/// # Errors
///
/// 422 with every broken rule; what hooks and the database answer.
pub async fn store<C: Hooks>(controller: &C, ctx: &Context) -> Result<Response> {
    let ctx = &*unfolded::<C>(acting(controller, ctx, Action::Store)?, None)?;
    let stored = stored(controller, ctx).await;
    stored.map_err(|error| ctx.input().locate(error))
}

async fn stored<C: Hooks>(controller: &C, ctx: &Context) -> Result<Response> {
    let includes = render::plan(ctx)?;
    repository::check_created::<C::Model>(ctx)?;
    let mut record = C::Model::defaults();
    let ctx = prepared(controller, ctx, &mut record, None).await?;
    own::<C>(&ctx, &mut record)?;
    let ctx = ctx.with_change(Changing::create::<C::Model>());
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    if let Err(error) = create(controller, &inside, &mut record).await {
        return Err(with_named::<C::Repository>(&inside, None, &record, error).await);
    }
    let record = reread(&inside, record).await?;
    committed(controller, &ctx, transaction, ChangeKind::Create, &record).await?;
    let place = ctx.resource_key().map(|key| ctx.links(key, record.key()));
    let response = render::record::<C::Transformer>(&ctx, record, &includes, None).await?;
    let response = response.with_status(StatusCode::CREATED);
    Ok(match place {
        Some(links) => response.with_header(header::LOCATION, links.self_uri()),
        None => response,
    })
}

/// Updates a record: 200, the record. PUT runs the rules of all attributes, `required` among them;
/// PATCH those of the sent ones. Attributes that were not sent keep their values.
///
/// Rules, `prepare`; then in one transaction the current row with the body written into it,
/// `before_save`, `before_update`, the changed columns, `write_relations`; after the commit
/// `after_save`, `after_update`, as for [`store`].
///
/// # Errors
///
/// 404 where the record is not in the caller's reach, 412 where `If-Match` names another state of
/// it, 422 with every broken rule; what hooks and the database answer.
pub async fn update<C: Hooks>(
    controller: &C,
    ctx: &Context,
    key: RecordKey<C>,
) -> Result<Response> {
    let ctx = acting(controller, ctx, Action::Update)?;
    let ctx = &*unfolded::<C>(ctx, Some(&key.to_string()))?;
    for _ in 1..ATTEMPTS {
        match updated(controller, ctx, key.clone()).await {
            Err(Error::Deadlock) if !ctx.db().is_in_transaction() => {}
            updated => return updated.map_err(|error| ctx.input().locate(error)),
        }
    }
    let updated = updated(controller, ctx, key).await;
    updated.map_err(|error| ctx.input().locate(error))
}

/// How often an update is done that ends in a deadlock: two that link the same pair from both sides
/// may lock their own row, and then the other's.
const ATTEMPTS: usize = 4;

async fn updated<C: Hooks>(controller: &C, ctx: &Context, key: RecordKey<C>) -> Result<Response> {
    let includes = render::plan(ctx)?;
    let seen = changeable::<C>(ctx, key).await?;
    etag::check(ctx, &seen).await?;
    let (sent, seen) = (ctx.clone(), Arc::new(seen));
    let seeing = Changing::update(&seen);
    let ctx = prepared(controller, ctx, &mut C::Model::clone(&seen), Some(seeing)).await?;
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    let before = Arc::new(current::<C>(&inside, &seen).await?);
    let locked = Changing::update(&before);
    let again = sent.with_change(locked.clone());
    check_locked::<C>(&again.with_db(inside.db().clone()), &seen, &before).await?;
    let ctx = ctx.with_change(locked);
    let inside = ctx.with_db(inside.db().clone());
    let mut record = C::Model::clone(&before);
    fill(&mut record, inside.input().members(), &|_| true)?;
    if let Err(error) = change(controller, &inside, &before, &mut record).await {
        return Err(with_named::<C::Repository>(&inside, Some(&before), &record, error).await);
    }
    let record = reread(&inside, record).await?;
    committed(controller, &ctx, transaction, ChangeKind::Update, &record).await?;
    render::record::<C::Transformer>(&ctx, record, &includes, None).await
}

/// The hooks, the row and its relations, inside the transaction.
async fn create<C: Hooks>(controller: &C, inside: &Context, record: &mut C::Model) -> Result<()> {
    controller
        .before_write(inside, ChangeKind::Create, record)
        .await?;
    check_key(inside, record)?;
    repository::insert(inside, record).await?;
    controller.after_write(inside, record).await?;
    repository::check_location::<C::Repository>(inside, record).await
}

/// As [`create`], of a record there is.
async fn change<C: Hooks>(
    controller: &C,
    inside: &Context,
    before: &C::Model,
    record: &mut C::Model,
) -> Result<()> {
    controller
        .before_write(inside, ChangeKind::Update, record)
        .await?;
    if record.key() != before.key() {
        check_key(inside, record)?;
    }
    repository::update(inside, before, record).await?;
    revoke_other_tokens(inside, before, record).await?;
    controller.after_write(inside, record).await?;
    repository::check_location::<C::Repository>(inside, record).await
}

/// Revokes the other tokens of an account whose password changed: they may be in the hands of the
/// person it is changed because of.
async fn revoke_other_tokens<M: Model>(inside: &Context, before: &M, record: &M) -> Result<()> {
    let Some(kind) = inside.app().auth().kind_of(M::TABLE) else {
        return Ok(());
    };
    if value_of(before, "password") == value_of(record, "password") {
        return Ok(());
    }
    let key: Value = before.key().into();
    let Some(account) = key.as_int() else {
        return Ok(());
    };
    let caller = inside.caller().account();
    let own = caller.filter(|caller| caller.kind == kind && caller.id == account);
    let own = own.map(|caller| caller.token_id);
    revoke_account_tokens(inside.db(), kind, account, own).await?;
    Ok(())
}

/// Deletes a record: 204. `after_delete` runs after the commit, as for [`store`].
///
/// # Errors
///
/// 400 and 403 for what the query string asks to include; 404 where the record is not in the caller's
/// reach, 412 where `If-Match` names another state of it, 409 where other rows depend on it.
pub async fn destroy<C: Hooks>(
    controller: &C,
    ctx: &Context,
    key: RecordKey<C>,
) -> Result<Response> {
    let ctx = &*acting(controller, ctx, Action::Destroy)?;
    // The record is not shown, but unknown includes are refused all the same.
    render::plan(ctx)?;
    let seen = changeable::<C>(ctx, key).await?;
    etag::check(ctx, &seen).await?;
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    let record = Arc::new(current::<C>(&inside, &seen).await?);
    let ctx = ctx.with_change(Changing::delete(&record));
    let inside = ctx.with_db(inside.db().clone());
    controller.delete(&inside, &record).await?;
    committed(controller, &ctx, transaction, ChangeKind::Delete, &record).await?;
    Ok(Response::no_content())
}

/// Deletes the row of a record, and the links of its many-to-many relations.
///
/// # Errors
///
/// 409 where other rows depend on it.
pub async fn delete_row<C: Hooks>(_controller: &C, ctx: &Context, record: &C::Model) -> Result<()> {
    repository::delete(ctx, record).await
}

/// Synchronises the relations declared with `.sync()` with the ids in the body.
///
/// # Errors
///
/// 422 on the relation where an id names no record.
pub async fn write_relations<C: Hooks>(
    _controller: &C,
    ctx: &Context,
    record: &C::Model,
) -> Result<()> {
    // The body was narrowed to what the caller may write.
    repository::sync_in_reach::<C::Repository>(ctx, record, ctx.input().members()).await
}

/// The record with this key, if it is in the caller's reach.
pub(super) async fn in_reach<C: Hooks>(ctx: &Context, key: RecordKey<C>) -> Result<C::Model> {
    let found = C::Repository::visible(ctx)?.find(ctx, key.clone()).await?;
    found.ok_or_else(|| Error::record_not_found(key))
}

/// The record with this key, if the caller may change it.
async fn changeable<C: Hooks>(ctx: &Context, key: RecordKey<C>) -> Result<C::Model> {
    let query = C::Repository::changeable(ctx)?;
    if let Some(record) = query.find(ctx, key.clone()).await? {
        return Ok(record);
    }
    in_reach::<C>(ctx, key).await?;
    Err(Error::forbidden("You may not change this record."))
}

/// The row as the transaction sees it, locked for its change. Since the first read, other requests
/// may have changed or deleted it, or hidden it from the caller.
async fn current<C: Hooks>(inside: &Context, seen: &C::Model) -> Result<C::Model> {
    let query = C::Repository::changeable(inside)?.for_update();
    match query.find(inside, seen.key()).await? {
        Some(now) => {
            etag::check(inside, &now).await?;
            Ok(now)
        }
        None if inside.request().if_match.is_some() => Err(Error::PreconditionFailed),
        None => Err(Error::record_not_found(seen.key())),
    }
}

/// The record as the database stored it, with defaults and triggers applied. Read before the
/// commit: after it, a busy pool must not turn a committed change into a failure.
async fn reread<M: Model>(inside: &Context, record: M) -> Result<M> {
    let stored = M::unscoped().find(inside, record.key()).await?;
    Ok(stored.unwrap_or(record))
}

/// A customer owns the records that it stores, whatever the body says.
fn own<C: Hooks>(ctx: &Context, record: &mut C::Model) -> Result<()> {
    match (<C::Repository as Repository>::OWNER, ctx.customer_id()) {
        (Some(column), Some(customer)) if column != C::Model::KEY => {
            set_owner(record, column, customer)
        }
        _ => Ok(()),
    }
}

/// A link has to lead to the record, whether the body or a hook chose its key. `create` is the
/// address of the form where there is one.
fn check_key<M: Model>(ctx: &Context, record: &M) -> Result<()> {
    let key: Value = record.key().into();
    let Some(key) = key.as_str() else {
        return Ok(());
    };
    let entry = ctx.resource().and_then(|at| ctx.registry().get(at));
    let resource = entry.and_then(|entry| entry.resource.as_ref());
    let has_form = || resource.is_some_and(|it| it.allow(Action::Create).is_some());
    if key.is_empty() || is_no_segment(key) || (key == "create" && has_form()) {
        return Err(Error::validation(M::KEY, no_segment(M::KEY)));
    }
    Ok(())
}
