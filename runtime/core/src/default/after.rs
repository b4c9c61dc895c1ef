//! The commit of a change, and the hooks after it.

use std::any::type_name;

use formwork_data::{
    database::Transaction,
    error::{Error, Result},
};

use crate::{context::Context, controller::RestController};

/// The kinds of change that have hooks after the commit.
#[derive(Debug, Clone, Copy)]
pub(super) enum ChangeKind {
    Create,
    Update,
    Delete,
}

/// Commits a change, and runs the hooks after the outermost commit: of this transaction, or of the
/// caller's transaction that it is a part of. There they run in the order of the changes.
///
/// # Errors
///
/// The database's error on the commit. 500 for a change within another transaction by a
/// controller that is not registered: the hooks outlive the reference to it.
pub(super) async fn committed<C: RestController>(
    controller: &C,
    ctx: &Context,
    transaction: Transaction,
    change: ChangeKind,
    record: &C::Model,
) -> Result<()> {
    // The hooks send statements when the transaction has ended.
    let ctx = ctx.with_db(ctx.db().outside_transaction());
    if !transaction.is_nested() {
        transaction.commit().await?;
        hooks(controller, &ctx, change, record).await;
        return Ok(());
    }
    let index = ctx.registry().index_of(controller);
    let index = index.ok_or_else(|| unregistered::<C>())?;
    let record = record.clone();
    transaction.after_commit(async move {
        if let Some(controller) = ctx.registry().controller::<C>(index) {
            hooks(controller, &ctx, change, &record).await;
        }
    });
    transaction.commit().await
}

async fn hooks<C: RestController>(
    controller: &C,
    ctx: &Context,
    change: ChangeKind,
    record: &C::Model,
) {
    match change {
        ChangeKind::Create => {
            logged("after_save", controller.after_save(ctx, record).await);
            logged("after_create", controller.after_create(ctx, record).await);
        }
        ChangeKind::Update => {
            logged("after_save", controller.after_save(ctx, record).await);
            logged("after_update", controller.after_update(ctx, record).await);
        }
        ChangeKind::Delete => logged("after_delete", controller.after_delete(ctx, record).await),
    }
}

/// The change is committed, so the error of a later hook is only logged.
fn logged(hook: &str, outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::error!(hook, error = %error, "a hook after the commit failed");
    }
}

fn unregistered<C>() -> Error {
    Error::internal(format!(
        "`{}` is not a registered controller: within a transaction, its hooks after the commit \
         have to wait; register it, or call the action outside of the transaction",
        type_name::<C>()
    ))
}
