//! What SQLite says about a table: two databases with the same facts have the same schema.

/// Queries for the facts of the table `{}`, one a row.
pub const FACTS: [&str; 5] = [
    "SELECT 'column ' || name || ' ' || type || ' ' || \"notnull\" || ' ' || coalesce(dflt_value, '-') || ' ' || pk FROM pragma_table_info('{}')",
    "SELECT 'foreign key ' || \"from\" || ' ' || \"table\" || ' ' || \"to\" || ' ' || on_delete FROM pragma_foreign_key_list('{}')",
    "SELECT 'index ' || i.origin || ' ' || i.\"unique\" || ' ' || CASE i.origin WHEN 'c' THEN i.name ELSE '' END || ' ' || \
                 (SELECT group_concat(name) FROM pragma_index_info(i.name)) FROM pragma_index_list('{}') i",
    "SELECT 'counted ' || (sql LIKE '%AUTOINCREMENT%') || ' rowid ' || (sql LIKE '%WITHOUT ROWID%') FROM sqlite_master WHERE type = 'table' AND name = '{}'",
    "SELECT 'more ' || type || ' ' || name FROM sqlite_master WHERE type NOT IN ('table', 'index') AND tbl_name = '{}'",
];
