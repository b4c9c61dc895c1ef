//! Where a body is refused, foreign keys without their row are reported as well: a client learns of
//! all fields at fault at once. The foreign keys of other bodies are checked by the database and by
//! the writing of relations.

use formwork_data::{
    error::{Error, Result, ValidationErrors},
    model::check_foreign,
};

use crate::{
    context::Context,
    repository::{self, Repository},
};

/// Adds the columns and lists of the body that name missing rows, if there are errors.
pub(super) async fn check_named<R: Repository>(
    ctx: &Context,
    before: Option<&R::Model>,
    record: &R::Model,
    errors: &mut ValidationErrors,
) -> Result<()> {
    if errors.is_empty() {
        return Ok(());
    }
    let input = ctx.input();
    let sent = |column: &str| input.has(column);
    check_foreign(ctx, before, record, &sent, errors).await?;
    repository::check_lists::<R>(ctx, record, input.members(), errors).await
}

/// As [`check_named`], of an error that a step inside the transaction ended with. The error stays as it
/// is where the look-up fails: a database may answer nothing more in a transaction with a failed
/// statement.
pub(super) async fn with_named<R: Repository>(
    ctx: &Context,
    before: Option<&R::Model>,
    record: &R::Model,
    error: Error,
) -> Error {
    let Error::Validation(mut errors) = error else {
        return error;
    };
    let mut all = errors.clone();
    match check_named::<R>(ctx, before, record, &mut all).await {
        Ok(()) => errors = all,
        Err(error) => tracing::debug!(%error, "foreign keys were not looked up"),
    }
    Error::Validation(errors)
}
