//! What users read and write: messages about manifests, messages of the compiler, keys of the configuration, the
//! clauses of the HTTP contract, and emitted SQL.

mod config;
mod contract_table;
mod diagnostics;
mod misuse;
mod schema;
