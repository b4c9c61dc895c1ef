//! The commands and options of the console.

use clap::{Arg, ArgAction, ArgGroup, Command, builder::NonEmptyStringValueParser};
use formwork_core::command::Command as OwnCommand;

/// The whole command line.
pub(super) fn command() -> Command {
    // Messages name the program as it was called.
    Command::new("service")
        .about("A REST service poured with Formwork")
        .arg(addr())
        .args_conflicts_with_subcommands(true)
        .subcommand(
            Command::new("serve")
                .about("Serve the API (the default command)")
                .arg(addr()),
        )
        .subcommand(
            Command::new("migrate")
                .about("Bring the database up to date")
                .arg(flag("status", "Only list applied and pending migrations"))
                .arg(flag("dry-run", "Only print the SQL that would run").conflicts_with("status"))
                .arg(
                    value(
                        "to",
                        "VERSION",
                        "Bring it to the state after this migration; later ones are undone, if all of \
                         them have down parts, which the runtime's own do not have",
                    )
                    .value_parser(clap::value_parser!(i64).range(0..))
                    .conflicts_with("status"),
                ),
        )
        .subcommand(
            Command::new("seed").about("Fill the database with data to try the service with"),
        )
        .subcommand(copy())
        .subcommand(token())
        .subcommand(user())
        .subcommand(Command::new("routes").about("List the routes and their callers"))
}

/// The whole command line with the commands of extensions and of a project. The help does not list
/// those that are `lacking`: they are understood, so that the console says why there is none.
///
/// # Errors
///
/// The name that two commands have, in a sentence.
pub(super) fn with(own: &[OwnCommand], lacking: &[&'static str]) -> Result<Command, String> {
    let command = lacking.iter().fold(command(), |command, name| {
        let lacking = Command::new(*name).hide(true);
        command.subcommand(lacking.allow_external_subcommands(true))
    });
    own.iter().try_fold(command, |command, own| {
        let name = own.name();
        let known = |known: &Command| known.get_name() == name;
        if name == "help" || command.get_subcommands().any(known) {
            return Err(format!("two commands of the console are called `{name}`"));
        }
        Ok(command.subcommand(own.arguments().clone()))
    })
}

fn copy() -> Command {
    Command::new("copy")
        .about("Copy the rows of another database of this service, of any kind, into this one")
        .arg(
            value(
                "from",
                "URL",
                "The address of the other database, as in database.url",
            )
            .required(true),
        )
        .arg(flag(
            "replace",
            "Delete the rows of this database first; without it, it must have none",
        ))
}

fn token() -> Command {
    Command::new("token")
        .about("Issue an access token, list tokens, revoke them")
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .arg(value("name", "DEVICE", "The device the token is for").required(true))
        .arg(value("email", "EMAIL", "The account it is for").required(true))
        .arg(flag(
            "admin",
            "The account is an administrator's, else a customer's",
        ))
        .arg(
            value(
                "abilities",
                "ABILITIES",
                "Its abilities: menus:read,orders.* (default: all)",
            )
            .value_delimiter(','),
        )
        .arg(value("expires-in", "DURATION", "Its lifetime: 12h, 30d"))
        .subcommand(Command::new("list").about("List tokens, without their secrets"))
        .subcommand(
            Command::new("revoke").about("Revoke a token").arg(
                Arg::new("id")
                    .help("The id: the number before the `|` of the token")
                    .required(true)
                    .value_parser(clap::value_parser!(i64)),
            ),
        )
}

fn user() -> Command {
    let create = Command::new("create")
        .about("Make an account")
        .arg(value("email", "EMAIL", "E-mail address").required(true))
        .arg(flag(
            "admin",
            "An administrator, with --permissions alone; else a customer",
        ))
        .arg(flag("super", "An administrator who may do everything").conflicts_with("admin"))
        .arg(
            value(
                "permissions",
                "PERMISSIONS",
                "The permissions of an administrator: menus.read,orders.*",
            )
            .value_delimiter(',')
            .requires("admin"),
        )
        .group(ArgGroup::new("administrator").args(["admin", "super"]))
        .arg(value("username", "NAME", "An administrator's login").requires("administrator"))
        .arg(value("name", "NAME", "The display name of the account"))
        .arg(value(
            "password",
            "PASSWORD",
            "The password; by default one is generated and printed",
        ));
    let locations = Command::new("locations")
        .about("Assign an administrator to locations; without --ids, to none")
        .arg(value("email", "EMAIL", "E-mail address").required(true))
        .arg(
            Arg::new("ids")
                .long("ids")
                .value_name("IDS")
                .help("The keys of the locations: 1,2")
                .value_delimiter(',')
                .value_parser(clap::value_parser!(i64)),
        );
    Command::new("user")
        .about("Accounts")
        .subcommand_required(true)
        .subcommand(create)
        .subcommand(locations)
}

fn addr() -> Arg {
    value(
        "addr",
        "HOST:PORT",
        "Address to listen on, instead of server.addr",
    )
}

fn value(name: &'static str, placeholder: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(placeholder)
        .help(help)
        .value_parser(NonEmptyStringValueParser::new())
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .action(ArgAction::SetTrue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn the_help_lists_only_the_commands_that_are_built_in() {
        let shelve = Command::new("shelve").subcommand(Command::new("all"));
        let shelve = OwnCommand::new(shelve, async |_, _| Ok(()));
        let whole = with(&[shelve], &[]).expect("a command line");
        let without = with(&[], &["shelve"]).expect("a command line");
        let help = |command: &Command| command.clone().render_help().to_string();
        assert!(help(&whole).contains("  shelve"), "{}", help(&whole));
        assert!(!help(&without).contains("  shelve"), "{}", help(&without));
        assert!(help(&without).contains("  routes"), "{}", help(&without));
        let line = "bistro shelve all".split(' ');
        let matched = without.try_get_matches_from(line);
        assert!(matched.is_ok(), "it says what it lacks");
    }

    #[test]
    fn commands_of_the_contract_are_understood() {
        for line in [
            "bistro",
            "bistro --addr 127.0.0.1:0",
            "bistro serve --addr 127.0.0.1:0",
            "bistro migrate --status",
            "bistro migrate --dry-run",
            "bistro migrate --to 20260201000000",
            "bistro migrate --dry-run --to 20260201000000",
            "bistro seed",
            "bistro copy --from scheme://old --replace",
            "bistro token --name till --email a@b.c --admin --abilities a,b --expires-in 30d",
            "bistro token list",
            "bistro token revoke 7",
            "bistro user create --email a@b.c --admin --username admin --password x",
            "bistro user create --email a@b.c --super --username admin",
            "bistro user create --email a@b.c --admin --permissions menus.read,menus.write",
            "bistro user locations --email a@b.c --ids 1,2",
            "bistro user locations --email a@b.c",
            "bistro routes",
        ] {
            command().try_get_matches_from(line.split(' ')).expect(line);
        }
        for line in [
            "bistro migrate --status --dry-run",
            "bistro migrate --status --to 20260201000000",
            "bistro copy",
            "bistro migrate --to yesterday",
            "bistro token --name till",
            "bistro serv",
            "bistro token revoke x",
            "bistro user",
            "bistro user create --email a@b.c --admin --super",
            "bistro user create --email a@b.c --permissions menus.read",
            "bistro user create --email a@b.c --username admin",
            "bistro user locations --ids 1",
            "bistro user locations --email a@b.c --ids x",
        ] {
            assert!(
                command().try_get_matches_from(line.split(' ')).is_err(),
                "{line}"
            );
        }
    }
}
