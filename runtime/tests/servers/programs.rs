//! Programs of servers.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A program of PostgreSQL's; its server refuses to run as root.
pub fn as_postgres(name: &str) -> Command {
    if !is_root() {
        return program(name);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(found(name));
    command.current_dir("/");
    command
}

/// A program of a server's.
pub fn program(name: &str) -> Command {
    Command::new(found(name))
}

/// Debian keeps servers' programs out of the path.
fn found(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let folders = versions.flatten().map(|version| version.path().join("bin"));
    let folders = folders.chain(["/usr/sbin".into()]);
    let mut programs = folders.map(|folder| folder.join(name));
    let program = programs.find(|program| program.is_file());
    program.unwrap_or_else(|| Path::new(name).into())
}

/// The user that runs the tests.
pub fn user() -> String {
    let name = Command::new("id").arg("-un").output().expect("id");
    String::from_utf8_lossy(&name.stdout).trim().to_owned()
}

pub fn is_root() -> bool {
    user() == "root"
}

/// Runs a program to its end.
pub fn run(command: &mut Command) {
    let ended = command.stdout(Stdio::null()).status();
    assert!(ended.expect("it starts").success(), "{command:?}");
}
