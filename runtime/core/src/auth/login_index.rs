//! The index by which logins find a customer in a project's own table.

use formwork_data::{
    database::{Db, LowerIndex},
    error::Result,
    migration::{self, MigrationState, Migrations},
};

use super::{Auth, CustomerTable};

impl Auth {
    /// Applies pending migrations, and returns them. Afterwards, also where one failed, the project's
    /// table of customers has an index over the addresses as logins compare them, without regard to
    /// case: otherwise every attempt would read the whole table. The runtime's own tables have such
    /// indexes.
    ///
    /// # Errors
    /// As [`migration::run`].
    pub async fn migrate(&self, db: &Db, migrations: &Migrations) -> Result<Vec<MigrationState>> {
        Box::pin(migration::migrate(db, migrations, None, self.login_index())).await
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
        let (version, index) = (Some(version), self.login_index());
        Box::pin(migration::migrate(db, migrations, version, index)).await
    }

    /// The index over the project's table of customers, if it has one.
    fn login_index(&self) -> Option<LowerIndex> {
        let customers = self.customers();
        let table = customers.table();
        let is_own = customers.table() == CustomerTable::minimal().table();
        (!is_own).then(|| LowerIndex {
            table: table.to_owned(),
            column: "email".to_owned(),
            name: format!("formwork_login_{table}"),
        })
    }
}
