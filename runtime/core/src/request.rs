//! Requests: what a body may hold, and how it is checked.

mod custom;
mod database;
mod dates;
mod own;

use std::future::Future;

pub(crate) use custom::check_custom;
pub(crate) use database::{TypedRow, check_database};
pub(crate) use dates::check_dates;
pub(crate) use own::check_own;

pub use crate::custom_rule::{CustomRule, CustomRules};
pub use crate::input::*;

use crate::context::Context;
use formwork_data::{
    error::{Result, ValidationErrors},
    model::Model,
};

/// Validates the bodies of one resource: a table of rules.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request",
    label = "expected a type that implements `ResourceRequest`",
    note = "write `impl ResourceRequest for {Self} {{ type Model = …; const ATTRIBUTES … }}`"
)]
pub trait ResourceRequest: Send + Sync + 'static {
    /// The model whose attributes a body writes.
    type Model: Model;

    /// The attributes of a body. Other members are never written.
    const ATTRIBUTES: &'static [Attribute];

    /// Names the rules of its own that `ATTRIBUTES` has as `custom("name")`.
    fn rules(to: &mut CustomRules) {
        let _ = to;
    }

    /// Checks beyond the rules; it runs after them, with the values that pass.
    ///
    /// # Errors
    ///
    /// Errors of the database; broken rules of its own go to `errors`.
    fn validate(
        input: &Input,
        ctx: &Context,
        errors: &mut ValidationErrors,
    ) -> impl Future<Output = Result<()>> + Send {
        let _ = (input, ctx, errors);
        std::future::ready(Ok(()))
    }
}
