//! Shared by the tests: where things are, how the restaurant is built and started, and a client.

pub mod client;
pub mod facts;
mod git;
pub mod project;
pub mod repository;
pub mod restaurant;
pub mod server;
mod skipped;
pub mod sqlite;
pub mod upgrade_case;

use std::path::{Path, PathBuf};
use std::process::Command;

pub use skipped::{address, skipped};

/// The restaurant's eight resources.
pub const RESOURCES: [&str; 8] = [
    "categories",
    "coupons",
    "customers",
    "locations",
    "menus",
    "orders",
    "reservations",
    "reviews",
];

/// The checkout.
pub fn checkout() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests stand in a checkout")
}

/// The folder everything is compiled into.
pub fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| checkout().join("target"), PathBuf::from)
}

/// The `formwork` binary, built once per test process; an up-to-date build is fast.
pub fn formwork() -> Command {
    static BUILT: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    let program = BUILT.get_or_init(|| {
        cargo_build(
            &["--package", "formwork-cli"],
            &checkout().join("Cargo.toml"),
        );
        target_dir().join("debug/formwork")
    });
    Command::new(program)
}

/// Builds with cargo into the shared target folder, and fails with what cargo says.
pub fn cargo_build(args: &[&str], manifest: &Path) {
    let mut build = cargo(&["build", "--manifest-path"]);
    printed(build.arg(manifest).args(args));
}

/// cargo, which compiles into the shared target folder.
pub fn cargo(args: &[&str]) -> Command {
    let mut cargo = formwork_cli::cargo::command();
    cargo.args(args).env("CARGO_TARGET_DIR", target_dir());
    cargo
}

/// Runs a program that succeeds; returns what it prints.
pub fn printed(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let [out, errors] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{command:?}\n{out}\n{errors}");
    out
}

/// A port without a listener.
pub fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}
