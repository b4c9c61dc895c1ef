//! The caller's password, once more.

use formwork_data::error::Result;

use super::Context;
use crate::auth::Origin;

impl Context {
    /// Whether this is the password of the account that asks: for changes that a token alone should
    /// not allow, such as of the password itself. Wrong ones count like failed logins of the account,
    /// so that a token is no way to try passwords. Never the password of a guest.
    ///
    /// # Errors
    ///
    /// 429 after five wrong ones within a minute; 503 where too many passwords wait; what the database
    /// answers.
    pub async fn confirm_password(&self, password: &str) -> Result<bool> {
        let Some(account) = self.caller().account() else {
            return Ok(false);
        };
        let (address, id) = (self.client().address, self.request_id());
        let origin = Origin::new(address, id, "current password");
        let auth = self.app().auth();
        auth.confirm_password(self.db(), account, password, &origin)
            .await
    }
}
