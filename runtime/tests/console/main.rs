//! The program around a service, as its own process (docs/guide/running.md).
//!
//! Without a harness: the child that is tested is this very program, started with a variable set.

#[path = "../databases/mod.rs"]
mod databases;
mod each;
mod killed;
#[path = "../service/library.rs"]
#[allow(dead_code, reason = "the tests over HTTP look at more of it")]
mod library;
mod moves;
mod own;
mod permissions;
mod program;
mod stopping;

use std::{
    net::TcpStream,
    path::Path,
    process::{Command, ExitCode},
};

use formwork::{http::route::Route, prelude::*};
use program::{ask, failed, listening, printed, project, serve};

/// Has a route that takes a connection of the database, and never gives it back.
struct Held;

impl Extension for Held {
    fn name(&self) -> &'static str {
        "held"
    }

    fn routes(&self) -> Vec<Route> {
        vec![Route::get("/held", Allow::All, held)]
    }
}

async fn held(ctx: Context) -> Result<Response> {
    let _held = ctx.db().begin().await?;
    std::future::pending().await
}

const CHILD: &str = "LIBRARY_CONSOLE";

/// Set where the service has commands and settings of its own.
const OWN: &str = "LIBRARY_OWN";

fn main() -> ExitCode {
    if std::env::var_os(CHILD).is_some() {
        let mut extensions = library::extensions();
        extensions.push(Box::new(Held));
        if std::env::var_os(each::SLOW).is_some() {
            return formwork::console(vec![Box::new(each::Slow)]);
        }
        if std::env::var_os(OWN).is_some() {
            return own::service(extensions).console();
        }
        return formwork::console(extensions);
    }
    a_newcomers_path();
    moves::a_service_moves();
    each::several_migrate_at_once();
    each::commands_take_their_time();
    own::commands_of_a_project_stand_beside_the_consoles();
    own::wrong_settings_stop_every_command();
    permissions::an_administrator_has_the_permissions_that_the_command_names();
    mistakes_are_told();
    a_service_describes_itself();
    killed::acknowledged_writes_survive_a_killed_process();
    stopping::the_end_has_an_end();
    stopping::a_second_stop_signal_does_not_abort_requests();
    println!("console: ok");
    ExitCode::SUCCESS
}

fn a_newcomers_path() {
    let project =
        project("auth: { customers: members }\ndatabase: { url: 'sqlite://data/x.sqlite' }\n");
    let folder = project.path();
    let status = printed(folder, &["migrate", "--status"]);
    assert!(
        status.contains("pending  20260201000000 create_library (example.library)"),
        "{status}"
    );
    let mut plan = program::command(folder, &["migrate", "--dry-run"]);
    let plan = plan.env("FORMWORK_DATABASE__TABLE_PREFIX", "fw_").output();
    let planned = String::from_utf8(plan.expect("it starts").stdout).expect("text");
    assert!(
        planned.contains("CREATE TABLE \"fw_api_tokens\""),
        "{planned}"
    );
    assert!(!folder.join("data").exists(), "looking makes nothing");
    let (code, said) = failed(folder, &["user", "create", "--email", "not-an-email"]);
    assert!(
        code == Some(1) && said.contains("`not-an-email` is not an e-mail address"),
        "{said}"
    );
    let (code, said) = failed(folder, &["seed"]);
    assert!(
        code == Some(1) && said.contains("run `migrate` first"),
        "{said}"
    );
    let applied = printed(folder, &["migrate"]);
    for name in ["admin_users", "api_tokens", "library"] {
        assert!(applied.contains(&format!("create_{name} (")), "{applied}");
    }
    assert!(
        !applied.contains("api_customers"),
        "the project has customers of its own: {applied}"
    );
    assert_eq!(printed(folder, &["migrate"]), "Nothing to migrate.\n");
    let to = ["migrate", "--to", "20260201000000"];
    assert_eq!(printed(folder, &to), "Nothing to migrate.\n");
    for (version, why) in [
        (
            "0",
            "create_library (example.library) cannot be undone: it has no down part. Nothing was undone",
        ),
        (
            "7",
            "no migration has the version 7: `migrate --status` lists them",
        ),
    ] {
        for to in [&["migrate", "--to"][..], &["migrate", "--dry-run", "--to"]] {
            let (code, said) = failed(folder, &[to, &[version]].concat());
            assert!(code == Some(1) && said.contains(why), "{said}");
        }
    }
    assert_eq!(printed(folder, &["seed"]), "Seeded.\n");
    assert!(folder.join("data/x.sqlite").is_file(), "the folder is made");

    let user = printed(
        folder,
        &[
            "user",
            "create",
            "--email",
            "a@example.com",
            "--super",
            "--username",
            "root",
        ],
    );
    assert!(
        user.starts_with("Super user 1: a@example.com\nPassword: "),
        "{user}"
    );
    let customer = [
        "user",
        "create",
        "--email",
        "c@example.com",
        "--password",
        "formwork",
    ];
    assert_eq!(
        printed(folder, &customer),
        "Customer 1: c@example.com\nFilled last_name with an empty text\n",
        "columns that no argument gives a value are named"
    );
    let bind = ["user", "locations", "--email", "a@example.com"];
    let bound = printed(folder, &[&bind[..], &["--ids", "1,2"]].concat());
    assert_eq!(bound, "Administrator 1: locations 1, 2\n");
    let free = printed(folder, &bind);
    assert_eq!(free, "Administrator 1: all locations\n");
    let (code, said) = failed(folder, &customer);
    assert!(
        code == Some(1) && said.contains("already been taken"),
        "{said}"
    );

    let token = [
        "token",
        "--name",
        "till",
        "--email",
        "a@example.com",
        "--admin",
        "--abilities",
        "books.*",
    ];
    let line = printed(folder, &token);
    let token = line
        .strip_prefix("Access Token: ")
        .expect("the line of the contract")
        .trim();
    let listed = printed(folder, &["token", "list"]);
    assert!(
        listed.contains("1\tadmin 1\ttill\t[\"books:*\"]\tnever\tnever"),
        "{listed}"
    );
    assert!(!listed.contains(&token[2..]), "secrets are not listed");

    let routes = printed(folder, &["routes"]);
    assert!(routes.contains("PUT,PATCH  /api/books/{id}"), "{routes}");
    #[cfg(feature = "admin")]
    settled(folder);
    served(folder, token);
    #[cfg(feature = "admin")]
    assert_eq!(
        printed(folder, &["resources", "sync"]),
        "Nothing to sync.\n",
        "a service that starts has done it"
    );
    assert_eq!(
        printed(folder, &["token", "revoke", "1"]),
        "Token 1 is revoked.\n"
    );
    assert_eq!(failed(folder, &["token", "revoke", "1"]).0, Some(1));
}

/// Brings resources to their table, and lists what is on as the table has it.
#[cfg(feature = "admin")]
fn settled(folder: &Path) {
    let synced = printed(folder, &["resources", "sync"]);
    assert!(synced.contains("added    books\n"), "{synced}");
    assert_eq!(
        printed(folder, &["resources", "sync"]),
        "Nothing to sync.\n"
    );
    let decide = "UPDATE api_resources SET meta = '{\"actions\": [\"index\", \"show\"], \
                  \"authorization\": {\"index\": \"all\", \"show\": \"admin\"}}' \
                  WHERE endpoint = 'books'";
    let leave = "INSERT INTO api_resources (name, endpoint, is_custom) \
                 VALUES ('Left', 'left', 0), ('Own', 'own', 1), ('Gone', 'gone', 0)";
    statements(folder, &[decide, leave]);
    // Listing the actions that are on removes none.
    printed(folder, &["routes"]);
    assert_eq!(
        printed(folder, &["resources", "sync"]),
        "removed  left\nremoved  gone\n"
    );
    assert_eq!(
        printed(folder, &["resources", "sync"]),
        "Nothing to sync.\n",
        "custom rows stay"
    );
    let routes = printed(folder, &["routes"]);
    assert!(!routes.contains("PUT,PATCH  /api/books/{id}"), "{routes}");
    assert!(routes.contains("/api/members"), "{routes}");
    let show = routes.lines().find(|line| line.contains("/api/books/{id}"));
    assert!(show.is_some_and(|line| line.ends_with("admin")), "{routes}");
    statements(folder, &["DELETE FROM api_resources"]);
    let routes = printed(folder, &["routes"]);
    assert!(routes.contains("PUT,PATCH  /api/books/{id}"), "{routes}");
}

#[cfg(feature = "admin")]
fn statements(folder: &Path, statements: &[&'static str]) {
    let url = format!("sqlite://{}", folder.join("data/x.sqlite").display());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let options = formwork::data::database::DatabaseOptions::new(url);
        let db = formwork::data::database::Db::connect(&options)
            .await
            .expect("the database");
        for statement in statements {
            db.execute(*statement, []).await.expect("a statement");
        }
        db.close().await;
    });
}

/// Serves, answers with the token, and stops on a signal.
fn served(folder: &Path, token: &str) {
    let mut service = serve(folder);
    let address = listening(&mut service);
    let answer = ask(&address, "/api/books", token);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(ask(&address, "/health/ready", token).starts_with("HTTP/1.1 200"));
    assert!(ask(&address, "/api/members", token).starts_with("HTTP/1.1 403"));
    let stopped = Command::new("kill")
        .arg(service.id().to_string())
        .status()
        .expect("kill");
    assert!(stopped.success());
    assert!(
        service.wait().expect("the service ends").success(),
        "SIGTERM is a clean end"
    );
    assert!(TcpStream::connect(&address).is_err());
}

/// With an unreachable database, and without creating one: the registry suffices.
fn a_service_describes_itself() {
    let project = project(
        "auth: { customers: members }\napi: { prefix: /v2 }\n\
         database: { url: 'postgres://nobody@127.0.0.1:1/nothing' }\n",
    );
    let folder = project.path();
    let said = printed(folder, &["openapi"]);
    assert!(
        said.contains("\n  \"openapi\": \"3.1.1\","),
        "a member a line: {said}"
    );
    let document: serde_json::Value = serde_json::from_str(&said).expect("JSON alone");
    let paths = document["paths"].as_object().expect("paths");
    for line in printed_routes().lines() {
        let mut words = line.split_whitespace();
        let (methods, path) = (
            words.next().expect("methods"),
            words.next().expect("a path"),
        );
        let path = path.replacen("/api", "/v2", 1);
        for method in methods.split(',') {
            let operation = &paths[&path][method.to_lowercase()];
            assert!(operation["operationId"].is_string(), "{method} {path}");
        }
    }
    assert_eq!(printed(folder, &["openapi"]), said, "the same every time");
    let names = std::fs::read_dir(folder).expect("a folder").count();
    assert_eq!(names, 1, "nothing is made beside formwork.yaml");
}

/// The output of `routes` for the same service.
fn printed_routes() -> String {
    let project =
        project("auth: { customers: members }\ndatabase: { url: 'sqlite://data/x.sqlite' }\n");
    printed(project.path(), &["routes"])
}

fn mistakes_are_told() {
    let project = project("api: { rate_limt: 5 }\n");
    let (code, said) = failed(project.path(), &["routes"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("did you mean `api.rate_limit`?"), "{said}");

    let fresh = tempfile::tempdir().expect("folder");
    let folder = fresh.path();
    assert_eq!(failed(folder, &["serv"]).0, Some(2));
    let (code, said) = failed(folder, &["resources", "sync"]);
    assert!(
        code == Some(1)
            && said.contains(if cfg!(feature = "admin") {
                "run `migrate` first"
            } else {
                "feature `admin`"
            }),
        "{said}"
    );
    let (code, _) = failed(folder, &["openapi", "--pretty"]);
    assert_eq!(code, Some(2));
    printed(folder, &["migrate"]);
    let (code, said) = failed(
        folder,
        &["token", "--name", "x", "--email", "nobody@example.com"],
    );
    assert!(
        code == Some(1) && said.contains("no active customer"),
        "{said}"
    );
    let made = printed(
        folder,
        &[
            "user",
            "create",
            "--email",
            "m@example.com",
            "--password",
            "formwork",
        ],
    );
    assert!(
        made.starts_with("Customer 1"),
        "the minimal table of customers: {made}"
    );
    for wrong in [["--abilities", "a b"], ["--expires-in", "soon"]] {
        let base = ["token", "--name", "x", "--email", "m@example.com"];
        let (code, said) = failed(folder, &[&base[..], &wrong[..]].concat());
        assert!(code == Some(1) && said.contains("is no"), "{said}");
    }
}
