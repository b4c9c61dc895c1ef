//! Services of imported projects: built, started, and asked as their administrator.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use formwork_tests::client::Client;
use formwork_tests::project::Project;
use formwork_tests::target_dir;

/// A running service, stopped when dropped.
pub struct Served {
    process: Child,
    base: String,
    token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A project that is built, on its database.
pub struct Built<'a> {
    project: &'a Project,
    name: &'a str,
    url: &'a str,
    variables: Vec<(&'a str, &'a str)>,
}

impl<'a> Built<'a> {
    /// Builds a project. The projects of other tests need other names: their programs stand in one
    /// folder.
    pub fn of(project: &'a Project, name: &'a str, url: &'a str) -> Self {
        let built = project.cargo(&["build", "--offline"]).output();
        let built = built.expect("cargo starts");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}");
        assert!(!said.contains("warning: "), "{said}");
        Self {
            project,
            name,
            url,
            variables: Vec::new(),
        }
    }

    /// With a variable of its environment.
    pub fn with(mut self, variable: (&'a str, &'a str)) -> Self {
        self.variables.push(variable);
        self
    }

    /// What a command of its console prints.
    pub fn console(&self, args: &str) -> String {
        console(self.command(), args)
    }

    /// Serves it; `token` is its administrator's.
    pub fn serve(&self, token: &str) -> Served {
        serve(self.command(), token)
    }

    /// The token of a new administrator.
    pub fn administrator(&self) -> String {
        let email = "--email chef@example.com";
        self.console(&format!("user create --super {email} --username chef"));
        let text = self.console(&format!("token --name tests {email} --admin"));
        let mut lines = text.lines();
        let token = lines.find_map(|line| line.strip_prefix("Access Token: "));
        token.expect("a token").to_owned()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(target_dir().join("debug").join(self.name));
        command
            .current_dir(self.project.root())
            .env("DATABASE_URL", self.url)
            .env("FORMWORK_LOG__FORMAT", "json")
            .env("FORMWORK_API__RATE_LIMIT", "0")
            .envs(self.variables.iter().copied());
        command
    }
}

impl Served {
    /// Builds a project, migrates the runtime's tables, makes an administrator and serves.
    pub fn start(project: &Project, name: &str, url: &str) -> Self {
        let built = Built::of(project, name, url);
        built.console("migrate");
        built.serve(&built.administrator())
    }

    /// Requests of its administrator.
    pub fn admin(&self) -> Client {
        Client::new(&self.base, Some(&self.token))
    }

    /// Requests with another token.
    pub fn with_token(&self, token: &str) -> Client {
        Client::new(&self.base, Some(token))
    }

    /// Requests without a token.
    pub fn guest(&self) -> Client {
        Client::new(&self.base, None)
    }
}

fn console(mut command: Command, args: &str) -> String {
    let output = command.args(args.split(' ')).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Serves on a port of the system's choice.
fn serve(mut command: Command, token: &str) -> Served {
    let process = command
        .args(["serve", "--addr", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    let mut process = process.spawn().expect("the service starts");
    let (sender, receiver) = std::sync::mpsc::channel();
    let outputs: [Option<Box<dyn std::io::Read + Send>>; 2] = [
        process.stdout.take().map(|out| Box::new(out) as _),
        process.stderr.take().map(|out| Box::new(out) as _),
    ];
    for output in outputs.into_iter().flatten() {
        let sender = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let entry: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
                if let Some(address) = entry["address"].as_str() {
                    let _ = sender.send(address.to_owned());
                }
            }
        });
    }
    let address = receiver.recv_timeout(Duration::from_secs(60));
    Served {
        process,
        base: format!("http://{}", address.expect("it listens")),
        token: token.to_owned(),
    }
}
