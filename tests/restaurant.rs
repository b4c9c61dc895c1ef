//! The restaurant as its clients meet it: the real binary, its own process, a database of its own, on SQLite or on
//! the server that `FORMWORK_TEST_DATABASE` names.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::client::Client;
use crate::project::FEATURES;
use crate::server::{self, Database};
use crate::{cargo_build, checkout, target_dir};

/// Longer than the slowest machine takes to start it, or to log something.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running restaurant: seeded database of its own, stopped when dropped.
pub struct Restaurant {
    house: House,
    process: Child,
    base: String,
    log: Arc<Mutex<Vec<String>>>,
    tokens: Tokens,
}

/// Tokens of the administrator, and of the customers alice and bob.
#[derive(Clone)]
struct Tokens([String; 3]);

/// The restaurant that tests of one process share; what they change must not disturb the others.
pub fn shared() -> &'static Restaurant {
    static SHARED: OnceLock<Restaurant> = OnceLock::new();
    SHARED.get_or_init(|| {
        // A database of a server that is never dropped is replaced by the next run in this checkout.
        let name = |server: &String| Database::named(server, shared_name());
        let house = House::on(server::chosen().as_ref().map(name));
        let restaurant = Restaurant::on(house);
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
        .arg(restaurant.house.folder.path())
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
        let args = [&["--locked"], &FEATURES[..]].concat();
        cargo_build(&args, &checkout().join("fixtures/restaurant/Cargo.toml"));
        target_dir().join("debug/restaurant")
    })
}

impl Restaurant {
    /// Serves a database of its own on a free port: seeded, and with tokens.
    pub fn start() -> Self {
        Self::on(House::empty())
    }

    fn on(house: House) -> Self {
        let tokens = house.seed();
        let mut process = house
            .command()
            .args(["serve", "--addr", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the restaurant starts");
        let log = Arc::new(Mutex::new(Vec::new()));
        collect(process.stdout.take(), &log);
        collect(process.stderr.take(), &log);
        let mut restaurant = Self {
            house,
            process,
            base: String::new(),
            log,
            tokens,
        };
        restaurant.wait_until_ready();
        restaurant
    }

    /// Waits until the log says where it listens: the port is the system's choice.
    fn wait_until_ready(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(address) = self.log().iter().find_map(|line| listening(line)) {
                self.base = format!("http://{address}");
                return;
            }
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

    /// The first line of the log, from this one on, that is so; what was done is logged soon.
    pub fn logged(&self, from: usize, so: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let log = self.log();
            if let Some(line) = log[from..].iter().find(|line| so(line)) {
                return line.clone();
            }
            assert!(Instant::now() < deadline, "not logged: {log:#?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A caller without a token.
    pub fn guest(&self) -> Client {
        Client::new(&self.base, None)
    }

    /// The administrator.
    pub fn admin(&self) -> Client {
        Client::new(&self.base, Some(&self.tokens.0[0]))
    }

    /// The customer alice@example.com.
    pub fn alice(&self) -> Client {
        Client::new(&self.base, Some(&self.tokens.0[1]))
    }

    /// The customer bob@example.com.
    pub fn bob(&self) -> Client {
        Client::new(&self.base, Some(&self.tokens.0[2]))
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
        self.house.console(args)
    }
}

impl Drop for Restaurant {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The address of the line that says where the service listens.
fn listening(line: &str) -> Option<String> {
    let entry: serde_json::Value = serde_json::from_str(line).ok()?;
    Some(entry["address"].as_str()?.to_owned())
}

/// Where its rows are: a file in the folder, or a database on a server.
pub struct House {
    folder: TempDir,
    database: Option<Database>,
}

impl House {
    /// Without tables.
    pub fn empty() -> Self {
        let server = server::chosen();
        Self::on(server.map(|server| Database::beside(&server)))
    }

    fn on(database: Option<Database>) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        Self { folder, database }
    }

    /// Migrates and seeds the database, and issues tokens. On SQLite it is done once a process, and copied.
    fn seed(&self) -> Tokens {
        static SEEDED: OnceLock<(Vec<u8>, Tokens)> = OnceLock::new();
        if self.database.is_some() {
            return self.seed_by_console();
        }
        let (rows, tokens) = SEEDED.get_or_init(|| {
            let tokens = self.seed_by_console();
            (fs::read(self.file()).expect("the database"), tokens)
        });
        fs::write(self.file(), rows).expect("a copy of the database");
        tokens.clone()
    }

    fn seed_by_console(&self) -> Tokens {
        let run = |args: &[&str]| {
            let (done, out, errors) = self.console(args);
            assert!(done, "{args:?}: {errors}");
            out
        };
        run(&["migrate"]);
        run(&["seed"]);
        let accounts: [&[&str]; 3] = [
            &["admin@example.com", "--admin"],
            &["alice@example.com"],
            &["bob@example.com"],
        ];
        Tokens(accounts.map(|account| {
            let text = run(&[&["token", "--name", "tests", "--email"], account].concat());
            let mut lines = text.lines();
            let token = lines.find_map(|line| line.strip_prefix("Access Token: "));
            token.unwrap_or_else(|| panic!("no token: {text}")).into()
        }))
    }

    /// Runs a console command of the project; returns success, output and errors.
    pub fn console(&self, args: &[&str]) -> (bool, String, String) {
        let output = self.command().args(args).output();
        let output = output.expect("the restaurant starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, errors) = (text(&output.stdout), text(&output.stderr));
        (output.status.success(), out, errors)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("restaurant.sqlite")
    }

    fn command(&self) -> Command {
        let file = || format!("sqlite://{}", self.file().display());
        let url = self.database.as_ref().map_or_else(file, Database::url);
        let mut command = Command::new(program());
        command
            .current_dir(checkout().join("fixtures/restaurant"))
            .env("DATABASE_URL", url)
            .env("FORMWORK_LOG__FORMAT", "json")
            .env("FORMWORK_API__RATE_LIMIT", "0");
        command
    }
}

/// Another checkout on the same server has another name.
fn shared_name() -> String {
    let mut hasher = DefaultHasher::new();
    target_dir().hash(&mut hasher);
    format!("restaurant_{:x}", hasher.finish())
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
