//! A service with layers and routes of its own, and the same in axum, as processes of their own.

pub mod own;
pub mod plain;
pub mod traffic;

use std::env;
use std::process::ExitCode;

/// Set where this program is a server: which one.
pub const SERVE: &str = "FORMWORK_BENCH_SERVE";

/// Where the servers in axum listen.
pub const ADDRESS: &str = "FORMWORK_BENCH_ADDRESS";

/// Serves, where this program was started for that.
pub fn served() -> Option<ExitCode> {
    let server = env::var(SERVE).ok()?;
    if server == "own" {
        return Some(own::service().console());
    }
    let address = env::var(ADDRESS).expect("an address");
    plain::serve(&address, server == "usual");
    Some(ExitCode::SUCCESS)
}
