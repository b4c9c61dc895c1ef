//! docs/guide/moving.md, as its reader does it: a project that was poured for SQLite moves to a server
//! with its rows, from there to the other, and back.

use formwork_tests::{
    checkout,
    client::Client,
    project::Project,
    server::{Database, servers},
};
use serde_json::{Value, json};

use crate::page::{blocks, typed};
use crate::program::Program;

/// The page.
const PAGE: &str = "moving.md";

/// Where the project's rows are at first.
const FIRST: &str = "sqlite://data/app.sqlite";

fn dish(slug: &str, menu: &Value) -> Value {
    json!({
        "slug": slug, "price": "99999999999.9999", "is_hot": true, "portions": -3, "weight": 0.25,
        "served_on": "2026-01-31", "served_at": "12:30", "notes": {"salt": [1, null, "🧀"]},
        "code": "67e55044-10b1-426f-9247-bb680e5fe0c8", "size": "large", "menu_id": menu,
        "story": "a\\b\r\n🧀", "calories": i64::MIN, "total": "-9999999999999999.99",
        "cooked_at": "2026-01-31T12:00:00.123456+02:00", "label": "",
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

/// Rows of each table; returns a token and what the lists show.
fn fill(program: &Program<'_>) -> (String, Vec<Value>) {
    program.run("migrate");
    program.run("user create --username a --email a@example.com --super");
    let token = program.run("token --name till --email a@example.com --admin");
    let token = token.trim().rsplit(' ').next().expect("a token").to_owned();
    let service = program.serve();
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
    let shown = shown(&client);
    (token, shown)
}

/// The line `kinds: […]` of a block of settings.
fn kinds(block: &[String]) -> &str {
    let mut lines = block.iter().map(|line| line.trim());
    lines
        .find(|line| line.starts_with("kinds:"))
        .expect("kinds")
}

/// Types the commands of the page's first block, with the addresses of a test.
fn carry_out(program: &mut Program<'_>, from: &str, to: &str) {
    for line in typed(&blocks(PAGE, "console")[0]) {
        if line == "formwork generate" {
            program.project.run(&["generate"]).exits(0);
            program.build();
        } else if let Some(address) = line.strip_prefix("export DATABASE_URL=") {
            assert!(address.contains("://"), "{line}");
            program.database = Some(to.to_owned());
        } else {
            let command = line.strip_prefix("cargo run -- ").expect("a command");
            let printed = program.run(&command.replace(FIRST, from));
            let copies = command.starts_with("copy");
            assert!(
                !copies || printed.contains("       2  dishes\n"),
                "{printed}"
            );
        }
    }
}

fn moved(program: &mut Program<'_>, (from, to): (&str, &str), filled: &(String, Vec<Value>)) {
    carry_out(program, from, to);
    let (token, before) = filled;
    let service = program.serve();
    let client = Client::new(&service.base, Some(token));
    assert_eq!(&shown(&client), before, "{from} to {to}");
    let stored = client.post("/api/dishes", &dish("tea", &Value::Null));
    assert_eq!(stored.json["data"]["id"], 3, "{stored:?}");
    assert_eq!(client.delete("/api/dishes/3").status, 204);
}

#[test]
fn a_project_moves_with_its_rows() {
    let servers = servers();
    if servers.is_empty() {
        return;
    }
    let project = Project::new("moving");
    project.take(&checkout().join("fixtures/kitchen"));
    project.run(&["generate"]).exits(0);
    let mut program = Program {
        project: &project,
        name: "moving",
        database: None,
    };
    program.build();
    let filled = fill(&program);
    let settings = blocks(PAGE, "yaml");
    let databases: Vec<Database> = servers.iter().map(|url| Database::beside(url)).collect();
    let mut from = FIRST.to_owned();
    let mut known = "kinds: [sqlite]".to_owned();
    for database in &databases {
        let kind = database.url().split(':').next().map(str::to_owned);
        let of_kind =
            |block: &&Vec<String>| kinds(block).contains(kind.as_deref().expect("a kind"));
        let named = kinds(settings.iter().find(of_kind).expect("settings of the kind"));
        // Beside the kind that the rows come from.
        let named = match known.contains("postgres") {
            true => "kinds: [sqlite, postgres, mysql]",
            false => named,
        };
        project.edit("formwork.yaml", &known, named);
        named.clone_into(&mut known);
        moved(&mut program, (&from, &database.url()), &filled);
        from = database.url();
    }
    moved(&mut program, (&from, "sqlite://data/back.sqlite"), &filled);
}
