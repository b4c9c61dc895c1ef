//! Accounts of other programs: whether the service can verify their passwords is told by the rows.

use formwork_tests::project::Project;
use formwork_tests::server::Database;

use crate::{import, key};

/// Django's table of accounts, and one whose passwords PHP's `password_hash` wrote.
fn tables(kind: &str) -> String {
    let columns = format!(
        "{}, email VARCHAR(254) NOT NULL, password VARCHAR(128) NOT NULL",
        key(kind)
    );
    format!(
        "CREATE TABLE auth_user ({columns}); CREATE TABLE members ({columns}); CREATE TABLE mixed ({columns}); \
         CREATE TABLE plain ({columns}); \
         INSERT INTO auth_user (email, password) VALUES ('a@example.com', 'pbkdf2_sha256$600000$salt$hush'), ('b@example.com', '!hush'); \
         INSERT INTO members (email, password) VALUES ('a@example.com', '$2y$10$hush'), ('b@example.com', '$argon2id$hush'); \
         INSERT INTO mixed (email, password) VALUES ('a@example.com', '$2y$10$hush'), ('b@example.com', '$P$Bhush'); \
         INSERT INTO plain (email, password) VALUES ('a@example.com', 'hush')"
    )
}

#[test]
fn accounts_are_offered_by_their_hashes() {
    for (kind, database) in Database::each() {
        database.run(&tables(kind));
        let project = Project::new_on("bistro", kind);
        let ran = import(&project, &database, &[]).exits(0);
        let notes = ran
            .output
            .lines()
            .filter(|line| line.contains("looks like accounts"));
        insta::assert_snapshot!("accounts", notes.collect::<Vec<_>>().join("\n"));
        let users = project.read("extensions/app/resources/auth_users.yaml");
        assert!(
            users.contains("# Guessed from the columns: accounts"),
            "{users}"
        );
        for text in [&ran.output, &users] {
            assert!(!text.contains("hush"), "{text}");
        }
    }
}
