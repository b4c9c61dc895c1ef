//! Accounts of other programs: whether the service can verify their passwords is told by the rows.

use formwork_tests::project::Project;

use crate::database::Scratch;

/// Django's table of accounts, and one whose passwords PHP's `password_hash` wrote; `key` is how a database counts.
fn tables(key: &str) -> String {
    let columns = format!("id {key}, email VARCHAR(254) NOT NULL, password VARCHAR(128) NOT NULL");
    format!(
        "CREATE TABLE auth_user ({columns}); CREATE TABLE members ({columns}); CREATE TABLE mixed ({columns}); \
         CREATE TABLE plain ({columns}); \
         INSERT INTO auth_user (email, password) VALUES ('a@example.com', 'pbkdf2_sha256$600000$salt$hush'), ('b@example.com', '!hush'); \
         INSERT INTO members (email, password) VALUES ('a@example.com', '$2y$10$hush'), ('b@example.com', '$argon2id$hush'); \
         INSERT INTO mixed (email, password) VALUES ('a@example.com', '$2y$10$hush'), ('b@example.com', '$P$Bhush'); \
         INSERT INTO plain (email, password) VALUES ('a@example.com', 'hush')"
    )
}

const SAID: [&str; 4] = [
    "note: auth_user: looks like accounts: `auth.customers` verifies Argon2 and bcrypt, and the passwords are stored by PBKDF2: write an authentication of your own\n",
    "note: members: looks like accounts: write `auth: { customers: members }` in formwork.yaml to let them log in\n",
    "note: mixed: looks like accounts: write `auth: { customers: mixed }` in formwork.yaml to let them log in; passwords that are stored by phpass are refused until they are set anew\n",
    "note: plain: looks like accounts: `auth.customers` verifies Argon2 and bcrypt, and the passwords are stored by an unknown format: write an authentication of your own\n",
];

fn accounts_are_offered(kind: &str, database: &Scratch) {
    let project = Project::new_on("bistro", kind);
    let ran = project
        .run(&["import", "--database-url", database.url()])
        .exits(0);
    for said in SAID {
        assert!(ran.output.contains(said), "{said}\n{}", ran.output);
    }
    let users = project.read("extensions/app/resources/auth_users.yaml");
    assert!(
        users.contains("# Guessed from the columns: accounts"),
        "{users}"
    );
    for text in [&ran.output, &users] {
        assert!(!text.contains("hush"), "{text}");
    }
}

#[test]
fn accounts_of_sqlite_are_offered_by_their_hashes() {
    let database = Scratch::sqlite();
    database.run(&tables("INTEGER PRIMARY KEY"));
    accounts_are_offered("sqlite", &database);
}

#[test]
fn accounts_of_postgresql_are_offered_by_their_hashes() {
    let Some(database) = Scratch::postgres("accounts") else {
        return;
    };
    database.run(&tables("SERIAL PRIMARY KEY"));
    accounts_are_offered("postgres", &database);
}

#[test]
fn accounts_of_mariadb_are_offered_by_their_hashes() {
    let Some(database) = Scratch::mysql("accounts") else {
        return;
    };
    database.run(&tables("INTEGER AUTO_INCREMENT PRIMARY KEY"));
    accounts_are_offered("mysql", &database);
}
