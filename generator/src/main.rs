//! The `formwork` binary.

fn main() {}
