//! `formwork new`: a project that builds, runs and passes its tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use heck::ToKebabCase;
use serde_json::{Value, json};

use crate::cli::{Cli, Example, Format, NewProjectArgs};
use crate::error::Refused;
use crate::exit::Exit;
use crate::manifest::Sources;
use crate::name;
use crate::project::Database;
use crate::report::quoted;
use crate::resolve;
use crate::run::print::{self, Answer};
use crate::run::request::{Purpose, Request, Run};
use crate::run::{checkout, pipeline};
use crate::schema::{database_name, database_named};
use crate::view::{server, server_url};

/// Makes a project in a folder that is missing or empty.
///
/// # Errors
/// A refusal where the folder holds something or the name is none for a package, or what writing failed with.
pub fn run(cli: &Cli, args: &NewProjectArgs) -> Result<Exit> {
    let databases = databases(args)?;
    refuse_used(&args.dir)?;
    if let Some(example) = args.example {
        lay_out(example, &args.dir)?;
    } else {
        pour(cli, args, &databases)?;
    }
    match cli.format {
        Format::Json => print::json(&Answer::done("new", answer(args)?))?,
        Format::Text if cli.quiet => {}
        Format::Text => print::out(&introduction(args)?)?,
    }
    Ok(Exit::Done)
}

/// The databases that `--database` names.
fn databases(args: &NewProjectArgs) -> Result<BTreeSet<Database>, Refused> {
    let mut known = BTreeSet::new();
    let mut problems = Vec::new();
    for name in &args.database {
        match database_named(name) {
            Some(database) => known.extend([database]),
            None => problems.push(format!(
                "--database {name}: unknown database: write sqlite, postgres or mysql"
            )),
        }
    }
    if args.example.is_some() && known != BTreeSet::from([Database::Sqlite]) {
        problems.push("--database is not for --example: change `database.kinds` in its formwork.yaml, and run `formwork generate`".to_owned());
    }
    Refused::unless_empty(Exit::Usage, problems)?;
    Ok(known)
}

fn refuse_used(folder: &Path) -> Result<()> {
    let used = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read {}", folder.display()));
        }
    };
    let problem = || {
        format!(
            "{} is not empty: name an empty or a new folder",
            folder.display()
        )
    };
    if used {
        Err(Refused::new(Exit::Usage, problem()).into())
    } else {
        Ok(())
    }
}

/// Renders the project's own files; its name is in a `Cargo.toml` that is resolved before it is
/// written.
fn pour(cli: &Cli, args: &NewProjectArgs, databases: &BTreeSet<Database>) -> Result<()> {
    let package = package(args)?;
    let cargo = format!("[package]\nname = {package:?}\n");
    let kinds: Vec<&str> = databases.iter().map(|one| database_name(*one)).collect();
    let config = format!("database: [{}]\n", kinds.join(", "));
    let sources = Sources::from_texts([("Cargo.toml", cargo), ("formwork.yaml", config)]);
    if let Err(mistakes) = resolve::resolve(&sources) {
        let problems = mistakes.into_iter().map(|mistake| mistake.message);
        return Err(Refused::all(Exit::Usage, problems.collect()).into());
    }
    fs::create_dir_all(&args.dir).with_context(|| format!("cannot make {}", args.dir.display()))?;
    let request = || Ok(Request::all(sources.clone()));
    let run = Run::new("new", &args.dir, Purpose::Render(&request));
    pipeline::carry_out(cli, &run)?;
    Ok(())
}

/// Writes an example's files below `path`, its runtime dependency pointed to the checkout or the release.
///
/// # Errors
/// When a folder or file cannot be written.
pub fn lay_out(example: Example, path: &Path) -> Result<()> {
    for (name, content) in formwork_examples::files(example.name()) {
        let file = path.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let content = match name {
            "Cargo.toml" => checkout::name_runtime(std::str::from_utf8(content)?)?.into_bytes(),
            _ => content.to_vec(),
        };
        fs::write(&file, content).with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Names of crates that poured code names itself, and folders of Cargo's own, which are refused as
/// names of programs (`is_conflicting_artifact_name` in its sources).
const TAKEN: &[&str] = &[
    "alloc",
    "build",
    "core",
    "deps",
    "examples",
    "formwork",
    "incremental",
    "mimalloc",
    "serde",
    "std",
    "test",
];

/// The package's name: as given, else the folder's, in kebab-case.
fn package(args: &NewProjectArgs) -> Result<String> {
    let folder = std::path::absolute(&args.dir)?;
    let folder = folder
        .file_name()
        .map(|name| name.to_string_lossy().to_kebab_case());
    let name = args.name.clone().or(folder).unwrap_or_default();
    let legal = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|letter| {
            letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter)
        })
        && !TAKEN.contains(&name.as_str());
    let reason = match name::is_keyword(&name.replace('-', "_")) {
        true => ", because it is a keyword of Rust",
        false if legal => return Ok(name),
        false => "",
    };
    let problem = format!("`{name}` cannot be a package's name{reason}: name another with --name");
    Err(Refused::new(Exit::Usage, problem).into())
}

/// The first commands in the new folder.
fn next(args: &NewProjectArgs) -> Result<Vec<String>> {
    // An extension cannot have the project's own name.
    let extension = match package(args)?.as_str() {
        "shop" => "menu",
        _ => "shop",
    };
    let attributes = "title:string:required price:decimal:15,4:required:min=0";
    let generate = format!("formwork generate resource {extension} dishes {attributes}");
    let folder = quoted(&args.dir.display().to_string());
    let mut next = Vec::new();
    next.extend((args.dir != Path::new(".")).then(|| format!("cd {folder}")));
    let own = args.example.is_none();
    next.extend(own.then_some(generate));
    let databases = databases(args)?;
    if let Some(server) = server(&databases) {
        next.push("docker compose up --detach --wait database".to_owned());
        let named = databases.contains(&Database::Sqlite);
        next.extend(named.then(|| format!("export DATABASE_URL={}", server_url(server))));
    }
    next.push("cargo run -- migrate".to_owned());
    next.extend((!own).then(|| "cargo run -- seed".to_owned()));
    next.push("cargo run -- serve".to_owned());
    next.extend(own.then(|| "curl http://127.0.0.1:8000/api/dishes".to_owned()));
    Ok(next)
}

fn answer(args: &NewProjectArgs) -> Result<Value> {
    Ok(json!({
        "path": args.dir,
        "package": package(args)?,
        "runtime": checkout::runtime_dependency(),
        "next": next(args)?,
    }))
}

fn introduction(args: &NewProjectArgs) -> Result<String> {
    let shown = args.dir.display();
    let runtime = checkout::runtime_dependency();
    let lines = next(args)?.into_iter().map(|line| format!("  {line}\n"));
    let head = format!(
        "Made {shown}; its runtime is formwork = {runtime}.\n\n{}\n",
        lines.collect::<String>()
    );
    Ok(match args.example {
        Some(_) => head + SEEDED,
        None => head + POURED,
    })
}

/// Of an example.
const SEEDED: &str = "\
The seed has an administrator, admin@example.com, and the customers alice@example.com and bob@example.com. Their
password is formwork. A token to write with:

  cargo run -- token --name laptop --email admin@example.com --admin
";

/// Of a project of one's own.
const POURED: &str = "\
The last line, typed in a second terminal, is answered

  {\"data\":[],\"meta\":{\"pagination\":{\"total\":0,\"count\":0,…

Everyone can read a new resource, administrators can change it. `actions:` in its manifest sets the callers:
`index:users` requires a sign-in. An administrator and a token to write with:

  cargo run -- user create --email you@example.com --super --username you
  cargo run -- token --name laptop --email you@example.com --admin
";
