//! The locations an administrator is assigned to: rows of `admin_user_locations`.

use formwork_data::{
    database::{Db, Fault},
    error::{Error, Result},
    model::Model,
    value::Value,
};

use super::{AccountKind, AdminUser, customers::AccountTable};
use crate::auth::CustomerTable;

/// Assigns the administrator with this key to these locations, and to no others. Without any, it
/// reaches all rows again.
///
/// # Errors
///
/// 422 where there is no such administrator; what the database answers otherwise.
pub async fn assign_locations(db: &Db, administrator: i64, locations: &[i64]) -> Result<()> {
    let transaction = db.begin().await?;
    let db = transaction.db();
    let key = (AdminUser::TABLE, AdminUser::KEY);
    if !db.holds(key, administrator.into(), None).await? {
        let message = format!("There is no administrator {administrator}.");
        return Err(Error::validation(AdminUser::KEY, message));
    }
    let sql = "DELETE FROM \"admin_user_locations\" WHERE \"user_id\" = ?";
    db.execute(sql, [Value::from(administrator)]).await?;
    let sql = "INSERT INTO \"admin_user_locations\" (\"user_id\", \"location_id\") VALUES (?, ?)";
    for location in locations {
        let values = [administrator, *location].map(Value::from).to_vec();
        match db.perform(sql.into(), values).await {
            // It was listed before, or assigned by another request.
            Ok(_) | Err(Fault::Unique(_)) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    transaction.commit().await
}

/// The key of the administrator with this e-mail address, active or not.
///
/// # Errors
///
/// When the database fails.
pub async fn administrator(db: &Db, email: &str) -> Result<Option<i64>> {
    let table = AccountTable::of(AccountKind::Admin, &CustomerTable::minimal());
    let found = table.find(db, &[("email", email)]).await?;
    Ok(found.map(|login| login.id))
}

/// The keys of assigned locations, as the token check reads them: `1,2`.
pub(super) fn listed(value: &Value) -> Vec<i64> {
    let text = value.to_string();
    text.split(',').filter_map(|id| id.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_from_a_list() {
        assert_eq!(listed(&Value::from("1,22")), [1, 22]);
        assert_eq!(listed(&Value::Int(7)), [7]);
        assert!(listed(&Value::Null).is_empty());
    }
}
