//! Requests: what a body may hold, and how it is checked.

mod attribute;
mod check;
mod database;
pub(crate) mod document;
mod domain;
mod form;
mod format;
mod input;
mod linkage;
mod message;
mod number;
mod place;
mod rule;
pub mod rules;
mod subject;
mod targets;
mod validation;
mod weight;
mod written;

use std::future::Future;

pub use attribute::{Attribute, attribute};
pub use check::keeps_all;
pub(crate) use database::check_database;
pub use domain::Domain;
pub use form::{Field, form, type_name};
pub use input::Input;
pub use rule::{Bound, Rule};
pub(crate) use validation::Reading;
pub use written::is_email;

use crate::context::Context;
use formwork_data::{
    error::{Result, ValidationErrors},
    model::Model,
};

/// Validates the bodies of one resource (specification, sections 2.3 and 4.3): a table of rules.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no request",
    label = "expected a type that implements `ResourceRequest`",
    note = "write `impl ResourceRequest for {Self} {{ type Model = …; const ATTRIBUTES … }}`"
)]
pub trait ResourceRequest: Send + Sync + 'static {
    /// The model whose attributes a body writes.
    type Model: Model;

    /// What a body may hold. What does not stand here is never written.
    const ATTRIBUTES: &'static [Attribute];

    /// Checks what rules cannot say; it runs after the rules, with what they let through.
    ///
    /// # Errors
    ///
    /// Whatever it needs the database for; broken rules of its own go to `errors`.
    fn validate(
        input: &Input,
        ctx: &Context,
        errors: &mut ValidationErrors,
    ) -> impl Future<Output = Result<()>> + Send {
        let _ = (input, ctx, errors);
        std::future::ready(Ok(()))
    }
}
