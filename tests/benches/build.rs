//! What a poured project costs to build: the time on processors of a cold debug build, and the size of the release
//! binary, with the runtime's default features and with SQLite alone; and the memory of the service that it is, idle.
//! The time on processors hardly depends on what else the machine does.
//!
//! `cargo bench -p formwork-tests --bench build`

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use formwork_tests::formwork;

/// Ticks a second of `/proc/<id>/stat`, on every Linux.
const TICKS: f64 = 100.0;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("bench");
    pour(folder.path(), &["new", "bench"]);
    let attributes = ["title:string:required", "price:decimal:15,4:required:min=0"];
    let resource = ["generate", "resource", "shop", "dishes"];
    pour(&project, &[&resource[..], &attributes].concat());
    println!("features        cold debug build   release binary   resident, idle");
    for (name, features) in [
        ("default", ""),
        (
            "sqlite alone",
            "default-features = false, features = [\"sqlite\"], ",
        ),
    ] {
        choose(&project, features);
        let target = folder.path().join(name.replace(' ', "-"));
        let before = ticks();
        build(&project, &target, &[]);
        let seconds = (ticks() - before) / TICKS;
        build(&project, &target, &["--release"]);
        let program = target.join("release/bench");
        let binary = fs::metadata(&program).expect("a binary");
        let size = binary.len() as f64 / f64::from(1 << 20);
        let resident = resident(&project, &program);
        println!("{name:<14}  {seconds:>12.0} CPU-s  {size:>11.1} MiB  {resident:>11.1} MiB");
        fs::remove_dir_all(&target).expect("a folder of its own");
    }
}

fn pour(folder: &Path, arguments: &[&str]) {
    let status = formwork()
        .args(arguments)
        .current_dir(folder)
        .arg("--quiet")
        .status();
    assert!(status.expect("formwork starts").success(), "{arguments:?}");
}

/// Sets the features of the runtime, in the project's manifest and in those of its extensions.
fn choose(project: &Path, features: &str) {
    let manifest = project.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let chosen = text.replacen("formwork = { ", &format!("formwork = {{ {features}"), 1);
    assert_eq!(text == chosen, features.is_empty());
    fs::write(&manifest, chosen).expect("a manifest");
}

fn build(project: &Path, target: &Path, arguments: &[&str]) {
    let status = Command::new("cargo")
        .args(["build", "--quiet"])
        .args(arguments)
        .current_dir(project)
        .env("CARGO_TARGET_DIR", target)
        .status();
    assert!(status.expect("cargo starts").success());
}

/// MiB of memory that are resident once the service says that it serves.
fn resident(project: &Path, program: &Path) -> f64 {
    let command = || {
        let mut command = Command::new(program);
        command.current_dir(project).stdout(Stdio::null());
        command
    };
    let migrated = command().arg("migrate").status();
    assert!(migrated.expect("it starts").success());
    let serve = ["serve", "--addr", "127.0.0.1:0"];
    let mut service = command().args(serve).stderr(Stdio::piped()).spawn();
    let service = service.as_mut().expect("it starts");
    let log = BufReader::new(service.stderr.take().expect("a log"));
    let mut lines = log.lines().map(|line| line.expect("text"));
    assert!(lines.any(|line| line.contains("serving http")), "it serves");
    let status = fs::read_to_string(format!("/proc/{}/status", service.id())).expect("a Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    service.kill().expect("it ends");
    service.wait().expect("it ends");
    kib.expect("a number") / 1024.0
}

/// The time on processors of all that this process has waited for.
fn ticks() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("a Linux");
    let fields = stat.rsplit_once(')').expect("a name").1;
    let field = |at: usize| {
        fields
            .split_whitespace()
            .nth(at)
            .and_then(|it| it.parse::<f64>().ok())
    };
    // `cutime` and `cstime`, proc_pid_stat(5).
    field(13).expect("a number") + field(14).expect("a number")
}
