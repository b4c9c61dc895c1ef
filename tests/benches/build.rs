//! What a poured project costs to build: the time on processors of a cold debug build, and the size of the release
//! binary, with the runtime's default features and with SQLite alone; and the memory of the service that it is, idle
//! and after load. The time on processors hardly depends on what else the machine does.
//!
//! `cargo bench -p formwork-tests --bench build`

mod process;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use formwork_tests::{formwork, sqlite};

use process::{Server, free_address};

/// Connections at once before memory is measured again.
const LOAD: usize = 32;

/// What they ask for: lists and records.
const PATHS: [&str; 2] = ["/api/dishes?pageLimit=20", "/api/dishes/1"];

/// Ticks a second of `/proc/<id>/stat`, on every Linux.
const TICKS: f64 = 100.0;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let project = folder.path().join("bench");
    pour(folder.path(), &["new", "bench"]);
    let attributes = ["title:string:required", "price:decimal:15,4:required:min=0"];
    let resource = ["generate", "resource", "shop", "dishes"];
    pour(&project, &[&resource[..], &attributes].concat());
    println!(
        "features        cold debug build   release binary   resident, idle   after {LOAD} connections   at most"
    );
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
        let server = serve(&project, &program);
        let idle = server.resident();
        load(&server);
        println!(
            "{name:<14}  {seconds:>12.0} CPU-s  {size:>11.1} MiB  {idle:>11.1} MiB  {:>17.1} MiB  {:>5.1} MiB",
            server.resident(),
            server.peak()
        );
        drop(server);
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

/// The service, with enough rows for several pages.
fn serve(project: &Path, program: &Path) -> Server {
    let address = free_address();
    let database = project.join("bench.sqlite");
    let _ = fs::remove_file(&database);
    let command = || {
        let mut command = Command::new(program);
        let url = format!("sqlite://{}", database.display());
        command.current_dir(project).env("DATABASE_URL", url);
        command.env("FORMWORK_API__RATE_LIMIT", "0");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let migrated = command().arg("migrate").status();
    assert!(migrated.expect("it starts").success());
    fill(&database);
    let process = command().args(["serve", "--addr", &address]).spawn();
    let process = process.expect("it starts");
    let server = Server { process, address };
    // It answers: what it does at its start is done.
    drop(server.connect());
    server
}

fn fill(database: &Path) {
    const ROWS: &str = "INSERT INTO dishes (title, price) \
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100) \
        SELECT 'Dish ' || n, 125000 FROM numbers";
    sqlite::run(database, ROWS);
}

/// Many connections at once, as after a busy hour.
fn load(server: &Server) {
    let requests = PATHS.map(|path| format!("GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n"));
    assert!(server.ask(&requests[0]).contains("Dish 20"), "a page");
    server.load(LOAD, &requests.each_ref().map(String::as_str));
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
