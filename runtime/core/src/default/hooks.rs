//! What the default actions ask of a controller.

use std::future::Future;

use formwork_data::{error::Result, model::Model};

use crate::{
    context::Context,
    repository::Repository,
    request::{Input, ResourceRequest},
    resource::Controller,
    transformer::Transformer,
};

/// The key of a controller's records.
pub type RecordKey<C> = <<C as Hooks>::Model as Model>::Key;

/// A change of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// A new record.
    Create,
    /// A record is updated.
    Update,
    /// A record is deleted.
    Delete,
}

/// A controller as the default actions use it: its types, and its hooks in the order in which they
/// run. Implemented for every [`RestController`](crate::controller::RestController), whose provided
/// methods are the default actions: these do not know it, so that no circle arises.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a controller",
    label = "expected a value whose type implements `RestController`"
)]
pub trait Hooks: Controller + Sized {
    /// The model of its records.
    type Model: Model;
    /// Finds and changes them.
    type Repository: Repository<Model = Self::Model>;
    /// Validates what is stored or updated.
    type Request: ResourceRequest<Model = Self::Model>;
    /// Shapes them for clients.
    type Transformer: Transformer<Model = Self::Model>;

    /// `prepare`: before the transaction of store and update begins.
    fn before_transaction(
        &self,
        ctx: &Context,
    ) -> impl Future<Output = Result<Option<Input>>> + Send;

    /// `before_save`, and `before_create` or `before_update`.
    fn before_write(
        &self,
        ctx: &Context,
        change: ChangeKind,
        record: &mut Self::Model,
    ) -> impl Future<Output = Result<()>> + Send;

    /// `write_relations`: after the row was written.
    fn after_write(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send;

    /// `before_delete` and `delete_row`.
    fn delete(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The hooks after the commit; their errors are logged.
    fn after_commit(
        &self,
        ctx: &Context,
        change: ChangeKind,
        record: &Self::Model,
    ) -> impl Future<Output = ()> + Send;
}
