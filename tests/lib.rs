//! Shared by the tests: where things are, how the restaurant is built and started, and a client.

pub mod client;
pub mod facts;
mod git;
pub mod program;
pub mod project;
pub mod repository;
pub mod restaurant;
pub mod server;
mod skipped;
pub mod snapshots;
pub mod sqlite;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

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

/// Returns a command that runs `formwork`, which cargo built with the tests of this package: the generator is not
/// compiled again with the features that it has alone.
pub fn formwork() -> Command {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    let link = || {
        let test = std::env::current_exe().expect("the path of this test");
        let built = test.ancestors().nth(2).expect("the folder of a profile");
        let program = built.join("tested/formwork");
        fs::create_dir_all(built.join("tested")).expect("a folder");
        // Reports and shells know it as `formwork`.
        match std::os::unix::fs::symlink("../formwork-tested", &program) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{error}"),
            _ => program,
        }
    };
    Command::new(PROGRAM.get_or_init(link))
}

/// Returns the number of cases of a random test: `FORMWORK_TEST_CASES`, otherwise `default`.
pub fn cases(default: u32) -> u32 {
    let cases = std::env::var("FORMWORK_TEST_CASES").ok();
    cases.map_or(default, |cases| cases.parse().expect("a number of cases"))
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
