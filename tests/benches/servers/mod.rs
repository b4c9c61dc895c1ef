//! The services of the bench, as processes of their own.

pub mod by_hand;
mod own;
pub mod tables;

use std::env;
use std::process::ExitCode;

/// Set where this program is a server: which one.
pub const SERVE: &str = "FORMWORK_BENCH_SERVE";

/// Where the servers in axum listen.
pub const ADDRESS: &str = "FORMWORK_BENCH_ADDRESS";

/// The databases that are servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Postgres,
    Mysql,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Postgres, Self::Mysql];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
        }
    }

    /// The variable with the server's address.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Postgres => "FORMWORK_TEST_POSTGRES_URL",
            Self::Mysql => "FORMWORK_TEST_MYSQL_URL",
        }
    }
}

/// Serves, where this program was started for that.
pub fn served() -> Option<ExitCode> {
    let server = env::var(SERVE).ok()?;
    let set = |name| env::var(name).expect("a variable");
    match Kind::ALL.into_iter().find(|kind| kind.name() == server) {
        None => Some(own::service().console()),
        Some(kind) => {
            by_hand::serve(kind, &set("DATABASE_URL"), &set(ADDRESS));
            Some(ExitCode::SUCCESS)
        }
    }
}
