//! `formwork demo`: the restaurant, laid out, built, migrated, seeded and served.

mod database;

use std::io::IsTerminal as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::{env, fs, io};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use self::database::DemoDatabase;
use super::new;
use crate::cargo;
use crate::cli::{Cli, DemoArgs, Example, Format};
use crate::exit::Exit;
use crate::report::quoted;
use crate::run::checkout;
use crate::run::print::{self, Answer};

/// The number of ports that are tried after the requested one.
const PORTS_TRIED: u16 = 20;

/// Lays the restaurant into `args.path` (unless it is there), builds it, migrates and seeds its database,
/// issues an administrator's token, prints it with requests to try, and serves.
///
/// # Errors
/// When the folder or a server's database holds something else, no port is free, or a step fails.
pub fn run(cli: &Cli, args: &DemoArgs) -> Result<Exit> {
    let is_json = cli.format == Format::Json;
    let say = |text: &str| {
        if !cli.quiet {
            print::err(&format!("{text}\n"));
        }
    };
    let database = DemoDatabase::new(args.database_url.as_deref())?;
    lay_out(&args.path, &say)?;
    let folder = args
        .path
        .canonicalize()
        .with_context(|| args.path.display().to_string())?;
    let port = free_port(args)?;
    let is_fresh = database.is_fresh(&folder)?;
    let program = build(cli, &folder, &database, &say)?;
    let service = Service {
        program,
        folder,
        database,
    };
    service.fill(is_fresh, &say)?;
    let token = service.token()?;
    if port != args.port {
        say(&format!("Port {} is taken: using {port}.", args.port));
    }
    match is_json {
        true => answer(args, port, &token)?,
        false => introduce(args, port, &token)?,
    }
    if !args.no_serve {
        service.serve(port)?;
    }
    Ok(Exit::Done)
}

/// Lays the files into a folder that is missing or empty; keeps a restaurant that is there.
fn lay_out(path: &Path, say: &impl Fn(&str)) -> Result<()> {
    if path.join("formwork.yaml").is_file() {
        say(&format!(
            "Step 1 of 3: {} has a restaurant; its files stay as they are.",
            path.display()
        ));
        return Ok(());
    }
    if path.is_dir() && fs::read_dir(path)?.next().is_some() {
        bail!(
            "{} holds other files: name another folder with --path",
            path.display()
        );
    }
    say(&format!(
        "Step 1 of 3: writing the restaurant into {}.",
        path.display()
    ));
    new::lay_out(Example::Restaurant, path)
}

/// The port that was asked for, else the next one that is free.
fn free_port(args: &DemoArgs) -> Result<u16> {
    if args.no_serve {
        return Ok(args.port);
    }
    let ports = args.port..=args.port.saturating_add(PORTS_TRIED);
    for port in ports {
        match TcpListener::bind(("127.0.0.1", port)) {
            Ok(_) => return Ok(port),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("port {port}")),
        }
    }
    bail!(
        "port {} and the {PORTS_TRIED} after it are taken: name another with --port",
        args.port
    )
}

/// Builds the project with the driver of its database, and returns its binary. On a terminal, cargo shows its
/// progress.
fn build(
    cli: &Cli,
    folder: &Path,
    database: &DemoDatabase,
    say: &impl Fn(&str),
) -> Result<PathBuf> {
    // The program is started in another folder than cargo is.
    let target = std::path::absolute(checkout::target_dir(folder))?;
    let estimate = match target.join("debug/restaurant").exists() {
        true => "some seconds if it was built before",
        false => "one to two minutes",
    };
    say(&format!(
        "Step 2 of 3: building the restaurant, {estimate}."
    ));
    let mut cargo = cargo::command();
    cargo
        .args(["build", "--no-default-features", "--features"])
        .arg(database.features())
        .args(["--message-format", "json-render-diagnostics"])
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target)
        .stderr(Stdio::inherit());
    if cli.quiet || !io::stderr().is_terminal() {
        cargo.arg("--quiet");
    }
    let output = cargo
        .output()
        .context("cargo does not start: is Rust installed?")?;
    ensure!(
        output.status.success(),
        "the restaurant does not compile: see cargo's errors above"
    );
    executable(&output.stdout).context("cargo built no program")
}

/// Returns the program that cargo's messages name: with `build.target` it is in a folder of that target.
/// Source: <https://doc.rust-lang.org/cargo/reference/external-tools.html#artifact-messages>
fn executable(messages: &[u8]) -> Option<PathBuf> {
    let messages = serde_json::Deserializer::from_slice(messages).into_iter::<Value>();
    let programs = messages.map_while(Result::ok);
    let programs = programs.filter_map(|message| Some(message["executable"].as_str()?.into()));
    programs.last()
}

/// The restaurant's own binary, run in its folder.
struct Service<'a> {
    program: PathBuf,
    folder: PathBuf,
    database: DemoDatabase<'a>,
}

impl Service<'_> {
    /// The demo has a database of its own, whatever the environment names: its passwords are
    /// public.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(&self.folder);
        let variables = env::vars_os().map(|(name, _)| name);
        let settings = variables.filter(|name| name.to_string_lossy().starts_with("FORMWORK_"));
        settings.for_each(|name| {
            command.env_remove(name);
        });
        command.env("DATABASE_URL", self.database.url());
        command
    }

    /// Migrates the database, and seeds it the first time.
    fn fill(&self, is_fresh: bool, say: &impl Fn(&str)) -> Result<()> {
        if is_fresh {
            self.database.begin(&self.folder)?;
        }
        say("Step 3 of 3: migrating and seeding the database.");
        self.run(&["migrate"], "migrate")?;
        if is_fresh {
            self.run(&["seed"], "seed")?;
            self.database.finish(&self.folder)?;
        }
        Ok(())
    }

    fn run(&self, args: &[&str], step: &str) -> Result<()> {
        let output = self
            .command(args)
            .output()
            .with_context(|| self.program.display().to_string())?;
        ensure!(
            output.status.success(),
            "the step `{step}` failed ({}):\n{}",
            describe(output.status),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }

    /// An administrator's token, issued by the service's console.
    fn token(&self) -> Result<String> {
        let args = [
            "token",
            "--name",
            "demo",
            "--email",
            "admin@example.com",
            "--admin",
        ];
        let output = self.command(&args).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let token = text
            .lines()
            .find_map(|line| line.strip_prefix("Access Token: "));
        token.map(str::to_owned).with_context(|| {
            format!(
                "no token was issued:\n{text}{}",
                String::from_utf8_lossy(&output.stderr)
            )
        })
    }

    /// Serves until it is stopped. The links that the service prints were printed before.
    fn serve(&self, port: u16) -> Result<()> {
        let address = format!("127.0.0.1:{port}");
        let mut command = self.command(&["serve", "--addr", &address]);
        let status = command.stdout(Stdio::null()).status()?;
        ensure!(
            status.success(),
            "the service stopped ({})",
            describe(status)
        );
        Ok(())
    }
}

fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(
        || "a signal".to_owned(),
        |code| format!("exit status {code}"),
    )
}

/// Prints the links, the accounts, a token, and requests to try.
fn introduce(args: &DemoArgs, port: u16, token: &str) -> Result<()> {
    let base = format!("http://127.0.0.1:{port}");
    print::out(&format!(
        "\
The restaurant is ready. It is for trying only: its accounts and passwords are public.

  API           {base}/api/menus
  Reference     {base}/api/docs
  Admin area    {base}/admin    (sign in as admin, password formwork)

  customers     alice@example.com, bob@example.com    (password formwork)
  access token  {token}    (of the administrator)

Try:

  curl {base}/api/menus
  curl '{base}/api/menus?include=categories&sort=-menu_price&pageLimit=5'
  curl -H 'Authorization: Bearer {token}' {base}/api/orders
  curl -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' \\
       -d '{{\"menu_name\": \"Soup of the day\", \"menu_price\": \"4.90\"}}' {base}/api/menus

"
    ))?;
    print::out(&match args.no_serve {
        true => format!("Start it with: {}\n", start(args, port)),
        false => format!("Serving on {base}, press Ctrl+C to stop.\n"),
    })
}

/// The same for programs; it is printed before the service starts.
fn answer(args: &DemoArgs, port: u16, token: &str) -> Result<()> {
    let rest = json!({
        "path": args.path,
        "url": format!("http://127.0.0.1:{port}"),
        "token": token,
        "start": start(args, port),
    });
    print::json(&Answer::done("demo", rest))
}

/// The command that starts what is there.
fn start(args: &DemoArgs, port: u16) -> String {
    let path = quoted(&args.path.display().to_string());
    let database = args.database_url.as_deref();
    let database = database.map(|url| format!(" --database-url {}", quoted(url)));
    format!(
        "formwork demo --path {path} --port {port}{}",
        database.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_where_cargo_says() {
        let library = r#"{"reason":"compiler-artifact","executable":null}"#;
        let program =
            r#"{"reason":"compiler-artifact","executable":"/target/riscv/debug/restaurant"}"#;
        let messages = format!("{library}\n{program}\n{{\"reason\":\"build-finished\"}}\n");
        let path = Path::new("/target/riscv/debug/restaurant");
        assert_eq!(executable(messages.as_bytes()).as_deref(), Some(path));
        assert_eq!(executable(library.as_bytes()), None);
    }
}
