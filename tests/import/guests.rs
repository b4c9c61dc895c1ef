//! An import, served: guests read nothing, secrets are hidden, and the runtime's own tables are not imported.

use formwork_tests::client::Client;
use formwork_tests::program::Program;
use formwork_tests::project::Project;
use formwork_tests::server::Database;
use serde_json::json;

use crate::import;

/// Ordinary tables, accounts, tables whose keys let a caller in, and one of a framework's. Each secret begins with `hush`.
const SHOP: &str = "\
    CREATE TABLE dishes (id INTEGER PRIMARY KEY, title VARCHAR(60) NOT NULL, cook_id INTEGER REFERENCES cooks(id), \
        buyer_id INTEGER REFERENCES buyers(id), accessToken VARCHAR(40)); \
    CREATE TABLE cooks (id INTEGER PRIMARY KEY, email VARCHAR(90) NOT NULL, password_digest VARCHAR(90) NOT NULL, \
        recovery_codes TEXT, refreshToken VARCHAR(40)); \
    CREATE TABLE buyers (id INTEGER PRIMARY KEY, email VARCHAR(90) NOT NULL UNIQUE, password VARCHAR(255) NOT NULL, \
        name VARCHAR(40)); \
    CREATE TABLE sessions (id VARCHAR(40) PRIMARY KEY, user_id INTEGER, payload TEXT NOT NULL); \
    CREATE TABLE password_reset_tokens (email VARCHAR(90) PRIMARY KEY, token VARCHAR(90) NOT NULL); \
    CREATE TABLE authtoken_token (key VARCHAR(40) PRIMARY KEY, user_id INTEGER NOT NULL); \
    CREATE TABLE invites (token VARCHAR(40) PRIMARY KEY, note TEXT); \
    CREATE TABLE trails (id INTEGER PRIMARY KEY, visit VARCHAR(40) REFERENCES sessions(id), step VARCHAR(40) REFERENCES steps(visit), \
        path TEXT NOT NULL); \
    CREATE TABLE steps (visit VARCHAR(40) PRIMARY KEY REFERENCES sessions, note TEXT); \
    CREATE VIEW faces AS SELECT id, email, name FROM buyers; \
    CREATE TABLE jobs (id INTEGER PRIMARY KEY, queue VARCHAR(40) NOT NULL, payload TEXT NOT NULL); \
    INSERT INTO jobs VALUES (1, 'mails', 'hush11'); \
    INSERT INTO cooks VALUES (1, 'a@example.com', 'hush1', 'hush2', 'hush3'); \
    INSERT INTO buyers VALUES (1, 'b@example.com', '$2y$10$hush4', 'Bo'); \
    INSERT INTO dishes VALUES (1, 'Ramen', 1, 1, 'hush5'); \
    INSERT INTO sessions VALUES ('hush6', 1, 'hush7'); \
    INSERT INTO steps VALUES ('hush6', 'x'); \
    INSERT INTO trails VALUES (1, 'hush6', 'hush6', '/'); \
    INSERT INTO password_reset_tokens VALUES ('a@example.com', 'hush8'); \
    INSERT INTO authtoken_token VALUES ('hush9', 1); \
    INSERT INTO invites VALUES ('hush10', 'come')";

/// The resources.
const KEYS: [&str; 11] = [
    "authtoken_tokens",
    "buyers",
    "cooks",
    "dishes",
    "faces",
    "invites",
    "jobs",
    "password_reset_tokens",
    "sessions",
    "steps",
    "trails",
];

/// Into an extension that no other project has.
const SALON: [&str; 2] = ["--ext", "salon"];

#[test]
fn everything_is_an_administrators_and_the_runtimes_own_tables_are_not_imported() {
    let database = Database::sqlite();
    database.run(SHOP);
    let project = Project::new("parlour");
    let kinds = "  kinds: [sqlite]\n";
    project.edit(
        "formwork.yaml",
        kinds,
        &format!("{kinds}  table_prefix: fw_\n"),
    );
    let settings = project.read("formwork.yaml");
    let customers = "\nauth: { customers: buyers }\n";
    project.write("formwork.yaml", &format!("{settings}{customers}"));
    import(&project, &database, &SALON)
        .exits(0)
        .says("buyers: looks like accounts: write `auth: { customers: buyers }`")
        .says("cooks: looks like accounts: `auth.customers` needs the password in a column `password`, and here it is in `password_digest`");
    project.run(&["generate"]).exits(0);
    let built = Program::build(&project, "parlour").with("DATABASE_URL", &database.url());

    let added = built.run("migrate --dry-run");
    for table in ["fw_admin_users", "fw_api_tokens", "fw_formwork_secrets"] {
        assert!(
            added.contains(&format!("CREATE TABLE \"{table}\"")),
            "{table}: {added}"
        );
    }
    assert!(
        !added.contains("dishes") && !added.contains("api_customers"),
        "{added}"
    );

    built.run("migrate");
    let before = project.snapshot();
    import(&project, &database, &SALON)
        .exits(0)
        .says("fw_api_tokens: not imported: its name is reserved for a table of the runtime");
    import(&project, &database, &[&SALON[..], &["--check"]].concat()).exits(0);
    project.run(&["manifest", "check"]).exits(0);
    assert_eq!(before, project.snapshot(), "nothing is new");

    built.run("user create --email carla@example.com");
    let served = built.serve(&built.administrator());
    guests(&served.guest());
    administrators(&served.admin());
    let customer = served.with_token(&built.token("--email carla@example.com"));
    let account = customer.get("/api/token/user");
    assert_eq!(
        account.json["user"]["email"], "carla@example.com",
        "{account}"
    );
    assert_eq!(
        customer.get("/api/buyers").status,
        403,
        "customers are no administrators"
    );
}

fn guests(guest: &Client) {
    for key in KEYS {
        let answer = guest.get(&format!("/api/{key}"));
        assert_eq!(answer.status, 401, "{key}: {answer}");
    }
    let stored = guest.post("/api/dishes", &json!({ "title": "x" }));
    assert_eq!(stored.status, 401, "{stored}");
}

/// Columns with the name of a secret are hidden from everyone.
fn administrators(admin: &Client) {
    for path in [
        "dishes?include=cook,buyer",
        "cooks",
        "buyers",
        "password_reset_tokens",
    ] {
        let answer = admin.get(&format!("/api/{path}"));
        assert_eq!(answer.status, 200, "{path}: {answer}");
        assert!(!answer.body.contains("hush"), "{path}: {answer}");
    }
    assert_eq!(admin.get("/api/sessions").status, 200);
}
