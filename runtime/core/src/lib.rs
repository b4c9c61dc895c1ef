//! Access, resources, requests, renderings, actions and routes of a service.
//!
//! A part of `formwork`, whose documentation says how it is used.

#![forbid(unsafe_code)]
// The threshold is in `clippy.toml`. Tests may move what they like.
#![cfg_attr(not(test), warn(clippy::large_futures))]

pub mod accounts;
pub mod action;
pub mod auth;
pub mod authenticate;
mod budget;
pub mod changes;
pub mod claims;
mod clock;
pub mod command;
pub mod config;
pub mod context;
pub mod controller;
pub mod custom_rule;
pub mod custom_serializer;
pub mod decisions;
pub mod default;
mod document;
pub mod etag;
pub mod extension;
pub mod filters;
mod idempotency;
mod idempotency_keys;
pub mod includes;
pub mod input;
pub mod limits;
mod links;
pub mod loaded;
pub mod loader;
mod outline;
pub mod params;
mod per_caller;
pub mod permission;
pub mod registry;
pub mod rendering;
pub mod repository;
pub mod request;
pub mod resource;
pub mod response;
pub mod route;
pub mod routing;
mod rows;
pub mod serializer;
pub mod shared;
pub mod source;
pub mod state;
pub mod status;
pub mod tag_key;
pub mod transformer;
pub mod type_map;
mod typed;
mod windows;
