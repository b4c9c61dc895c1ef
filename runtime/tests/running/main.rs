//! Concurrency and running, over real HTTP: docs/contract.md, "Errors" (entity tags), "Limits and running".

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../http/kitchen.rs"]
#[allow(dead_code, reason = "the tests of its own look at more of it")]
mod kitchen;

mod connections;
mod costly_hashes;
mod disk;
mod endless;
mod ends;
mod forwarded_bytes;
#[cfg(unix)]
mod fronts;
mod gate;
mod guards;
mod heads;
mod limits;
mod log;
mod logins;
mod logs;
mod metrics;
mod once;
mod oven;
mod parcels;
mod passwords;
mod pool;
mod raw;
mod replicas;
#[path = "../../../tests/skipped.rs"]
#[allow(dead_code, reason = "Redis and proxies are optional")]
mod skipped;
mod statuses;
mod stop;
#[path = "../http/support.rs"]
mod support;
mod tags;
mod turns;
mod unread;

use formwork::{config::Config, extension::Extension, testing::Service};

fn config(yaml: &str) -> Config {
    Config::from_sources(yaml, []).expect("a configuration")
}

/// The kitchen with its oven, without a limit on requests.
fn configured(yaml: &str) -> Service {
    Service::with_config(config(yaml), extensions())
}

/// The same with the limit on requests that is configured.
fn limited(yaml: &str) -> Service {
    Service::limited(config(yaml), extensions())
}

/// The kitchen, open and empty.
fn kitchen() -> Service {
    configured("")
}

fn extensions() -> Vec<Box<dyn Extension>> {
    vec![Box::new(kitchen::Kitchen), Box::new(oven::Oven::default())]
}

/// Runs a test in a process of its own, in which this returns false.
fn run_alone(test: &str) -> bool {
    const ALONE: &str = "FORMWORK_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return false;
    }
    let program = std::env::current_exe().expect("this program");
    let mut command = std::process::Command::new(program);
    let run = command.args(["--exact", test]).env(ALONE, "1").output();
    let run = run.expect("a process");
    let passed = String::from_utf8_lossy(&run.stdout).contains("1 passed");
    assert!(run.status.success() && passed, "{run:?}");
    true
}
