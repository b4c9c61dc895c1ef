//! A poured project's program: built, run, and serving.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use formwork_tests::{printed, project::Project, target_dir};
use serde_json::Value;

/// The program of a project, with the address of a database; without one, that of its settings.
pub struct Program<'p> {
    pub project: &'p Project,
    /// The name of its package.
    pub name: &'static str,
    pub database: Option<String>,
}

impl Program<'_> {
    /// Builds it.
    pub fn build(&self) {
        printed(&mut self.project.cargo(&["build"]));
    }

    /// What a command prints: the words of `cargo run -- …`.
    pub fn run(&self, command: &str) -> String {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        printed(&mut self.command(&arguments))
    }

    /// The service, on a free port.
    pub fn serve(&self) -> Served {
        let mut serve = self.command(&["serve", "--addr", "127.0.0.1:0"]);
        let mut child = serve.stderr(Stdio::piped()).spawn().expect("it starts");
        let log = child.stderr.take().expect("its log");
        let mut lines = BufReader::new(log).lines();
        let address = lines.by_ref().find_map(|line| {
            let line: Value = serde_json::from_str(&line.ok()?).ok()?;
            line["address"].as_str().map(str::to_owned)
        });
        std::thread::spawn(move || lines.for_each(drop));
        let base = format!("http://{}", address.expect("an address"));
        Served { child, base }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut program = Command::new(target_dir().join("debug").join(self.name));
        program
            .args(arguments)
            .current_dir(self.project.root())
            .env_remove("DATABASE_URL");
        if let Some(address) = &self.database {
            program.env("DATABASE_URL", address);
        }
        program
    }
}

/// A running service, stopped when dropped.
pub struct Served {
    child: Child,
    /// `http://127.0.0.1:40000`
    pub base: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
