//! `formwork import`: manifests from the tables of a live database.
//!
//! [`read`] asks the database for its catalogue; [`describe`] makes manifests of it, without a database;
//! [`write`] prints them as YAML, with what was guessed in comments; [`known`] lists the manifests that are there, and
//! [`settle`] merges with them.

pub mod catalogue;
pub mod describe;
pub mod known;
pub mod read;
pub mod settle;
pub mod write;
