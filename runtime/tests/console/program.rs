//! The program as a process: commands that end, and a service that gets requests.

#[cfg(unix)]
use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use formwork::data::database::{DatabaseOptions, Db};

use super::CHILD;

pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(arguments)
        .current_dir(folder)
        .env(CHILD, "1")
        .env_remove("DATABASE_URL");
    // The environment belongs to other programs too.
    #[cfg(unix)]
    command.env("OF_ANOTHER_PROGRAM", OsStr::from_bytes(b"\xff"));
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments)
        .output()
        .expect("the program starts")
}

/// The output of a command that succeeds.
pub fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The output of commands, one a line, with the exit status of those that fail; secrets are left out.
pub fn transcript(folder: &Path, commands: &str) -> String {
    let mut transcript = String::new();
    for line in commands
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let arguments: Vec<&str> = line.split(' ').collect();
        let output = run(folder, &arguments);
        transcript += &format!("$ {line}\n{}{}", text(&output.stdout), text(&output.stderr));
        if let Some(code @ 1..) = output.status.code() {
            transcript += &format!("[exit {code}]\n");
        }
    }
    let secrets = ["Password: ", "Access Token: "];
    let lines = transcript.lines().map(|line| {
        let secret = secrets.into_iter().find(|secret| line.starts_with(secret));
        secret.map_or(line.to_owned(), |name| format!("{name}…"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// An output as text, without the hash in the name of this program.
pub fn text(bytes: &[u8]) -> String {
    let program = std::env::current_exe().expect("this program");
    let name = program.file_name().expect("a name").to_string_lossy();
    String::from_utf8_lossy(bytes).replace(&*name, "console")
}

/// A project on SQLite whose customers are the members of the library.
pub const LIBRARY: &str =
    "auth: { customers: members }\ndatabase: { url: 'sqlite://data/x.sqlite' }\n";

pub fn project(yaml: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("formwork.yaml"), yaml).expect("formwork.yaml");
    folder
}

/// Runs statements on a SQLite file of the project, and returns the first column of the last one's rows.
pub fn statements(folder: &Path, statements: &[&'static str]) -> Vec<String> {
    let url = format!("sqlite://{}", folder.join("data/x.sqlite").display());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let db = Db::connect(&DatabaseOptions::new(url)).await;
        let db = db.expect("the database");
        let mut rows = Vec::new();
        for statement in statements {
            rows = db.rows(*statement, []).await.expect("a statement");
        }
        db.close().await;
        rows.iter().map(|row| row[0].to_string()).collect()
    })
}

/// Sends a signal to a service.
pub fn signal(service: &Child, signal: &str) {
    let mut kill = Command::new("kill");
    let sent = kill.arg(signal).arg(service.id().to_string()).status();
    assert!(sent.expect("kill").success());
}

pub fn serve(folder: &Path) -> Child {
    let mut command = command(folder, &["serve", "--addr", "127.0.0.1:0"]);
    command
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The address from the log, which is JSON where no terminal is; the rest of it is read and dropped.
pub fn listening(service: &mut Child) -> String {
    let mut log = BufReader::new(service.stderr.take().expect("log"));
    let mut line = String::new();
    while log.read_line(&mut line).expect("a line") > 0 {
        let entry: serde_json::Value = serde_json::from_str(&line).expect("a JSON object a line");
        if let Some(address) = entry["address"].as_str() {
            let address = address.to_owned();
            std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
            return address;
        }
        line.clear();
    }
    panic!("the service did not say where it listens");
}

pub fn ask(address: &str, path: &str, token: &str) -> String {
    let mut socket = TcpStream::connect(address).expect("a connection");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("an answer");
    answer
}
