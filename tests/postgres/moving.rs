//! docs/guide/moving.md: a project that was poured for SQLite moves to PostgreSQL with its rows.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use formwork_tests::{
    address, cargo, checkout, client::Client, project::Project, server::Database, target_dir,
};
use serde_json::{Value, json};

use crate::name_kinds;

/// The built program of the project.
fn build(project: &Project) {
    let lock = checkout().join("Cargo.lock");
    std::fs::copy(lock, project.root().join("Cargo.lock")).expect("the lock file is copied");
    let built = cargo(&["build"]).current_dir(project.root()).output();
    let built = built.expect("cargo starts");
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
}

fn program(project: &Project, arguments: &[&str]) -> Command {
    let mut program = Command::new(target_dir().join("debug/moving"));
    program
        .args(arguments)
        .current_dir(project.root())
        .env_remove("DATABASE_URL");
    program
}

fn printed(project: &Project, arguments: &[&str]) -> String {
    let output = program(project, arguments).output();
    let output = output.expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A running service, stopped when dropped.
struct Served {
    child: Child,
    base: String,
}

impl Served {
    fn new(project: &Project) -> Self {
        let mut serve = program(project, &["serve", "--addr", "127.0.0.1:0"]);
        let mut child = serve.stderr(Stdio::piped()).spawn().expect("it starts");
        let log = child.stderr.take().expect("its log");
        let mut lines = BufReader::new(log).lines();
        let address = lines.by_ref().find_map(|line| {
            let line: Value = serde_json::from_str(&line.ok()?).ok()?;
            line["address"].as_str().map(str::to_owned)
        });
        std::thread::spawn(move || lines.for_each(drop));
        let base = format!("http://{}", address.expect("an address"));
        Self { child, base }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn dish(slug: &str, menu: &Value) -> Value {
    json!({
        "slug": slug, "price": "99999999999.9999", "is_hot": true, "portions": -3, "weight": 0.25,
        "served_on": "2026-01-31", "served_at": "12:30", "notes": {"salt": [1, null, "🧀"]},
        "code": "67e55044-10b1-426f-9247-bb680e5fe0c8", "size": "large", "menu_id": menu,
    })
}

/// What the lists show; a dish's own row has no second one, so their order is that of the keys.
fn shown(client: &Client) -> Vec<Value> {
    let lists = [
        "/api/dishes?include=menu",
        "/api/menus",
        "/api/guests?include=menus",
        "/api/token/user",
    ];
    let shown = lists.map(|list| {
        let answer = client.get(list);
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json
    });
    shown.to_vec()
}

#[test]
fn a_project_moves_to_postgresql_with_its_rows() {
    let Some(server) = address("FORMWORK_TEST_POSTGRES_URL") else {
        return;
    };
    let project = Project::new("moving");
    project.take(&checkout().join("fixtures/kitchen"));
    project.run(&["generate"]).exits(0);
    build(&project);
    printed(&project, &["migrate"]);
    let email = ["--email", "a@example.com", "--admin"];
    let user = ["user", "create", "--username", "a"];
    printed(&project, &[&user[..], &email].concat());
    let token = printed(
        &project,
        &[&["token", "--name", "till"][..], &email].concat(),
    );
    let token = token.trim().rsplit(' ').next().expect("a token").to_owned();
    let before = {
        let service = Served::new(&project);
        let client = Client::new(&service.base, Some(&token));
        let menu = client.post("/api/menus", &json!({"title": "Lunch"}));
        let menu = menu.json["data"]["id"].clone();
        for slug in ["soup", "bread"] {
            let stored = client.post("/api/dishes", &dish(slug, &menu));
            assert_eq!(stored.status, 201, "{stored:?}");
        }
        let guest = json!({"name": "Ada", "menus": [menu]});
        let stored = client.post("/api/guests", &guest);
        assert_eq!(stored.status, 201, "{stored:?}");
        shown(&client)
    };

    let database = Database::beside(&server);
    name_kinds(&project, "[sqlite, postgres]");
    project.edit(
        "formwork.yaml",
        "# url: sqlite://data/app.sqlite",
        &format!("url: {}", database.url()),
    );
    project.run(&["generate"]).exits(0);
    build(&project);
    printed(&project, &["migrate"]);
    let copied = printed(&project, &["copy", "--from", "sqlite://data/app.sqlite"]);
    assert!(copied.contains("       2  dishes\n"), "{copied}");
    let service = Served::new(&project);
    let client = Client::new(&service.base, Some(&token));
    assert_eq!(shown(&client), before);
    let stored = client.post("/api/dishes", &dish("tea", &Value::Null));
    assert_eq!(stored.json["data"]["id"], 3, "{stored:?}");
}
