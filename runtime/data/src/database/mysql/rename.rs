//! Another name for a table, and for what is named after it.

use formwork_vocabulary::constraint_name;
use sqlx::MySqlConnection;

use super::connect::run;
use crate::database::sql::quoted;

const IS_THERE: &str =
    "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?";

/// The indexes of a table, and their columns joined by `_`.
const INDEXES: &str = "SELECT INDEX_NAME, \
    CAST(GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX SEPARATOR '_') AS CHAR) \
    FROM information_schema.STATISTICS \
    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? GROUP BY INDEX_NAME";

/// The foreign keys of a table, a row for each column.
const FOREIGN_KEYS: &str = "SELECT k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, \
    k.REFERENCED_COLUMN_NAME, r.DELETE_RULE, r.UPDATE_RULE \
    FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.REFERENTIAL_CONSTRAINTS r \
    ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME \
    AND r.TABLE_NAME = k.TABLE_NAME \
    WHERE k.TABLE_SCHEMA = DATABASE() AND k.TABLE_NAME = ? AND k.REFERENCED_TABLE_NAME IS NOT NULL";

/// A foreign key: its name and column, the table and column that it leads to, and what deletions
/// and changes there do.
type ForeignKey = (String, String, String, String, String, String);

/// Renames a table, and its indexes and foreign keys that are named after it: two statements, of
/// which the first may have been done before.
pub(super) async fn rename(
    connection: &mut MySqlConnection,
    from: &str,
    to: &str,
) -> sqlx::Result<()> {
    let is_there = sqlx::query(IS_THERE).bind(from);
    if is_there.fetch_optional(&mut *connection).await?.is_some() {
        let sql = format!("ALTER TABLE {} RENAME TO {}", quoted(from), quoted(to));
        run(connection, sql).await?;
    }
    let indexes = sqlx::query_as::<_, (String, String)>(INDEXES).bind(to);
    let indexes = indexes.fetch_all(&mut *connection).await?;
    let keys = sqlx::query_as::<_, ForeignKey>(FOREIGN_KEYS).bind(to);
    let keys = keys.fetch_all(&mut *connection).await?;
    let clauses = clauses((from, to), &indexes, &keys);
    if clauses.is_empty() {
        return Ok(());
    }
    let sql = format!("ALTER TABLE {} {}", quoted(to), clauses.join(", "));
    run(connection, sql).await
}

/// A foreign key has no other name: it is dropped and added.
fn clauses(tables: (&str, &str), indexes: &[(String, String)], keys: &[ForeignKey]) -> Vec<String> {
    let indexes = indexes.iter().filter_map(|(name, columns)| {
        let renamed = constraint_name::renamed(name, tables, columns)?;
        Some(format!(
            "RENAME INDEX {} TO {}",
            quoted(name),
            quoted(&renamed)
        ))
    });
    let keys = keys.iter().filter_map(|key| {
        let (name, column, there, target, delete, update) = key;
        let renamed = constraint_name::renamed(name, tables, column)?;
        let [name, renamed, column, there, target] =
            [name, &renamed, column, there, target].map(|name| quoted(name));
        Some([
            format!("DROP FOREIGN KEY {name}"),
            format!(
                "ADD CONSTRAINT {renamed} FOREIGN KEY ({column}) REFERENCES {there} ({target}) \
                 ON DELETE {delete} ON UPDATE {update}"
            ),
        ])
    });
    let (dropped, added): (Vec<_>, Vec<_>) = keys.map(|[drop, add]| (drop, add)).unzip();
    indexes.chain(dropped).chain(added).collect()
}
