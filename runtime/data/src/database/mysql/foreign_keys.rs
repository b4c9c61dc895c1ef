//! Foreign keys that are checked when a transaction is committed. InnoDB checks them row by row, and
//! cannot defer it.

use sqlx::{AssertSqlSafe, MySqlConnection};

use super::fault::fault;
use crate::database::{fault::Fault, sql::quoted};

/// Each foreign key of the database: its table, the table it leads to, and pairs of columns.
const KEYS: &str = "SELECT CONCAT(CONSTRAINT_NAME, '/', TABLE_NAME), TABLE_NAME, \
    REFERENCED_TABLE_NAME, COLUMN_NAME, REFERENCED_COLUMN_NAME \
    FROM information_schema.KEY_COLUMN_USAGE \
    WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL \
    ORDER BY 1, ORDINAL_POSITION";

type Column = (String, String, String, String, String);

/// Looks for rows that refer to no row.
///
/// # Errors
/// A broken foreign key.
pub(super) async fn check(connection: &mut MySqlConnection) -> Result<(), Fault> {
    let columns = sqlx::query_as::<_, Column>(KEYS).fetch_all(&mut *connection);
    let columns = columns.await.map_err(fault)?;
    for key in columns.chunk_by(|one, next| one.0 == next.0) {
        let sql = AssertSqlSafe(broken(key));
        let row = sqlx::raw_sql(sql).fetch_optional(&mut *connection).await;
        if row.map_err(fault)?.is_some() {
            return Err(Fault::ForeignKey);
        }
    }
    Ok(())
}

/// The statement for rows whose key leads nowhere.
fn broken(key: &[Column]) -> String {
    let (table, parent) = key.first().map_or(("", ""), |it| (&it.1, &it.2));
    let pairs = key.iter().map(|(.., own, target)| {
        let (own, target) = (quoted(own), quoted(target));
        format!("p.{target} = c.{own}")
    });
    let named = key
        .iter()
        .map(|(.., own, _)| format!("c.{} IS NOT NULL", quoted(own)));
    format!(
        "SELECT 1 FROM {} c WHERE {} AND NOT EXISTS (SELECT 1 FROM {} p WHERE {}) LIMIT 1",
        quoted(table),
        named.collect::<Vec<_>>().join(" AND "),
        quoted(parent),
        pairs.collect::<Vec<_>>().join(" AND "),
    )
}
