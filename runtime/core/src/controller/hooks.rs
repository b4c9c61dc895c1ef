//! The hooks of a [`RestController`], in the order in which the default actions run them.

use formwork_data::error::Result;

use super::RestController;
use crate::{
    context::Context,
    default::{ChangeKind, Hooks},
    request::Input,
};

impl<C: RestController> Hooks for C {
    type Model = C::Model;
    type Repository = C::Repository;
    type Request = C::Request;
    type Transformer = C::Transformer;

    async fn before_transaction(&self, ctx: &Context) -> Result<Option<Input>> {
        self.prepare(ctx).await
    }

    async fn before_write(
        &self,
        ctx: &Context,
        change: ChangeKind,
        record: &mut C::Model,
    ) -> Result<()> {
        self.before_save(ctx, record).await?;
        match change {
            ChangeKind::Create => self.before_create(ctx, record).await,
            ChangeKind::Update => self.before_update(ctx, record).await,
            ChangeKind::Delete => Ok(()),
        }
    }

    async fn after_write(&self, ctx: &Context, record: &C::Model) -> Result<()> {
        self.write_relations(ctx, record).await
    }

    async fn delete(&self, ctx: &Context, record: &C::Model) -> Result<()> {
        self.before_delete(ctx, record).await?;
        self.delete_row(ctx, record).await
    }

    async fn after_commit(&self, ctx: &Context, change: ChangeKind, record: &C::Model) {
        if change != ChangeKind::Delete {
            logged("after_save", self.after_save(ctx, record).await);
        }
        match change {
            ChangeKind::Create => logged("after_create", self.after_create(ctx, record).await),
            ChangeKind::Update => logged("after_update", self.after_update(ctx, record).await),
            ChangeKind::Delete => logged("after_delete", self.after_delete(ctx, record).await),
        }
    }
}

/// The change is committed, so the error of a later hook is only logged.
fn logged(hook: &str, outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::error!(hook, error = %error, "a hook after the commit failed");
    }
}
