//! The index by which logins find a customer in a project's own table.

use formwork_data::{
    database::{Db, LowerIndex},
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
        let pending = migration::pending(db, migrations).await?;
        if !pending.is_empty() {
            self.drop_login_index(db).await?;
        }
        let applied = migration::run(db, migrations).await?;
        self.make_login_index(db).await?;
        Ok(applied)
    }

    /// As [`Auth::migrate`], to the state after a version: later migrations are undone.
    ///
    /// # Errors
    /// As [`migration::to`].
    pub async fn migrate_to(
        &self,
        db: &Db,
        migrations: &Migrations,
        version: i64,
    ) -> Result<Vec<MigrationState>> {
        self.drop_login_index(db).await?;
        let moved = migration::to(db, migrations, version).await;
        self.make_login_index(db).await?;
        moved
    }

    async fn drop_login_index(&self, db: &Db) -> Result<()> {
        match self.project_table(db).await? {
            Some(table) => db.drop_lower_index(index(table, &name(table))).await,
            None => Ok(()),
        }
    }

    async fn make_login_index(&self, db: &Db) -> Result<()> {
        match self.project_table(db).await? {
            Some(table) => db.make_lower_index(index(table, &name(table))).await,
            None => Ok(()),
        }
    }

    /// The project's table of customers, if it has one and it is there.
    async fn project_table(&self, db: &Db) -> Result<Option<&str>> {
        let customers = self.customers();
        let is_own = *customers == CustomerTable::minimal();
        let there = !is_own && db.has_table(customers.table()).await?;
        Ok(there.then(|| customers.table()))
    }
}

fn index<'n>(table: &'n str, name: &'n str) -> LowerIndex<'n> {
    LowerIndex {
        table,
        column: "email",
        name,
    }
}

fn name(table: &str) -> String {
    format!("formwork_login_{table}")
}
