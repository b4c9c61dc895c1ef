//! Tables of accounts: `auth.customers`, and the administrators.

use crate::diagnostic::Code;
use crate::manifest::CONFIG_FILE;
use crate::project::Access;
use crate::suggestion::did_you_mean;

use super::config::Config;
use super::draft::Draft;
use super::index_limits::models;
use super::registry::{ADMINISTRATORS, Registry};
use super::report::{Diagnostics, Report, Word};

/// The column that logins read.
const PASSWORD: &str = "password";

/// Checks the table that `auth.customers` names, and the access to the passwords of accounts.
pub fn check(
    config: &Config,
    drafts: &[Draft<'_>],
    registry: &Registry,
    diagnostics: &Diagnostics,
) {
    if let Some(table) = &config.customers {
        warn_of_unknown_table(table, registry, diagnostics.report(CONFIG_FILE));
    }
    let customers = config.customers.as_ref().map(|table| table.text.as_str());
    for (draft, model) in models(drafts) {
        let holds_accounts =
            Some(model.table.as_str()) == customers || model.table == ADMINISTRATORS;
        let mut columns = model.attributes.iter().filter(|_| holds_accounts);
        let password = columns.find(|column| column.name == PASSWORD);
        let is_hidden = |access| matches!(access, Access::WriteOnly | Access::Hidden);
        if password.is_some_and(|password| !is_hidden(password.access)) {
            let span = draft.places.get(PASSWORD).copied().unwrap_or(draft.span);
            let message = "clients could read the passwords of accounts";
            let help = "write `access: write_only`, or `access: hidden` if no body sends passwords";
            let report = diagnostics.report(draft.path);
            report.reject(Code::ReadablePassword, span, message, help);
        }
    }
}

/// Warns of a table without a manifest, which the runtime makes with few columns.
fn warn_of_unknown_table(table: &Word, registry: &Registry, report: Report<'_>) {
    let Word { text, span } = table;
    if registry.by_table(text).is_some() || registry.is_partial() {
        return;
    }
    let message = format!("no manifest describes the table `{text}` of customer accounts");
    let help = did_you_mean(text, &registry.tables_known());
    let default = || "name the table of a resource or model, or leave the key out".to_owned();
    report.warn(
        Code::UnknownAccounts,
        *span,
        message,
        help.unwrap_or_else(default),
    );
}
