//! The index by which logins find a customer in a project's own table.

use formwork_data::{
    database::{Db, quoted},
    error::Result,
    migration::{self, MigrationState, Migrations},
};

use super::{Auth, CustomerTable};

impl Auth {
    /// Applies pending migrations, and returns them. Afterwards the project's table of customers
    /// has an index over the addresses as logins compare them, without regard to case: otherwise
    /// every attempt would read the whole table. The runtime's own tables have such indexes.
    ///
    /// # Errors
    /// As [`migration::run`].
    pub async fn migrate(&self, db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
        let customers = self.customers();
        let is_own = *customers != CustomerTable::minimal();
        let pending = migration::pending(db, migrations).await?;
        if is_own && !pending.is_empty() {
            // A column with an index over it cannot be dropped or replaced.
            let sql = format!("DROP INDEX IF EXISTS {}", index(customers));
            db.execute(sql, []).await?;
        }
        let applied = migration::run(db, migrations).await?;
        if is_own && db.has_table(customers.table()).await? {
            let (index, table) = (index(customers), quoted(customers.table()));
            let sql = format!("CREATE INDEX IF NOT EXISTS {index} ON {table} (lower(\"email\"))");
            db.execute(sql, []).await?;
        }
        Ok(applied)
    }
}

fn index(customers: &CustomerTable) -> String {
    quoted(&format!("formwork_login_{}", customers.table()))
}
