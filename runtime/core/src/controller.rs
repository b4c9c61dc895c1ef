//! Controllers: what a resource answers, action by action, and the hooks around its changes.

mod erased;
mod hooks;

use std::future::Future;

use formwork_data::{error::Result, model::Model};

use crate::{
    action::{self, Action},
    context::Context,
    default,
    repository::Repository,
    request::{Input, ResourceRequest},
    response::Response,
    transformer::Transformer,
};

/// The key of a controller's records: `i64` for most.
pub type KeyOf<C> = <<C as RestController>::Model as Model>::Key;

/// Serves one resource.
///
/// Every action and hook is provided. Overriding an action replaces it; the free functions of
/// [`default`] are what the provided ones do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a controller",
    label = "expected a type that implements `RestController`",
    note = "write `impl RestController for {Self}` with Model, Repository, Request and Transformer"
)]
pub trait RestController: Send + Sync + Sized + 'static {
    /// The model of its records.
    type Model: Model;
    /// Finds and changes them.
    type Repository: Repository<Model = Self::Model>;
    /// Validates what is stored or updated.
    type Request: ResourceRequest<Model = Self::Model>;
    /// Shapes them for clients.
    type Transformer: Transformer<Model = Self::Model>;

    /// Records on a page without `pageLimit`.
    const PAGE_LIMIT: u32 = action::PAGE_LIMIT;

    /// The largest page a client may ask for: 100, or `PAGE_LIMIT` where that is more.
    const MAX_PAGE_LIMIT: u32 = action::larger(Self::PAGE_LIMIT, action::MAX_PAGE_LIMIT);

    /// The actions it can answer: all seven. Its registration record lists the routed ones and
    /// their callers.
    ///
    /// A controller that lists fewer answers no others, whatever is registered.
    const ACTIONS: &'static [Action] = &Action::ALL;

    /// The reference docs of the resource, in Markdown: `include_str!("../../../docs/menus.md")`.
    /// The admin area shows them above the registered facts: endpoints, attributes with their
    /// rules, includes.
    const DOCS: &'static str = "";

    /// Abilities of which a token needs any one; none: every token suffices.
    const REQUIRED_ABILITIES: &'static [&'static str] = &[];

    /// Keys the resource was registered under before, the latest first: settings that
    /// administrators saved under them stay in effect.
    const FORMER_KEYS: &'static [&'static str] = &[];

    /// Answers `GET /<resource>`.
    fn index(&self, ctx: &Context) -> impl Future<Output = Result<Response>> + Send {
        default::index(self, ctx)
    }

    /// Answers `GET /<resource>/create`.
    fn create(&self, ctx: &Context) -> impl Future<Output = Result<Response>> + Send {
        default::create(self, ctx)
    }

    /// Answers `POST /<resource>`.
    fn store(&self, ctx: &Context) -> impl Future<Output = Result<Response>> + Send {
        default::store(self, ctx)
    }

    /// Answers `GET /<resource>/<key>`.
    fn show(
        &self,
        ctx: &Context,
        key: KeyOf<Self>,
    ) -> impl Future<Output = Result<Response>> + Send {
        default::show(self, ctx, key)
    }

    /// Answers `GET /<resource>/<key>/edit`.
    fn edit(
        &self,
        ctx: &Context,
        key: KeyOf<Self>,
    ) -> impl Future<Output = Result<Response>> + Send {
        default::edit(self, ctx, key)
    }

    /// Answers `PUT` and `PATCH /<resource>/<key>`.
    fn update(
        &self,
        ctx: &Context,
        key: KeyOf<Self>,
    ) -> impl Future<Output = Result<Response>> + Send {
        default::update(self, ctx, key)
    }

    /// Answers `DELETE /<resource>/<key>`.
    fn destroy(
        &self,
        ctx: &Context,
        key: KeyOf<Self>,
    ) -> impl Future<Output = Result<Response>> + Send {
        default::destroy(self, ctx, key)
    }

    /// Before the transaction of store and update begins, with the body the rules let through: for
    /// slow work, such as hashing a password, which other writers must not wait for. A body it
    /// returns replaces the sent one; the rules do not run again.
    fn prepare(&self, ctx: &Context) -> impl Future<Output = Result<Option<Input>>> + Send {
        let _ = ctx;
        std::future::ready(Ok(None))
    }

    /// Before a record is created or updated, inside the transaction; may change the record.
    fn before_save(
        &self,
        ctx: &Context,
        record: &mut Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// Before a record is created, inside the transaction, after `before_save`.
    fn before_create(
        &self,
        ctx: &Context,
        record: &mut Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// Before a record is updated, inside the transaction, after `before_save`.
    fn before_update(
        &self,
        ctx: &Context,
        record: &mut Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// Before a record is deleted, inside the transaction.
    fn before_delete(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// Deletes the row of a record, inside the transaction, after `before_delete`. Provided: the row
    /// is deleted, and the links of its many-to-many relations. A soft deletion overrides this:
    /// `If-Match` and the hooks stay. Its rows are hidden by
    /// [`Repository::extend_query`].
    fn delete_row(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        default::delete_row(self, ctx, record)
    }

    /// After the row was written, inside the transaction: writes dependent rows. Provided:
    /// relations declared with `.sync()` take the ids the body lists.
    fn write_relations(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        default::write_relations(self, ctx, record)
    }

    /// After a record was created or updated and the transaction committed. An error is logged.
    fn after_save(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// After a record was created, after `after_save`.
    fn after_create(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// After a record was updated, after `after_save`.
    fn after_update(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }

    /// After a record was deleted and the transaction committed.
    fn after_delete(
        &self,
        ctx: &Context,
        record: &Self::Model,
    ) -> impl Future<Output = Result<()>> + Send {
        nothing((ctx, record))
    }
}

/// A hook that does nothing; it takes what the hook was given.
fn nothing<T>(_given: T) -> std::future::Ready<Result<()>> {
    std::future::ready(Ok(()))
}
