//! `formwork import` on real databases: what it writes, what it keeps, and what the poured service answers.

mod again;
mod database;
mod django;
mod guests;
mod hints;
mod legacy;
mod legacy_manifests;
mod mysql;
mod mysql_served;
mod names;
mod not_utf8;
mod others;
mod own_schema;
mod postgres;
mod postgres_constraints;
mod postgres_served;
mod postgres_types;
mod relation_names;
mod report;
mod round_trip;
mod served;
mod service;
mod size;
mod slow;
mod sqlite;
mod triggers;
