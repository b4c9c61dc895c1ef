//! Servers that end the statements of clients that are gone.

use sqlx::PgConnection;

/// PostgreSQL looks only now and then, and by itself never, whether the client of a statement is
/// still there: a statement whose request was given up would run to its end. Versions before 14 have
/// no such setting, and servers on some systems refuse it.
const WATCH_CLIENT: &str = "SELECT set_config(name, '1s', false) FROM pg_settings \
    WHERE name = 'client_connection_check_interval' AND setting = '0'";

/// Makes the server end a statement within a second after its connection was closed, where it can.
pub(super) async fn watch_client(connection: &mut PgConnection) -> sqlx::Result<()> {
    match sqlx::raw_sql(WATCH_CLIENT).execute(connection).await {
        Ok(_) | Err(sqlx::Error::Database(_)) => Ok(()),
        Err(lost) => Err(lost),
    }
}
