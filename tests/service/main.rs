//! The restaurant, asked from outside over real HTTP.

mod access;
mod payloads;
