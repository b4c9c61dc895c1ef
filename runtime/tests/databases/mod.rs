//! The tests run on SQLite, or on the server that `FORMWORK_TEST_DATABASE` names (`postgres`,
//! `mysql`).

mod pouring;

use formwork::prelude::Migration;

use pouring::{KINDS, poured};

/// One migration with these tables, for each database.
pub fn migration(version: i64, name: &'static str, sql: &str) -> &'static [Migration] {
    let sql = KINDS.map(|kind| (kind, &*poured(sql, kind).leak()));
    let sql = sql.to_vec().leak();
    vec![Migration { version, name, sql }].leak()
}
