//! Requests to the restaurant over real HTTP.

mod access;
mod admin;
mod assignment;
mod bills;
mod callers;
mod choices;
mod contract;
mod custom;
mod deliveries;
mod demanded;
#[path = "../../runtime/tests/openapi/described.rs"]
mod described;
mod description;
mod disabled;
mod documents;
mod features;
mod filters;
mod hidden;
mod linkage;
mod loads;
mod nested;
mod nowhere;
mod payloads;
mod permissions;
mod privacy;
mod queries;
mod rendering;
mod shapes;
mod tokens;
mod undone;
mod values;
