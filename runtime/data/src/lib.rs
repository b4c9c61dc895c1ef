//! Values, columns, models, relations, queries, transactions and migrations: the data of a service.
//!
//! This crate knows neither HTTP nor callers. It is a part of `formwork`, whose documentation says
//! how it is used.

#![forbid(unsafe_code)]
// Without a driver, which `formwork` asks for, it compiles and opens no database.
#![cfg_attr(
    not(any(feature = "sqlite", feature = "postgres", feature = "mysql")),
    allow(unused, unreachable_code)
)]

pub mod column;
pub mod context;
pub mod copy;
pub mod database;
pub mod decimal;
pub mod error;
pub mod literal;
pub mod migration;
pub mod model;
pub mod query;
pub mod query_as;
pub mod record;
pub mod relations;
pub mod shape;
pub mod value;

pub use context::DataContext;
pub use error::{Error, Result};
/// The trait of [`database::RowStream`] is `futures_core::Stream`.
pub use futures_core;
/// Numbers of [`value::Value`].
pub use rust_decimal;
/// The crate of the conditions that [`query::Query::filter`] takes.
pub use sea_query;
/// Items that [`text_enum!`] expands to.
#[doc(hidden)]
pub use serde;
/// The crate of the pool that [`database::Db::sqlite_pool`] lends.
pub use sqlx;
