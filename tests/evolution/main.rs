//! Schema evolution on a real database: manifests change, migrations follow, and what they lead to
//! is what the last manifests alone would have made.

mod by_hand;
mod database;
mod enum_values;
mod keys;
mod kinds;
mod ladder;
mod limits;
mod names;
mod projects;
mod random;
mod runner;
mod server;
mod values;
mod world;
