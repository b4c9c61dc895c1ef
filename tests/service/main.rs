//! The restaurant, asked from outside over real HTTP.

mod access;
mod assignment;
mod callers;
mod contract;
mod custom;
mod features;
mod filters;
mod hidden;
mod linkage;
mod nested;
mod payloads;
mod privacy;
mod queries;
mod rendering;
mod shapes;
mod tokens;
mod values;
