//! The commit of a change, and the hooks after it.

use std::any::type_name;

use formwork_data::{
    database::Transaction,
    error::{Error, Result},
};

use super::hooks::{ChangeKind, Hooks};
use crate::context::Context;

/// Commits a change, and runs the hooks after the outermost commit: of this transaction, or of the
/// caller's transaction that it is a part of. There they run in the order of the changes.
///
/// # Errors
///
/// The database's error on the commit. 500 for a change within another transaction by a
/// controller that is not registered: the hooks outlive the reference to it.
pub(super) async fn committed<C: Hooks>(
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
        controller.after_commit(&ctx, change, record).await;
        return Ok(());
    }
    let index = ctx.registry().index_of(controller);
    let index = index.ok_or_else(|| unregistered::<C>())?;
    let record = record.clone();
    transaction.after_commit(async move {
        if let Some(controller) = ctx.registry().controller::<C>(index) {
            controller.after_commit(&ctx, change, &record).await;
        }
    });
    transaction.commit().await
}

fn unregistered<C>() -> Error {
    Error::internal(format!(
        "`{}` is not a registered controller: within a transaction, its hooks after the commit \
         have to wait; register it, or call the action outside of the transaction",
        type_name::<C>()
    ))
}
