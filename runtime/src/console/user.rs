//! `user create`.

use std::sync::Arc;

use clap::ArgMatches;

use super::Outcome;
use crate::{
    app::App,
    auth::{AccountKind, NewAccount, random_text},
};

/// Letters and digits of a password that is made up.
const MADE_UP: usize = 20;

/// Runs what stands below `user`.
pub(super) async fn run(app: &Arc<App>, arguments: &ArgMatches) -> Outcome {
    let Some(("create", arguments)) = arguments.subcommand() else {
        return Ok(());
    };
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let admin = arguments.get_flag("admin");
    let given = text("password");
    let account = NewAccount {
        kind: if admin {
            AccountKind::Admin
        } else {
            AccountKind::Customer
        },
        email: text("email").unwrap_or_default(),
        username: text("username"),
        name: text("name"),
        password: given.clone().unwrap_or_else(|| random_text(MADE_UP)),
    };
    let id = account
        .insert(app.db(), app.auth().customers(), app.now())
        .await?;
    println!(
        "{} {id}: {}",
        if admin { "Administrator" } else { "Customer" },
        account.email
    );
    if given.is_none() {
        println!("Password: {}", account.password);
    }
    Ok(())
}
