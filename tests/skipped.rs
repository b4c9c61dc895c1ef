//! Tests that need what this machine does not have say so.

use std::io::{self, Write};

/// Says that a test, or a part of it, was skipped. `.ci/run` looks for the line on the standard output,
/// which libtest shows of failed tests alone; what is written to the error output it does not hold
/// back, so that `cargo test` tells it as well.
pub fn skipped(why: &str) {
    println!("skipped: {why}");
    // Without an error output it is told on the other one.
    let _ = io::stderr().write_all(format!("skipped: {why}\n").as_bytes());
}

/// The address of a server that this variable holds; `None` where it is not set, which it says.
pub fn address(variable: &str) -> Option<String> {
    let address = std::env::var(variable).ok();
    if address.is_none() {
        skipped(&format!("{variable} is not set"));
    }
    address
}
