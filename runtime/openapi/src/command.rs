//! `openapi`: the description on the console.

use formwork_core::command::Command;

/// Prints the description of the service.
pub(super) fn openapi() -> Command {
    let arguments = clap::Command::new("openapi")
        .about("Print the description of the API in OpenAPI 3.1; needs no database");
    let print = Command::new(arguments, async |ctx, _| {
        println!("{}", crate::description::pretty(ctx.app())?);
        Ok(())
    });
    print.without_database()
}
