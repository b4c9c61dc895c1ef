//! `formwork demo`, the README's first command: builds and serves all eight resources.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use formwork_tests::client::Client;
use formwork_tests::{RESOURCES, formwork, target_dir};

/// A running demo, stopped with the service below it when dropped.
struct Demo(Child);

impl Drop for Demo {
    fn drop(&mut self) {
        // The service is a child of formwork: it gets the signal as its terminal's process group would.
        let group = format!("-{}", self.0.id());
        let _ = std::process::Command::new("kill")
            .args(["-TERM", "--", &group])
            .status();
        let _ = self.0.wait();
    }
}

#[test]
fn one_command_lays_builds_seeds_and_serves_the_restaurant() {
    use std::os::unix::process::CommandExt as _;
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
    let mut command = run(&["--port", &taken_port.to_string()]);
    let mut process = command
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("formwork starts");
    let lines = BufReader::new(process.stdout.take().expect("its output")).lines();
    let demo = Demo(process);
    let (mut token, mut port) = (None, taken_port);
    for line in lines.map_while(Result::ok) {
        token = line
            .trim()
            .strip_prefix("access token")
            .map(|rest| rest.trim().to_owned())
            .or(token);
        if let Some(rest) = line.strip_prefix("Serving on http://127.0.0.1:") {
            let number = rest.split(',').next().expect("a port");
            port = number.parse().expect("a number");
            break;
        }
    }
    assert!(
        std::fs::read_to_string(&menus)
            .expect("text")
            .ends_with("// mine\n"),
        "a second run keeps what is there"
    );
    assert!(port > taken_port, "the next port that is free");
    let base = format!("http://127.0.0.1:{port}");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(std::time::Instant::now() < deadline, "it does not listen");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let admin = Client::new(&base, Some(&token.expect("a token is printed")));
    for resource in RESOURCES {
        let answer = admin.get(&format!("/api/{resource}"));
        assert_eq!(answer.status, 200, "{resource}: {answer}");
        assert!(!answer.records().is_empty(), "{resource}: {answer}");
    }
    drop(demo);
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
