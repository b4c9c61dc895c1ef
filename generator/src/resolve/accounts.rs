//! Tables of accounts: `auth.customers`, and the administrators.

use crate::diagnostic::{Code, Diagnostic};
use crate::project::Access;
use crate::suggestion::did_you_mean;

use super::config::Config;
use super::draft::Draft;
use super::index_limits::models;
use super::registry::Registry;
use super::report::Report;

/// The table of administrators.
const ADMINISTRATORS: &str = "admin_users";

/// The column that logins read.
const PASSWORD: &str = "password";

/// Checks the table that `auth.customers` names, and the access to the passwords of accounts.
pub fn check(
    config: &Config,
    drafts: &[Draft<'_>],
    registry: &Registry,
    found: &mut Vec<Diagnostic>,
) {
    warn_of_unknown_table(config, registry, found);
    let customers = config.customers.as_ref().map(|table| table.text.as_str());
    for (draft, model) in models(drafts) {
        let holds_accounts =
            Some(model.table.as_str()) == customers || model.table == ADMINISTRATORS;
        let password = model.attributes.iter().find(|one| one.name == PASSWORD);
        let Some(password) = password.filter(|_| holds_accounts) else {
            continue;
        };
        if matches!(password.access, Access::WriteOnly | Access::Hidden) {
            continue;
        }
        let span = draft.places.get(PASSWORD).copied().unwrap_or(draft.span);
        let mut report = Report::new(draft.path);
        report
            .error(
                Code::ReadablePassword,
                span,
                "clients could read the passwords of accounts",
            )
            .help("write `access: write_only`, or `access: hidden` if no body sends passwords");
        found.append(&mut report.found);
    }
}

/// `auth.customers` names a table; without a manifest for it, the runtime makes a minimal one.
fn warn_of_unknown_table(config: &Config, registry: &Registry, found: &mut Vec<Diagnostic>) {
    let Some(table) = &config.customers else {
        return;
    };
    if registry.by_table(&table.text).is_some() || registry.is_partial() {
        return;
    }
    let mut report = Report::new("formwork.yaml");
    report
        .warning(
            Code::UnknownAccounts,
            table.span,
            format!(
                "no manifest describes the table `{}` of customer accounts",
                table.text
            ),
        )
        .help("name the table of a resource or model, or leave the key out")
        .maybe_help(did_you_mean(&table.text, &registry.tables_known()));
    found.append(&mut report.found);
}
