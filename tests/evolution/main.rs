//! Schema evolution (regeneration.md) on a real database: manifests change, migrations follow, and what they lead to
//! is what the last manifests alone would have made.

mod database;
mod ladder;
mod projects;
mod random;
mod values;
mod world;
