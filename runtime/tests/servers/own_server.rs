//! A server of a test's own, with its data on the disk: PostgreSQL's or MariaDB's.

use std::{
    io::Read,
    net::{TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use formwork::testing::Service;
use tempfile::TempDir;

use crate::{
    programs::{as_postgres, is_root, program, run, user},
    skipped::address,
};

/// The kinds of server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Postgres,
    Mariadb,
}

/// The file that it logs to. MariaDB adds `.err` to a name without an ending.
const LOG: &str = "log.err";

/// A server in a temporary folder. It is stopped when it is dropped.
pub struct OwnServer {
    kind: Kind,
    folder: TempDir,
    port: u16,
    /// MariaDB's process; PostgreSQL's has a program of its own that stops it.
    process: Mutex<Option<Child>>,
    /// Whether it has a certificate, and takes connections with TLS.
    tls: bool,
}

impl OwnServer {
    /// Creates and starts one; `None` where the tests have no server of this kind, which it says.
    pub fn start(kind: Kind) -> Option<Self> {
        Self::create(kind, false)
    }

    /// As [`OwnServer::start`], with a certificate for 127.0.0.1 that it signed itself.
    pub fn with_tls(kind: Kind) -> Option<Self> {
        Self::create(kind, true)
    }

    fn create(kind: Kind, tls: bool) -> Option<Self> {
        let variable = match kind {
            Kind::Postgres => "FORMWORK_TEST_POSTGRES_URL",
            Kind::Mariadb => "FORMWORK_TEST_MYSQL_URL",
        };
        address(variable)?;
        let folder = tempfile::tempdir().expect("a folder");
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let process = Mutex::new(None);
        let server = Self {
            kind,
            folder,
            port,
            process,
            tls,
        };
        if tls {
            certify(&server.path(""), "server");
        }
        server.lay();
        server.run();
        Some(server)
    }

    /// The address of its database.
    pub fn url(&self) -> String {
        match self.kind {
            Kind::Postgres => format!("postgres://postgres@127.0.0.1:{}/postgres", self.port),
            Kind::Mariadb => format!("mysql://root@127.0.0.1:{}/test", self.port),
        }
    }

    /// The file of its certificate.
    pub fn certificate(&self) -> String {
        self.path("server.crt").display().to_string()
    }

    /// Its log so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path(LOG)).unwrap_or_default()
    }

    /// Logs all statements from here on: PostgreSQL to [`OwnServer::log`], MariaDB to a table.
    pub fn log_statements(&self, service: &Service) {
        let statements = match self.kind {
            Kind::Postgres => [
                "ALTER SYSTEM SET log_statement = 'all'",
                "SELECT pg_reload_conf()::text",
            ],
            Kind::Mariadb => [
                "SET GLOBAL log_output = 'TABLE'",
                "SET GLOBAL general_log = 1",
            ],
        };
        let db = service.context().db().clone();
        for sql in statements {
            service.block_on(db.rows(sql, [])).expect("set");
        }
        if self.kind == Kind::Postgres {
            thread::sleep(Duration::from_millis(500));
        }
    }

    /// Another certificate for the same address.
    pub fn other_certificate(&self) -> String {
        certify(&self.path(""), "other");
        self.path("other.crt").display().to_string()
    }

    /// Starts it, and waits until it answers.
    pub fn run(&self) {
        match self.kind {
            Kind::Postgres => self.run_postgres(),
            Kind::Mariadb => self.run_mariadb(),
        }
    }

    /// Ends its processes at once, as a crash does.
    pub fn kill(&self) {
        match self.kind {
            Kind::Postgres => run(&mut self.stop_postgres()),
            Kind::Mariadb => self.kill_mariadb(),
        }
    }

    /// Creates its data.
    fn lay(&self) {
        match self.kind {
            Kind::Postgres => {
                if is_root() {
                    let mut owner = Command::new("chown");
                    run(owner.args(["-R", "postgres"]).arg(self.path("")));
                }
                let mut create = as_postgres("initdb");
                create.args(["-A", "trust", "-U", "postgres", "-D"]);
                run(create.arg(self.path("data")));
            }
            Kind::Mariadb => {
                let mut create = program("mariadb-install-db");
                create.args(["--no-defaults", "--auth-root-authentication-method=normal"]);
                create.arg(format!("--user={}", user()));
                create.arg(self.own_tmpdir());
                run(create.arg(format!("--datadir={}", self.path("data").display())));
            }
        }
    }

    fn run_postgres(&self) {
        let folder = self.path("").display().to_string();
        let mut options = format!("-p {} -h 127.0.0.1 -k {folder}", self.port);
        if self.tls {
            let files =
                format!("-c ssl_cert_file={folder}server.crt -c ssl_key_file={folder}server.key");
            options = format!("{options} -c ssl=on {files}");
        }
        let mut start = as_postgres("pg_ctl");
        start.args(["-w", "-o", &options, "-l"]).arg(self.path(LOG));
        run(start.arg("-D").arg(self.path("data")).arg("start"));
    }

    fn stop_postgres(&self) -> Command {
        let mut stop = as_postgres("pg_ctl");
        stop.args(["-m", "immediate", "-D"]);
        stop.arg(self.path("data")).arg("stop");
        stop
    }

    /// A MariaDB that starts removes the temporary tables of all others in its folder for them.
    fn own_tmpdir(&self) -> String {
        format!("--tmpdir={}", self.folder.path().display())
    }

    fn run_mariadb(&self) {
        let mut start = program("mariadbd");
        start.args(["--no-defaults", "--bind-address=127.0.0.1"]);
        start.arg(format!("--user={}", user()));
        start.arg(self.own_tmpdir());
        start.arg(format!("--port={}", self.port));
        for (option, file) in [
            ("datadir", "data"),
            ("socket", "socket"),
            ("log-error", LOG),
        ] {
            start.arg(format!("--{option}={}", self.path(file).display()));
        }
        if self.tls {
            for (option, file) in [("ssl-cert", "server.crt"), ("ssl-key", "server.key")] {
                start.arg(format!("--{option}={}", self.path(file).display()));
            }
        }
        let process = start.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        *self.process.lock().expect("no panic") = Some(process.expect("it starts"));
        let began = Instant::now();
        while !self.greets() {
            assert!(began.elapsed() < Duration::from_secs(60), "{}", self.log());
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Whether MariaDB greets who connects: it says its version first.
    fn greets(&self) -> bool {
        let greeted = TcpStream::connect(("127.0.0.1", self.port));
        greeted.is_ok_and(|mut stream| stream.read(&mut [0]).is_ok_and(|read| read == 1))
    }

    fn kill_mariadb(&self) {
        let process = self.process.lock().expect("no panic").take();
        let mut process = process.expect("it runs");
        process.kill().expect("it is killed");
        process.wait().expect("it ended");
    }

    /// A file in its folder; the folder with a slash at its end for "".
    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        // It may be stopped already.
        match self.kind {
            Kind::Postgres => {
                let mut stop = self.stop_postgres();
                drop(stop.stdout(Stdio::null()).stderr(Stdio::null()).status());
            }
            Kind::Mariadb => {
                let process = self.process.get_mut().ok().and_then(Option::take);
                if let Some(mut process) = process {
                    drop(process.kill().and_then(|()| process.wait()));
                }
            }
        }
    }
}

/// The request for a certificate. One that may sign others would be refused as a server's.
const REQUEST: &str = "[req]\ndistinguished_name = name\nx509_extensions = server\nprompt = no\n\
    [name]\nCN = localhost\n\
    [server]\nbasicConstraints = CA:FALSE\nsubjectAltName = IP:127.0.0.1,DNS:localhost\n";

/// Writes a key and a certificate that it signed itself.
fn certify(folder: &std::path::Path, name: &str) {
    let request = folder.join("request");
    std::fs::write(&request, REQUEST).expect("written");
    let mut openssl = Command::new("openssl");
    openssl.args(["req", "-x509", "-nodes", "-days", "2", "-newkey", "ec"]);
    openssl.args(["-pkeyopt", "ec_paramgen_curve:prime256v1", "-config"]);
    openssl
        .arg(request)
        .arg("-keyout")
        .arg(folder.join(format!("{name}.key")));
    openssl.arg("-out").arg(folder.join(format!("{name}.crt")));
    run(openssl.stderr(Stdio::null()));
}
