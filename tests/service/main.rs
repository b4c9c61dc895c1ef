//! Requests to the restaurant over real HTTP.

mod admin;
mod assignment;
mod bills;
mod callers;
mod choices;
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
mod payloads;
mod permissions;
mod privacy;
mod rendering;
mod shapes;
mod tokens;
mod undone;
mod values;
