//! `user create`, `user locations`.

use std::sync::Arc;

use clap::ArgMatches;
use formwork_core::{
    auth::{self, AccountKind, Filled, NewAccount, random_text},
    request::is_email,
};
use formwork_data::{
    error::{Error, Result},
    value::Value,
};

use crate::app::App;

/// Length of a generated password, of letters and digits.
const MADE_UP: usize = 20;

/// Runs the subcommands of `user`.
pub(super) async fn run(app: &Arc<App>, arguments: &ArgMatches) -> Result<()> {
    match arguments.subcommand() {
        Some(("create", arguments)) => create(app, arguments).await,
        Some(("locations", arguments)) => locations(app, arguments).await,
        _ => Ok(()),
    }
}

/// Assigns an administrator to locations: it then reaches the rows of those alone.
async fn locations(app: &App, arguments: &ArgMatches) -> Result<()> {
    let email = arguments.get_one::<String>("email");
    let email = email.map(String::as_str).unwrap_or_default();
    let ids = arguments.get_many::<i64>("ids").unwrap_or_default();
    let ids: Vec<i64> = ids.copied().collect();
    let id = auth::administrator(app.db(), email).await?;
    let id = id.ok_or_else(|| {
        Error::internal(format!("there is no administrator with the e-mail {email}"))
    })?;
    auth::assign_locations(app.db(), id, &ids).await?;
    let listed = ids.iter().map(i64::to_string).collect::<Vec<_>>();
    match listed.as_slice() {
        [] => println!("Administrator {id}: all locations"),
        some => println!("Administrator {id}: locations {}", some.join(", ")),
    }
    Ok(())
}

async fn create(app: &App, arguments: &ArgMatches) -> Result<()> {
    let text = |name: &str| arguments.get_one::<String>(name).cloned();
    let admin = arguments.get_flag("admin");
    let given = text("password");
    let email = text("email").unwrap_or_default();
    if !is_email(&email) {
        return Err(Error::internal(format!(
            "`{email}` is not an e-mail address"
        )));
    }
    let account = NewAccount {
        kind: if admin {
            AccountKind::Admin
        } else {
            AccountKind::Customer
        },
        email,
        username: text("username"),
        name: text("name"),
        password: given.clone().unwrap_or_else(|| random_text(MADE_UP)),
    };
    let (id, filled) = account
        .insert_and_list(app.db(), app.auth().customers(), app.now())
        .await?;
    println!(
        "{} {id}: {}",
        if admin { "Administrator" } else { "Customer" },
        account.email
    );
    for column in filled {
        println!("{}", filled_line(&column));
    }
    if given.is_none() {
        println!("Password: {}", account.password);
    }
    Ok(())
}

/// A line about a column that no argument gave a value: `Filled group_id with 1, the first row of
/// groups`.
fn filled_line(
    Filled {
        column,
        value,
        parent,
    }: &Filled,
) -> String {
    match (parent, value) {
        (Some(parent), value) => {
            format!("Filled {column} with {value}, the first row of {parent}")
        }
        (None, Value::Text(text)) if text.is_empty() => {
            format!("Filled {column} with an empty text")
        }
        (None, value) => format!("Filled {column} with {value}"),
    }
}
