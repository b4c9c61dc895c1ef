//! `formwork demo`, the README's first command: builds and serves all eight resources.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use formwork_tests::client::Client;
use formwork_tests::server::{Database, servers};
use formwork_tests::{RESOURCES, cargo, checkout, formwork, free_port, printed, target_dir};

/// Lets one test at a time build the restaurant: all have one target folder, and each build puts a program with
/// other drivers into it.
fn lock_program() -> MutexGuard<'static, ()> {
    static PROGRAM: Mutex<()> = Mutex::new(());
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running demo, stopped with the service below it when dropped.
struct Demo {
    process: Child,
    port: u16,
    /// An administrator's token.
    token: String,
    /// The lines on standard error until it serves.
    errors: String,
}

impl Drop for Demo {
    fn drop(&mut self) {
        // The service is a child of formwork: it gets the signal as its terminal's process group would.
        let group = format!("-{}", self.process.id());
        let _ = std::process::Command::new("kill")
            .args(["-TERM", "--", &group])
            .status();
        let _ = self.process.wait();
    }
}

/// Starts a demo, and waits until it prints that it serves.
fn serve(mut command: Command) -> Demo {
    use std::os::unix::process::CommandExt as _;
    // A file, because the log of the service follows: a full pipe would stop it.
    let errors = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut process = command
        .stdout(Stdio::piped())
        .stderr(errors.reopen().expect("the same file"))
        .process_group(0)
        .spawn()
        .expect("formwork starts");
    let lines = BufReader::new(process.stdout.take().expect("its output")).lines();
    let mut demo = Demo {
        process,
        port: 0,
        token: String::new(),
        errors: String::new(),
    };
    for line in lines.map_while(Result::ok) {
        if let Some(token) = line.trim().strip_prefix("access token") {
            let token = token.split_whitespace().next();
            token.expect("a token").clone_into(&mut demo.token);
        }
        if let Some(rest) = line.strip_prefix("Serving on http://127.0.0.1:") {
            let number = rest.split(',').next().expect("a port");
            demo.port = number.parse().expect("a number");
            break;
        }
    }
    demo.errors = std::fs::read_to_string(errors.path()).expect("text");
    assert!(demo.port > 0, "it does not serve: {}", demo.errors);
    assert!(!demo.token.is_empty(), "a token is printed");
    demo
}

/// Every resource has records for the administrator.
fn assert_serves(port: u16, token: &str) {
    let base = format!("http://127.0.0.1:{port}");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(std::time::Instant::now() < deadline, "it does not listen");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let admin = Client::new(&base, Some(token));
    let guest = Client::new(&base, None);
    for page in ["/api/docs", "/admin/login"] {
        let answer = guest.get(page);
        assert_eq!(answer.status, 200, "{page}: {answer}");
    }
    for resource in RESOURCES {
        let answer = admin.get(&format!("/api/{resource}"));
        assert_eq!(answer.status, 200, "{resource}: {answer}");
        assert!(!answer.records().is_empty(), "{resource}: {answer}");
    }
    // Keys are counted above those of the seed.
    let menu = serde_json::json!({ "menu_name": "Soup", "menu_price": "4.90" });
    let stored = admin.post("/api/menus", &menu);
    assert_eq!(stored.status, 201, "{stored}");
}

#[test]
fn the_restaurant_runs_on_servers_and_leaves_the_tables_of_others_alone() {
    let _program = lock_program();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("demo");
    for server in servers() {
        let database = Database::beside(&server);
        let run = |args: &[&str]| {
            let mut command = formwork();
            command
                .args(["demo", "--database-url", &database.url(), "--path"])
                .arg(&path)
                .args(args)
                .env("CARGO_TARGET_DIR", target_dir());
            command
        };
        database.run("CREATE TABLE theirs (id INTEGER PRIMARY KEY)");
        let refused = run(&["--no-serve"]).output().expect("formwork starts");
        let said = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(
            said.contains("(theirs)") && said.contains("an empty database"),
            "{said}"
        );
        // Had the refused run made a table, the next one would be refused too.
        database.run("DROP TABLE theirs");

        let filled = run(&["--no-serve"]).output().expect("formwork starts");
        let said = String::from_utf8_lossy(&filled.stdout);
        let errors = String::from_utf8_lossy(&filled.stderr);
        assert!(filled.status.success(), "{said}\n{errors}");
        assert!(errors.contains("Step 3 of 3"), "{errors}");
        let again = format!("--database-url {}", database.url());
        assert!(said.contains(&again), "the line that starts it: {said}");
        // What was filled before is started as it is.
        let demo = serve(run(&["--port", &free_port().to_string()]));
        assert_serves(demo.port, &demo.token);
        drop(demo);
        assert!(!path.join("data/app.sqlite").exists());
    }
    let output = formwork()
        .args(["demo", "--database-url", "sqlite://x.sqlite", "--path"])
        .arg(folder.path().join("other"))
        .output()
        .expect("formwork starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(!folder.path().join("other").exists());
}

#[test]
fn one_command_lays_builds_seeds_and_serves_the_restaurant() {
    let _program = lock_program();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("demo");
    // The demo does not use the database of the environment.
    let others = folder.path().join("others.sqlite");
    let theirs = format!("sqlite://{}?mode=rwc", others.display());
    let run = |args: &[&str]| {
        let mut command = formwork();
        command
            .arg("demo")
            .arg("--path")
            .arg(&path)
            .args(args)
            .env("CARGO_TARGET_DIR", target_dir())
            .env("DATABASE_URL", &theirs)
            .env("FORMWORK_API__PREFIX", "theirs");
        command
    };
    let output = run(&["--no-serve"]).output().expect("formwork starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("for trying only"), "{text}");
    let steps = String::from_utf8_lossy(&output.stderr).into_owned();
    for step in [
        "Step 1 of 3: writing",
        "Step 2 of 3: building",
        "Step 3 of 3: ",
    ] {
        assert!(steps.contains(step), "{steps}");
    }
    // The links come first: a reader opens them before the curl lines.
    let links = ["/api/menus", "/api/docs", "/admin ", "curl "].map(|link| text.find(link));
    assert!(links.is_sorted() && links[0].is_some(), "{text}");
    assert!(!others.exists(), "{text}");
    assert!(path.join("data/app.sqlite").is_file());
    assert!(!path.join("data/unseeded").exists());
    // It was stopped while it seeded.
    std::fs::write(path.join("data/unseeded"), "").expect("written");
    assert!(
        path.join(".formwork/base").is_dir(),
        "the state is laid out, too"
    );
    let menus = path.join("extensions/igniter_cart/src/api_resources/menus/controller.rs");
    std::fs::write(
        &menus,
        std::fs::read_to_string(&menus).expect("text") + "\n// mine\n",
    )
    .expect("written");

    let output = run(&["--no-serve", "--format", "json"]).output();
    let answer = output.expect("formwork starts").stdout;
    let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON and nothing else");
    assert_eq!(answer["exit"], 0, "{answer}");
    assert!(answer["token"].is_string(), "{answer}");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken_port = taken.local_addr().expect("an address").port();
    let demo = serve(run(&["--port", &taken_port.to_string()]));
    assert!(
        std::fs::read_to_string(&menus)
            .expect("text")
            .ends_with("// mine\n"),
        "a second run keeps what is there"
    );
    assert!(demo.port > taken_port, "the next port that is free");
    let told = format!("Port {taken_port} is taken: using {}.", demo.port);
    let is_told = demo.errors.lines().any(|line| line == told);
    assert!(is_told, "{told} in {}", demo.errors);
    assert_serves(demo.port, &demo.token);
    drop(demo);
    let links = links_of_serve(&path);
    let pages = ["/api", "/api/docs", "/admin"];
    let same = links
        .iter()
        .zip(pages)
        .all(|(link, page)| link.ends_with(page));
    assert!(same && links.len() == pages.len(), "{links:?}");
}

/// Returns the lines that `serve` of a restaurant prints.
fn links_of_serve(folder: &Path) -> Vec<String> {
    let mut service = Command::new(target_dir().join("debug/restaurant"))
        .args(["serve", "--addr", "127.0.0.1:0"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the restaurant starts");
    let lines = BufReader::new(service.stdout.take().expect("its output")).lines();
    let links = lines.map_while(Result::ok).take(3).collect();
    service.kill().expect("it runs");
    service.wait().expect("it ends");
    links
}

#[test]
fn a_folder_that_holds_something_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("mine.txt"), "mine").expect("written");
    let output = formwork()
        .args(["demo", "--path"])
        .arg(folder.path())
        .output()
        .expect("formwork starts");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--path"));
    assert_eq!(
        std::fs::read_dir(folder.path())
            .expect("the folder")
            .count(),
        1
    );
}

/// Returns each package that a project links, with its features.
fn packages(folder: &Path, args: &[&str]) -> BTreeMap<String, String> {
    let edges = "no-dev,no-build,no-proc-macro";
    let mut tree = cargo(&["tree", "--locked", "--edges", edges, "--prefix", "none"]);
    tree.args(["--format", "{p}|{f}"]).args(args);
    let text = printed(tree.current_dir(folder));
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    let split = lines.filter_map(|line| line.split_once('|'));
    split
        .map(|(name, features)| (name.to_owned(), features.to_owned()))
        .collect()
}

/// A crate that both link is compiled once if both ask for the same version and features, also of each crate
/// below it.
#[test]
fn the_demo_links_the_crates_that_were_compiled_for_formwork() {
    let formwork = packages(checkout(), &["--package", "formwork-cli"]);
    let restaurant = checkout().join("fixtures/restaurant");
    let restaurant = packages(&restaurant, &["--no-default-features"]);
    let name = |package: &str| package.split(' ').next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = formwork.keys().map(|package| name(package)).collect();
    let compiled_again = restaurant.iter().filter(|(package, features)| {
        names.contains(&name(package)) && formwork.get(*package) != Some(*features)
    });
    let differing: Vec<String> = compiled_again.map(|(package, _)| name(package)).collect();
    // What the command line alone asks for, and the face of sqlx above the drivers.
    let expected = [
        "base64",
        "bitflags",
        "byteorder",
        "clap",
        "clap_builder",
        "getrandom",
        "libmimalloc-sys",
        "mimalloc",
        "sqlx",
    ];
    assert_eq!(differing, expected);
}
