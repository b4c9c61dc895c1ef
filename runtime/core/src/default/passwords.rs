//! Revokes tokens after a change of password.

use formwork_data::{
    error::Result,
    model::{Model, value_of},
    value::Value,
};

use crate::{auth::revoke_account_tokens, context::Context};

/// Revokes the other tokens of an account whose password changed: they may be in the hands of the
/// person it is changed because of.
pub(super) async fn revoke_other_tokens<M: Model>(
    inside: &Context,
    before: &M,
    record: &M,
) -> Result<()> {
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
