//! The restaurant, asked from outside over real HTTP.

mod access;
mod contract;
mod custom;
mod payloads;
mod queries;
mod tokens;
mod values;
