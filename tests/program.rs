//! Programs of projects: built, run, and serving.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::client::Client;
use crate::project::Project;
use crate::{printed, target_dir};

/// The program of a project, with variables of its environment.
pub struct Program {
    path: PathBuf,
    folder: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Program {
    /// Builds a project, without a warning. Programs are in one folder, so that each project needs a name of its own.
    pub fn build(project: &Project, name: &str) -> Self {
        let built = project.cargo(&["build", "--offline"]).output();
        let built = built.expect("cargo starts");
        let messages = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{messages}");
        assert!(!messages.contains("warning: "), "{messages}");
        Self {
            path: target_dir().join("debug").join(name),
            folder: project.root().to_owned(),
            variables: Vec::new(),
        }
    }

    /// Sets a variable of its environment.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.retain(|(one, _)| *one != name);
        self.variables.push((name, value.to_owned()));
        self
    }

    /// Returns what a command of its console prints: the words of `cargo run -- …`.
    pub fn run(&self, command: &str) -> String {
        printed(self.command().args(command.split_whitespace()))
    }

    /// Serves on a port of the system's choice, after `migrate`, with a new administrator.
    pub fn start(&self) -> Served {
        self.run("migrate");
        self.serve(&self.administrator())
    }

    /// Returns the token of a new administrator.
    pub fn administrator(&self) -> String {
        let email = "--email chef@example.com";
        self.run(&format!("user create --super {email} --username chef"));
        self.token(&format!("{email} --admin"))
    }

    /// Returns a new token of an account.
    pub fn token(&self, account: &str) -> String {
        let text = self.run(&format!("token --name tests {account}"));
        let mut lines = text.lines();
        let token = lines.find_map(|line| line.strip_prefix("Access Token: "));
        token.expect("a token").to_owned()
    }

    /// Serves on a port of the system's choice; `token` is its administrator's.
    pub fn serve(&self, token: &str) -> Served {
        let mut serve = self.command();
        serve.args(["serve", "--addr", "127.0.0.1:0"]);
        let child = serve
            .env("FORMWORK_LOG__FORMAT", "json")
            .stderr(Stdio::piped());
        let mut process = child.spawn().expect("it starts");
        let mut lines = BufReader::new(process.stderr.take().expect("its log")).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let entry: Value = serde_json::from_str(&line).unwrap_or_default();
            let address = entry["address"].as_str().map(str::to_owned);
            if address.is_none() {
                eprintln!("{line}");
            }
            address
        });
        std::thread::spawn(move || lines.for_each(drop));
        let base = format!("http://{}", address.expect("it listens"));
        let token = token.to_owned();
        Served {
            process,
            base,
            token,
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).env_remove("DATABASE_URL");
        command.env("FORMWORK_API__RATE_LIMIT", "0");
        let variables = self.variables.iter().map(|(name, value)| (name, value));
        command.envs(variables);
        command
    }
}

/// A running service, stopped when dropped.
pub struct Served {
    process: Child,
    base: String,
    token: String,
}

impl Served {
    /// Returns a client with the administrator's token.
    pub fn admin(&self) -> Client {
        self.with_token(&self.token)
    }

    /// Returns a client with another token.
    pub fn with_token(&self, token: &str) -> Client {
        Client::new(&self.base, Some(token))
    }

    /// Returns a client without a token.
    pub fn guest(&self) -> Client {
        Client::new(&self.base, None)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
