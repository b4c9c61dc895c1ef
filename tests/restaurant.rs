//! The restaurant as its clients meet it: the real binary, its own process, a database of its own.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::client::Client;
use crate::{cargo_build, checkout, free_port, target_dir};

/// A running restaurant: seeded database in a folder of its own, stopped when dropped.
pub struct Restaurant {
    folder: TempDir,
    process: Child,
    base: String,
    log: Arc<Mutex<Vec<String>>>,
    admin: String,
    alice: String,
    bob: String,
}

/// The restaurant that tests of one process share; what they change must not disturb the others.
pub fn shared() -> &'static Restaurant {
    static SHARED: OnceLock<Restaurant> = OnceLock::new();
    SHARED.get_or_init(|| {
        let restaurant = Restaurant::start();
        stop_after_this_process(&restaurant);
        restaurant
    })
}

/// What is static is never dropped. A shell waits for its input to end, which this process's end
/// brings about, stops the service and clears away its folder.
fn stop_after_this_process(restaurant: &Restaurant) {
    static WATCH: OnceLock<Child> = OnceLock::new();
    WATCH.get_or_init(|| watch(restaurant));
}

fn watch(restaurant: &Restaurant) -> Child {
    Command::new("sh")
        .args(["-c", "read -r _; kill \"$0\"; rm -rf \"$1\""])
        .arg(restaurant.process.id().to_string())
        .arg(restaurant.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell starts")
}

/// The restaurant's binary, built in the shared target folder.
fn program() -> &'static PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        cargo_build(
            &["--locked"],
            &checkout().join("fixtures/restaurant/Cargo.toml"),
        );
        target_dir().join("debug/restaurant")
    })
}

impl Restaurant {
    /// Migrates and seeds a new database, issues tokens by console, and serves on a free port.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// As [`Restaurant::start`], with further environment variables.
    pub fn start_with(environment: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let console = |args: &[&str]| {
            let output = command(&folder, environment)
                .args(args)
                .output()
                .expect("the restaurant starts");
            assert!(
                output.status.success(),
                "{args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            String::from_utf8(output.stdout).expect("text")
        };
        console(&["migrate"]);
        console(&["seed"]);
        let token = |args: &[&str]| {
            let text = console(&[&["token", "--name", "tests", "--email"], args].concat());
            let token = text
                .lines()
                .find_map(|line| line.strip_prefix("Access Token: "));
            token
                .unwrap_or_else(|| panic!("no token: {text}"))
                .to_owned()
        };
        let admin = token(&["admin@example.com", "--admin"]);
        let (alice, bob) = (token(&["alice@example.com"]), token(&["bob@example.com"]));
        let port = free_port();
        let mut process = command(&folder, environment)
            .args(["serve", "--addr", &format!("127.0.0.1:{port}")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the restaurant starts");
        let log = Arc::new(Mutex::new(Vec::new()));
        collect(process.stdout.take(), &log);
        collect(process.stderr.take(), &log);
        let base = format!("http://127.0.0.1:{port}");
        let mut restaurant = Self {
            folder,
            process,
            base,
            log,
            admin,
            alice,
            bob,
        };
        restaurant.wait_until_ready();
        restaurant
    }

    fn wait_until_ready(&mut self) {
        let address = self.base.trim_start_matches("http://").to_owned();
        let deadline = Instant::now() + Duration::from_secs(20);
        while std::net::TcpStream::connect(&address).is_err() {
            assert!(
                Instant::now() < deadline,
                "not listening: {:#?}",
                self.log()
            );
            if let Ok(Some(status)) = self.process.try_wait() {
                panic!("stopped at once ({status}): {:#?}", self.log());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A caller without a token.
    pub fn guest(&self) -> Client {
        Client::new(&self.base, None)
    }

    /// The administrator.
    pub fn admin(&self) -> Client {
        Client::new(&self.base, Some(&self.admin))
    }

    /// The customer alice@example.com.
    pub fn alice(&self) -> Client {
        Client::new(&self.base, Some(&self.alice))
    }

    /// The customer bob@example.com.
    pub fn bob(&self) -> Client {
        Client::new(&self.base, Some(&self.bob))
    }

    /// A caller with any token.
    pub fn with_token(&self, token: &str) -> Client {
        Client::new(&self.base, Some(token))
    }

    /// `http://127.0.0.1:<port>`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Process id of the service.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// What the service has logged so far, a line each.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().expect("the log").clone()
    }

    /// Runs a console command of the project against the same database; returns success, output and errors.
    pub fn console(&self, args: &[&str]) -> (bool, String, String) {
        let output = command(&self.folder, &[])
            .args(args)
            .output()
            .expect("the restaurant starts");
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.success(),
            text(&output.stdout),
            text(&output.stderr),
        )
    }
}

impl Drop for Restaurant {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(folder: &TempDir, environment: &[(&str, &str)]) -> Command {
    let database = folder.path().join("restaurant.sqlite");
    let mut command = Command::new(program());
    command
        .current_dir(checkout().join("fixtures/restaurant"))
        .env("DATABASE_URL", format!("sqlite://{}", database.display()))
        .env("FORMWORK_LOG__FORMAT", "json")
        .env("FORMWORK_API__RATE_LIMIT", "0")
        .envs(environment.iter().copied());
    command
}

fn collect(stream: Option<impl std::io::Read + Send + 'static>, log: &Arc<Mutex<Vec<String>>>) {
    let Some(stream) = stream else { return };
    let log = Arc::clone(log);
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            log.lock().expect("the log").push(line);
        }
    });
}
