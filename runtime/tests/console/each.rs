//! Commands on each database: several at once, and statements that take longer than requests may.

use std::{
    env,
    process::{Command, Stdio},
    time::Duration,
};

use formwork::prelude::*;
use formwork_data::{
    database::{DatabaseOptions, Db, create_temporary, remove_temporary},
    value::Uuid,
};
use tokio::{runtime::Runtime, time::sleep};

use super::program::{command, project};

/// Set where the service only has a migration and a seed whose statements take two seconds.
pub const SLOW: &str = "LIBRARY_SLOW";

/// Takes its time.
pub struct Slow;

const WAIT: [(&str, &str); 3] = [
    ("sqlite", "SELECT 1;"),
    ("postgres", "SELECT pg_sleep(2)::text;"),
    ("mysql", "SELECT SLEEP(2);"),
];

const MIGRATIONS: &[Migration] = &[Migration {
    version: 20260301000000,
    name: "wait",
    sql: &WAIT,
}];

impl Extension for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn migrations(&self) -> &'static [Migration] {
        MIGRATIONS
    }

    fn seed<'a>(&'a self, ctx: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            let kind = ctx.db().dialect().name();
            let mut waits = WAIT.iter().filter(|(it, _)| *it == kind);
            let (_, sql) = waits.next().expect("a statement");
            ctx.db().rows(*sql, []).await.map(drop)
        })
    }
}

/// The servers that are set and compiled, and SQLite.
fn servers() -> Vec<String> {
    let variables = [
        (cfg!(feature = "postgres"), "FORMWORK_TEST_POSTGRES_URL"),
        (cfg!(feature = "mysql"), "FORMWORK_TEST_MYSQL_URL"),
    ];
    let mut servers = vec!["sqlite:".to_owned()];
    for (_, name) in variables.iter().filter(|(compiled, _)| *compiled) {
        match env::var(name) {
            Ok(server) => servers.push(server),
            Err(_) => println!("skipped: {name} is not set"),
        }
    }
    servers
}

/// A database on a server, and a folder of a service on it.
struct House {
    runtime: Runtime,
    server: String,
    name: String,
    url: String,
    folder: tempfile::TempDir,
    slow: bool,
}

impl House {
    fn on(server: &str, slow: bool) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let name = format!("house_{}", Uuid::now_v7().simple());
        let url = runtime.block_on(create_temporary(server, &name));
        Self {
            runtime,
            server: server.to_owned(),
            name,
            url: url.expect("a database"),
            folder: project(if slow {
                "{}"
            } else {
                "auth: { customers: members }\n"
            }),
            slow,
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(self.folder.path(), arguments);
        if self.slow {
            command.env(SLOW, "1");
        }
        command
            .env("DATABASE_URL", &self.url)
            .env("FORMWORK_DATABASE__STATEMENT_TIMEOUT", "1s")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    #[track_caller]
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        let (server, done) = (&self.server, output.status.success());
        assert!(done, "{server} {arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn db(&self) -> Db {
        let options = DatabaseOptions::new(&self.url);
        let db = self.runtime.block_on(Db::connect(&options));
        db.expect("connected")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let removed = self
            .runtime
            .block_on(remove_temporary(&self.server, &self.name));
        removed.expect("removed");
    }
}

/// Replicas that start at once all migrate; each migration is applied by one of them.
pub fn several_migrate_at_once() {
    for server in servers() {
        let house = House::on(&server, false);
        let children = (0..4).map(|_| house.command(&["migrate"]).spawn().expect("it starts"));
        let mut applied = Vec::new();
        for child in children.collect::<Vec<_>>() {
            let output = child.wait_with_output().expect("it ends");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{server}: {errors}");
            let printed = String::from_utf8(output.stdout).expect("text");
            let lines = printed.lines().filter(|line| line.starts_with("applied"));
            applied.extend(lines.map(str::to_owned));
        }
        let status = house.printed(&["migrate", "--status"]);
        let mut expected: Vec<_> = status.lines().map(str::to_owned).collect();
        expected.sort();
        applied.sort();
        assert_eq!(applied, expected, "{server}");
    }
}

/// `database.statement_timeout` is for requests: migrations, seeds and copies take as long as they
/// need, and wait for locks.
pub fn commands_take_their_time() {
    for server in servers() {
        let (old, new) = (House::on(&server, true), House::on(&server, true));
        for house in [&old, &new] {
            let applied = house.printed(&["migrate"]);
            assert!(applied.contains("wait (slow)"), "{applied}");
        }
        assert_eq!(old.printed(&["seed"]), "Seeded.\n");
        let db = new.db();
        let lock = match db.dialect().name() {
            "postgres" => "LOCK TABLE admin_users IN ACCESS EXCLUSIVE MODE",
            "mysql" => "LOCK TABLES admin_users WRITE",
            _ => "DELETE FROM admin_users",
        };
        let copied = new.runtime.block_on(async {
            let transaction = db.begin().await.expect("begun");
            let locked = transaction.db().execute(lock, []).await;
            locked.expect("locked");
            let mut copy = new.command(&["copy", "--from", &old.url]);
            let copy = copy.spawn().expect("it starts");
            sleep(Duration::from_secs(3)).await;
            // MariaDB's locks of tables end with the connection.
            drop(transaction);
            db.close().await;
            copy.wait_with_output().expect("it ends")
        });
        let errors = String::from_utf8_lossy(&copied.stderr);
        assert!(copied.status.success(), "{server}: {errors}");
    }
}
