//! The program as a process: commands that end, and a service that gets requests.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use super::CHILD;

pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(arguments)
        .current_dir(folder)
        .env(CHILD, "1")
        .env_remove("DATABASE_URL");
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
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Exit status and what a command that fails says.
pub fn failed(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, arguments);
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

pub fn project(yaml: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("formwork.yaml"), yaml).expect("formwork.yaml");
    folder
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
