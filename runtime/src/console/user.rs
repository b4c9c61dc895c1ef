//! `user create`, `user locations`.

use std::sync::Arc;

use clap::ArgMatches;
use formwork_core::{
    auth::{self, AccountKind, Filled, Granted, NewAccount, random_text},
    extension::Permission,
    registry::Registry,
    request::is_email,
};
use formwork_data::{
    error::{Error, Result},
    value::Value,
};
use formwork_vocabulary::did_you_mean::nearest;

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
    let granted = granted(app.registry(), app.permissions(), arguments)?;
    let given = text("password");
    let email = text("email").unwrap_or_default();
    if !is_email(&email) {
        return Err(Error::internal(format!(
            "`{email}` is not an e-mail address"
        )));
    }
    let account = NewAccount {
        kind: match granted {
            Some(_) => AccountKind::Admin,
            None => AccountKind::Customer,
        },
        email,
        username: text("username"),
        name: text("name"),
        password: given.clone().unwrap_or_else(|| random_text(MADE_UP)),
    };
    let (id, filled) = account
        .insert_and_list(app.db(), app.auth().customers(), app.now())
        .await?;
    let kind = match &granted {
        Some(Granted::Everything) => "Super user",
        Some(Granted::Permissions(_)) => "Administrator",
        None => "Customer",
    };
    println!("{kind} {id}: {}", account.email);
    if let Some(granted) = granted {
        auth::set_permissions(app.db(), id, &granted).await?;
        if let Granted::Permissions(codes) = granted {
            println!("Permissions: {}", listed(&codes));
        }
    }
    for column in filled {
        println!("{}", filled_line(&column));
    }
    if given.is_none() {
        println!("Password: {}", account.password);
    }
    Ok(())
}

/// The permissions that the arguments give an administrator; `None` for a customer.
fn granted(
    registry: &Registry,
    declared: &[Permission],
    arguments: &ArgMatches,
) -> Result<Option<Granted>> {
    if arguments.get_flag("super") {
        return Ok(Some(Granted::Everything));
    }
    if !arguments.get_flag("admin") {
        return Ok(None);
    }
    let codes = arguments.get_many::<String>("permissions");
    let codes: Vec<String> = codes.unwrap_or_default().cloned().collect();
    let declared = declared.iter().map(|permission| permission.code.to_owned());
    let existing: Vec<String> = registry.permissions().into_iter().chain(declared).collect();
    for code in &codes {
        let prefix = code.strip_suffix('*').filter(|kind| kind.ends_with('.'));
        let exists = |known: &String| match prefix {
            Some(prefix) => known.starts_with(prefix),
            None => known == code,
        };
        if !existing.iter().any(exists) {
            let nearest = nearest(code, existing.iter().map(String::as_str));
            let hint = nearest.map_or_else(String::new, |name| format!(": did you mean `{name}`?"));
            return Err(Error::internal(format!(
                "there is no permission `{code}`{hint}"
            )));
        }
    }
    Ok(Some(Granted::Permissions(codes)))
}

fn listed(codes: &[String]) -> String {
    match codes {
        [] => "none".to_owned(),
        codes => codes.join(", "),
    }
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
