//! The cargo that builds projects.

use std::env;
use std::ffi::OsString;
use std::process::Command;

/// The cargo that runs formwork, else the one in the path.
///
/// `cargo run` and `cargo test` set [variables] about their own package. Build scripts that read them
/// would run again, and their dependents would be compiled again, whenever the same project is built
/// from a shell: it is started without them.
///
/// [variables]: https://doc.rust-lang.org/cargo/reference/environment-variables.html#environment-variables-cargo-sets-for-crates
pub fn command() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let variables = env::vars_os().map(|(name, _)| name);
    variables.filter(of_package).for_each(|name| {
        cargo.env_remove(name);
    });
    cargo
}

fn of_package(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
}
