//! `openapi`.

use std::sync::Arc;

use super::failure::Outcome;
use crate::app::App;

/// Prints the description of the service.
pub(super) fn print(app: &Arc<App>) -> Outcome {
    println!("{}", app.openapi()?);
    Ok(())
}
