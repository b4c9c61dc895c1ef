//! The password of the account that asks, once more: a token alone does not own its account.

use formwork_data::{database::Db, error::Result};

use super::{
    Account, Auth, Origin,
    attempts::{Attempted, Login},
    customers::AccountTable,
    origin::Reason,
    password::{self, PasswordVerdict},
};

impl Auth {
    /// Whether this is the password of an account, for changes that its token alone does not allow:
    /// of the password, of the e-mail address. A wrong one counts and is logged like a failed login of
    /// the account.
    ///
    /// # Errors
    ///
    /// 429 after five failed attempts within a minute for this address and account, failed logins
    /// among them; 503 where too many passwords wait; what the database answers.
    #[doc(hidden)]
    pub async fn confirm_password(
        &self,
        db: &Db,
        account: &Account,
        password: &str,
        origin: &Origin,
    ) -> Result<bool> {
        let logins = &self.inner.logins;
        let attempted = Attempted {
            address: origin.subscriber(),
            kind: account.kind,
            login: Login::Found(Some(account.id)),
        };
        let report = |reason| origin.refused(account.kind, &account.email, reason);
        let counted = logins.attempts.begin(&attempted).await;
        counted.inspect_err(|_| report(Reason::Attempts))?;
        let table = AccountTable::of(account.kind, &logins.customers);
        let hash = table.password(db, account.id).await?;
        if password::check(password, hash.as_deref()).await? == PasswordVerdict::Wrong {
            report(Reason::Password);
            return Ok(false);
        }
        logins.attempts.succeeded(&attempted).await;
        Ok(true)
    }
}
