//! Commands and settings of a project's own.

use std::process::Output;

use formwork::{
    Service,
    clap::{self, Arg, ArgMatches},
    extension::Command,
    prelude::*,
};
use serde::Deserialize;

use super::{
    OWN,
    program::{self, project, text},
};

#[derive(Deserialize)]
struct Settings {
    greeting: String,
}

/// Brings commands.
struct Counts;

impl Extension for Counts {
    fn name(&self) -> &'static str {
        "counts"
    }

    fn commands(&self) -> Vec<Command> {
        let arguments = clap::Command::new("count").about("Count the members");
        let count = Command::new(arguments, async |ctx: Context, _| {
            let rows = ctx
                .db()
                .rows("SELECT count(*) FROM \"members\"", [])
                .await?;
            println!("{} members", rows[0][0]);
            Ok(())
        });
        let arguments = clap::Command::new("keys").about("List the keys of resources");
        let keys = Command::new(arguments, async |ctx: Context, _| {
            let entries = ctx.registry().entries();
            let keys: Vec<&str> = entries.map(|(_, entry)| entry.key).collect();
            println!("{}", keys.join(" "));
            Ok(())
        });
        vec![count, keys.without_database()]
    }
}

pub fn service(mut extensions: Vec<Box<dyn Extension>>) -> Service {
    extensions.push(Box::new(Counts));
    let who = Arg::new("who").required(true).help("Who is greeted");
    let greet = clap::Command::new("greet").about("Greet somebody").arg(who);
    let twice = std::env::var_os("LIBRARY_TWICE").map(|_| clap::Command::new("migrate"));
    let service = formwork::service(extensions)
        .settings::<Settings>()
        .command(greet, greeting);
    match twice {
        Some(twice) => service.command(twice, async |_, _| Ok(())),
        None => service,
    }
}

async fn greeting(ctx: Context, arguments: ArgMatches) -> Result<()> {
    let who = arguments.get_one::<String>("who").expect("it is required");
    if who == "nobody" {
        return Err(Error::validation("who", "Nobody is not greeted."));
    }
    let Settings { greeting } = ctx.state()?;
    println!("{greeting}, {who}! {}", ctx.is_admin());
    Ok(())
}

const YAML: &str = "auth: { customers: members }\ndatabase: { url: 'sqlite://x.sqlite' }\n\
    app: { greeting: Hello }\n";

fn run(yaml: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let project = project(yaml);
    let command = |arguments: &[&str]| {
        let mut command = program::command(project.path(), arguments);
        command.env(OWN, "1").envs(variables.iter().copied());
        command.output().expect("the program starts")
    };
    if arguments == ["count"] {
        command(&["migrate"]);
    }
    command(arguments)
}

pub fn commands_of_a_project_stand_beside_the_consoles() {
    let help = text(&run(YAML, &["help"], &[]).stdout);
    insta::assert_snapshot!("help", help);
    let greeted = run(YAML, &["greet", "Ada"], &[("FORMWORK_APP__GREETING", "Hi")]);
    assert_eq!(text(&greeted.stdout), "Hi, Ada! true\n");
    let rejected = run(YAML, &["greet", "nobody"], &[]);
    assert_eq!(rejected.status.code(), Some(1));
    assert!(text(&rejected.stderr).contains("error: Nobody is not greeted."));
    // An argument is missing.
    assert_eq!(run(YAML, &["greet"], &[]).status.code(), Some(2));
    assert_eq!(text(&run(YAML, &["count"], &[]).stdout), "0 members\n");
    let unreachable = YAML.replace("sqlite://x.sqlite", "postgres://nobody@127.0.0.1:1/nothing");
    let keys = text(&run(&unreachable, &["keys"], &[]).stdout);
    assert!(keys.contains("books"), "{keys}");
    // It needs the database.
    assert_eq!(run(&unreachable, &["count"], &[]).status.code(), Some(1));
    let twice = run(YAML, &["greet", "Ada"], &[("LIBRARY_TWICE", "1")]);
    assert_eq!(twice.status.code(), Some(2));
    let errors = text(&twice.stderr);
    let message = "two commands of the console are called `migrate`";
    assert!(errors.contains(message), "{errors}");
}

pub fn wrong_settings_stop_every_command() {
    let yaml = "app: { greting: Hello }";
    for arguments in [&["serve"][..], &["migrate", "--status"], &["greet", "Ada"]] {
        let rejected = run(yaml, arguments, &[]);
        assert_eq!(rejected.status.code(), Some(2), "{arguments:?}");
        assert_eq!(
            text(&rejected.stderr).lines().collect::<Vec<_>>(),
            [
                "formwork.yaml: app.greeting is missing",
                "formwork.yaml: app.greting: no such key; did you mean `app.greeting`?",
            ]
        );
    }
    let yaml = "app: { greting: Hello }\nserver: { adr: x }\napi: { body_limit: much }";
    let rejected = run(yaml, &["serve"], &[("FORMWORK_LOG__FORMAT", "xml")]);
    insta::assert_snapshot!("settings", text(&rejected.stderr));
    // An unreadable file has one error.
    let errors = text(&run("app: [", &["serve"], &[]).stderr);
    assert!(!errors.contains("app.greeting"), "{errors}");
}
