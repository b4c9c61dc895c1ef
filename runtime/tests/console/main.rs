//! The program around a service, as its own process (docs/guide/running.md).
//!
//! Without a harness: the child that is tested is this very program, started with a variable set.

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

mod each;
mod killed;
#[path = "../http/library.rs"]
#[allow(dead_code, reason = "the tests over HTTP look at more of it")]
mod library;
mod moves;
mod own;
mod permissions;
mod program;
mod stopping;

use std::{net::TcpStream, path::Path, process::ExitCode};

use formwork::{http::route::Route, prelude::*};
use program::{
    LIBRARY, ask, listening, printed, project, serve, signal, statements, text, transcript,
};

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
    errors_are_reported();
    a_service_describes_itself();
    killed::acknowledged_writes_survive_a_killed_process();
    stopping::the_end_has_an_end();
    stopping::a_second_stop_signal_does_not_abort_requests();
    println!("console: ok");
    ExitCode::SUCCESS
}

fn a_newcomers_path() {
    let project = project(LIBRARY);
    let folder = project.path();
    let mut plan = program::command(folder, &["migrate", "--dry-run"]);
    let plan = plan.env("FORMWORK_DATABASE__TABLE_PREFIX", "fw_").output();
    let plan = text(&plan.expect("it starts").stdout);
    assert!(plan.contains("CREATE TABLE \"fw_api_tokens\""), "{plan}");
    let status = transcript(folder, "migrate --status");
    assert!(!folder.join("data").exists(), "looking makes nothing");
    let commands = "
        user create --email not-an-email
        seed
        migrate
        migrate
        migrate --to 20260201000000
        migrate --to 0
        migrate --to 7
        migrate --dry-run --to 0
        migrate --dry-run --to 7
        seed
        user create --email a@example.com --super --username root
        user create --email c@example.com --password formwork
        user create --email c@example.com --password formwork
        user locations --email a@example.com --ids 1,2
        user locations --email a@example.com
        token --name till --email a@example.com --admin --abilities books.*
        token list
        routes
        token revoke 1
        token revoke 1";
    let after = transcript(folder, commands);
    insta::assert_snapshot!("newcomer", format!("{status}\n{after}"));
    resources_are_synced(folder);
    let token = "token --name x --email a@example.com --admin --abilities books.*";
    let line = printed(folder, &token.split(' ').collect::<Vec<_>>());
    let token = line.strip_prefix("Access Token: ").expect("a token").trim();
    assert!(
        !printed(folder, &["token", "list"]).contains(&token[2..]),
        "secrets are not listed"
    );
    served(folder, token);
    // A service that starts has synchronized its resources.
    assert_eq!(
        printed(folder, &["resources", "sync"]),
        "Nothing to sync.\n"
    );
}

/// Brings resources to their table, and lists the enabled actions as the table has them.
fn resources_are_synced(folder: &Path) {
    let first = transcript(folder, "resources sync\nresources sync");
    let decide = "UPDATE api_resources SET meta = '{\"actions\": [\"index\", \"show\"], \
                  \"authorization\": {\"index\": \"all\", \"show\": \"admin\"}}' \
                  WHERE endpoint = 'books'";
    let leave = "INSERT INTO api_resources (name, endpoint, is_custom) \
                 VALUES ('Left', 'left', 0), ('Own', 'own', 1), ('Gone', 'gone', 0)";
    statements(folder, &[decide, leave]);
    // Listing the enabled actions removes none; custom rows stay.
    let changed = transcript(folder, "routes\nresources sync\nresources sync\nroutes");
    insta::assert_snapshot!("resources", format!("{first}\n{changed}"));
    statements(folder, &["DELETE FROM api_resources"]);
    let routes = printed(folder, &["routes"]);
    assert!(routes.contains("PUT,PATCH  /api/books/{id}"), "{routes}");
}

/// Serves, answers with the token, and stops on a signal.
fn served(folder: &Path, token: &str) {
    let mut service = serve(folder);
    let address = listening(&mut service);
    let answer = ask(&address, "/api/books", token);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(ask(&address, "/health/ready", token).starts_with("HTTP/1.1 200"));
    assert!(ask(&address, "/api/members", token).starts_with("HTTP/1.1 403"));
    signal(&service, "-TERM");
    let ended = service.wait().expect("the service ends");
    assert!(ended.success(), "SIGTERM is a clean end");
    assert!(TcpStream::connect(&address).is_err());
}

/// With an unreachable database, and without creating one: the registry suffices.
fn a_service_describes_itself() {
    let project = project(
        "auth: { customers: members }\napi: { prefix: /v2 }\n\
         database: { url: 'postgres://nobody@127.0.0.1:1/nothing' }\n",
    );
    let folder = project.path();
    let output = printed(folder, &["openapi"]);
    // A member a line.
    assert!(output.contains("\n  \"openapi\": \"3.1.1\","), "{output}");
    let document: serde_json::Value = serde_json::from_str(&output).expect("JSON alone");
    let paths = document["paths"].as_object().expect("paths");
    let library = program::project(LIBRARY);
    for line in printed(library.path(), &["routes"]).lines() {
        let (methods, rest) = line.split_once(' ').expect("methods");
        let path = rest.split_whitespace().next().expect("a path");
        let path = path.replacen("/api", "/v2", 1);
        for method in methods.split(',') {
            let operation = &paths[&path][method.to_lowercase()];
            assert!(operation["operationId"].is_string(), "{method} {path}");
        }
    }
    assert_eq!(printed(folder, &["openapi"]), output, "the same every time");
    let names = std::fs::read_dir(folder).expect("a folder").count();
    assert_eq!(names, 1, "nothing is made beside formwork.yaml");
}

fn errors_are_reported() {
    let invalid = project("api: { rate_limt: 5 }\n");
    let invalid = transcript(invalid.path(), "routes");
    let fresh = tempfile::tempdir().expect("folder");
    let commands = "
        serv
        resources sync
        openapi --pretty
        migrate
        token --name x --email nobody@example.com
        user create --email m@example.com --password formwork
        token --name x --email m@example.com --abilities a/b
        token --name x --email m@example.com --expires-in soon";
    let fresh = transcript(fresh.path(), commands);
    insta::assert_snapshot!("errors", format!("{invalid}\n{fresh}"));
}
