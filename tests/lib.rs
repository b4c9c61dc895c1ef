//! Shared by the tests: where things are, how the restaurant is built and started, and a client.

pub mod client;
pub mod facts;
mod git;
pub mod project;
pub mod repository;
pub mod restaurant;
pub mod upgrade_case;

use std::path::{Path, PathBuf};
use std::process::Command;

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
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .arg("build")
        .args(args)
        .arg("--manifest-path")
        .arg(manifest)
        .env("CARGO_TARGET_DIR", target_dir())
        .output()
        .expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A port without a listener.
pub fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").port()
}
