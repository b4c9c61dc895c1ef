//! Bodies of routes that are no resource's.

use axum::http::Method;
use formwork_data::error::{Error, Result, ValidationErrors};

use super::{TypedRow, check_custom, check_database, check_dates};
use crate::{
    context::Context,
    input::{Attribute, Input, Reading},
};

/// The part of a body that these rules name, checked.
///
/// # Errors
///
/// 422 with every broken rule; what the database answers.
pub(crate) async fn check_own(
    ctx: &Context,
    attributes: &'static [Attribute],
    input: &Input,
) -> Result<Input> {
    let reading = Reading {
        attributes,
        storing: true,
        partial: *ctx.method() == Method::PATCH,
        admin: ctx.is_admin(),
        owner: None,
        row: None,
    };
    let mut input = Input::normalised(input.members().clone(), attributes);
    let mut errors = ValidationErrors::default();
    reading.weigh(&input)?;
    reading.check(&input, &mut errors)?;
    if errors.is_full() {
        return Err(Error::Validation(errors));
    }
    reading.narrow(&mut input);
    let row = TypedRow::default();
    check_dates(ctx.now(), &reading, &input, &row, &mut errors);
    check_database(ctx, &reading, &input, &row, &mut errors).await?;
    let validated = ctx.with_input(input.clone());
    check_custom(&validated, |_| (), &reading, &mut errors).await?;
    errors.into_result()?;
    Ok(input)
}
