//! What an administrator may do: columns of `admin_users`.

use formwork_data::{
    database::Db,
    error::{Error, Result},
    model::Model,
    value::Value,
};
use serde_json::json;

use super::AdminUser;

/// The permissions of an administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Granted {
    /// A super user may do everything.
    Everything,
    /// The permissions with these codes: `menus.read`, `orders.*`.
    Permissions(Vec<String>),
}

/// Sets the permissions of the administrator with this key, in the place of its former ones.
///
/// # Errors
///
/// 422 if there is no such administrator; the database's error.
pub async fn set_permissions(db: &Db, administrator: i64, granted: &Granted) -> Result<()> {
    let permissions = match granted {
        Granted::Everything => &[][..],
        Granted::Permissions(permissions) => permissions,
    };
    let values = [
        Value::from(*granted == Granted::Everything),
        Value::Json(json!(permissions)),
        Value::from(administrator),
    ];
    let sql = "UPDATE \"admin_users\" SET \"super_user\" = ?, \"permissions\" = ? \
               WHERE \"user_id\" = ?";
    if db.execute(sql, values).await? > 0 {
        return Ok(());
    }
    let message = format!("There is no administrator {administrator}.");
    Err(Error::validation(AdminUser::KEY, message))
}
