//! Each row of the table on real folders, and what crosses rows.

mod conflicted;
pub(crate) mod fixture;
mod git;
mod kinds;
mod moves;
mod owners;
mod rows;
mod styles;
