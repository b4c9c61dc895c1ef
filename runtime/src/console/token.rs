//! `token`, `token list`, `token revoke`.

use std::sync::Arc;

use clap::ArgMatches;
use formwork_core::auth::{Abilities, AccountKind, NewToken, Sought, revoke_tokens};
use formwork_data::{
    error::{Error, Result},
    value::DateTime,
};
use formwork_vocabulary::config;

use crate::app::App;

/// Runs `token` and its subcommands.
pub(super) async fn run(app: &Arc<App>, arguments: &ArgMatches) -> Result<()> {
    match arguments.subcommand() {
        Some(("list", _)) => list(app).await,
        Some(("revoke", arguments)) => revoke(app, arguments).await,
        _ => issue(app, arguments).await,
    }
}

async fn issue(app: &App, arguments: &ArgMatches) -> Result<()> {
    let text = |name: &str| arguments.get_one::<String>(name).map(String::as_str);
    let admin = arguments.get_flag("admin");
    let kind = if admin {
        AccountKind::Admin
    } else {
        AccountKind::Customer
    };
    let email = text("email").unwrap_or_default();
    let name = text("name").unwrap_or_default();
    if name.chars().count() > 255 {
        return Err(Error::internal(
            "the name of a device has at most 255 characters",
        ));
    }
    let account = app.auth().account_by_email(app.db(), kind, email).await?;
    let account = account.ok_or_else(|| Error::internal(no_account(kind, email)))?;
    let token = NewToken {
        kind,
        account,
        name: name.to_owned(),
        abilities: abilities(arguments)?,
        expires_at: match text("expires-in") {
            Some(text) => Some(expiry(app, text)?),
            None => app.auth().expiry(app.now())?,
        },
    };
    println!("Access Token: {}", token.insert(app.db(), app.now()).await?);
    Ok(())
}

fn no_account(kind: AccountKind, email: &str) -> String {
    match kind {
        AccountKind::Admin => format!("there is no active administrator with the e-mail {email}"),
        AccountKind::Customer => {
            format!(
                "there is no active customer with the e-mail {email} (--admin for an administrator)"
            )
        }
    }
}

fn abilities(arguments: &ArgMatches) -> Result<Abilities> {
    let Some(words) = arguments.get_many::<String>("abilities") else {
        return Ok(Abilities::all());
    };
    let words: Vec<&str> = words.map(|word| word.trim()).collect();
    Abilities::parse(words.iter().copied()).map_err(|place| {
        let word = words.get(place).copied().unwrap_or_default();
        Error::internal(format!(
            "`{word}` is not an ability: write menus:read, menus:*, orders.update or *"
        ))
    })
}

fn expiry(app: &App, text: &str) -> Result<DateTime> {
    config::duration(text)
        .filter(|lifetime| !lifetime.is_zero())
        .and_then(|lifetime| chrono::TimeDelta::from_std(lifetime).ok())
        .and_then(|lifetime| app.now().checked_add_signed(lifetime))
        .ok_or_else(|| Error::internal(format!("`{text}` is not a duration: write 12h or 30d")))
}

async fn list(app: &App) -> Result<()> {
    let everything = (i64::MAX, 0);
    let issued = app.auth().issued(app.db(), Sought::Called(""), everything);
    let tokens = issued.await?.tokens;
    println!("id\taccount\tdevice\tabilities\tlast used\texpires");
    for token in tokens.iter().rev() {
        println!(
            "{}\t{} {}\t{}\t{}\t{}\t{}",
            token.id,
            token.kind,
            token.account,
            token.name.escape_debug(),
            serde_json::json!(token.abilities),
            token.last_used_at.as_deref().unwrap_or("never"),
            token.expires_at.as_deref().unwrap_or("never"),
        );
    }
    Ok(())
}

async fn revoke(app: &App, arguments: &ArgMatches) -> Result<()> {
    let id = arguments.get_one::<i64>("id").copied().unwrap_or_default();
    if revoke_tokens(app.db(), &[id]).await? > 0 {
        println!("Token {id} is revoked.");
        Ok(())
    } else {
        Err(Error::internal(format!("there is no token {id}")))
    }
}
