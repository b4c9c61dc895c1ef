//! Triggers of MariaDB and SQLite: what they change is in the answer to store and update.

use formwork_tests::client::{Answer, Client};
use serde_json::{Value, json};

/// Triggers of MariaDB: they set columns of the new row, and count in another table.
pub const MARIADB: &str = "\
    CREATE TABLE lv_shelves (id INT AUTO_INCREMENT PRIMARY KEY, label VARCHAR(40) NOT NULL, letters INT NOT NULL DEFAULT 0); \
    CREATE TABLE lv_letters (id INT AUTO_INCREMENT PRIMARY KEY, shelf_id INT NOT NULL, title VARCHAR(40) NOT NULL, slug VARCHAR(40), \
      edits INT NOT NULL DEFAULT 0, kept VARCHAR(20) NOT NULL DEFAULT (CONCAT('year ', 1900 + 99)), \
      noted VARCHAR(12) CHECK (CHAR_LENGTH(noted) <= 6), FOREIGN KEY (shelf_id) REFERENCES lv_shelves (id)); \
    CREATE TRIGGER lv_slug BEFORE INSERT ON lv_letters FOR EACH ROW SET NEW.slug = LOWER(NEW.title), NEW.edits = 0; \
    CREATE TRIGGER lv_edit BEFORE UPDATE ON lv_letters FOR EACH ROW SET NEW.slug = LOWER(NEW.title), NEW.edits = OLD.edits + 1; \
    CREATE TRIGGER lv_count AFTER INSERT ON lv_letters FOR EACH ROW UPDATE lv_shelves SET letters = letters + 1 WHERE id = NEW.shelf_id; \
    INSERT INTO lv_shelves (label) VALUES ('Top')";

/// The same of SQLite, whose triggers change a row after it was written.
pub const SQLITE: &str = "\
    CREATE TABLE shelves (id INTEGER PRIMARY KEY, label VARCHAR(40) NOT NULL, letters INTEGER NOT NULL DEFAULT 0); \
    CREATE TABLE letters (id INTEGER PRIMARY KEY, shelf_id INTEGER NOT NULL REFERENCES shelves (id), title VARCHAR(40) NOT NULL, \
      slug VARCHAR(40), edits INTEGER NOT NULL DEFAULT 0, kept VARCHAR(20) NOT NULL DEFAULT ('year ' || (1900 + 99)), \
      noted VARCHAR(12) CHECK (length(noted) <= 6)); \
    CREATE TRIGGER slug AFTER INSERT ON letters BEGIN \
      UPDATE letters SET slug = lower(NEW.title), edits = 0 WHERE id = NEW.id; \
      UPDATE shelves SET letters = letters + 1 WHERE id = NEW.shelf_id; END; \
    CREATE TRIGGER edit AFTER UPDATE OF title ON letters BEGIN \
      UPDATE letters SET slug = lower(NEW.title), edits = OLD.edits + 1 WHERE id = NEW.id; END; \
    INSERT INTO shelves (label) VALUES ('Top')";

fn letter(answer: &Answer, status: u16) -> Value {
    assert_eq!(answer.status, status, "{answer}");
    let letter = &answer.json["data"];
    json!([
        letter["title"],
        letter["slug"],
        letter["edits"],
        letter["kept"]
    ])
}

/// Stores and updates a row, and reads what the triggers made of it.
pub fn ask(admin: &Client) {
    let body = json!({ "title": "From Ann", "shelf_id": 1, "edits": 7 });
    let stored = admin.post("/api/letters?include=shelf", &body);
    let expected = json!(["From Ann", "from ann", 0, "year 1999"]);
    assert_eq!(letter(&stored, 201), expected, "{stored}");
    assert_eq!(stored.json["data"]["shelf"]["letters"], 1, "{stored}");
    let path = format!("/api/letters/{}", stored.json["data"]["id"]);
    assert_eq!(letter(&admin.get(&path), 200), expected);
    let changed = admin.patch(&path, &json!({ "title": "From BO" }));
    let expected = json!(["From BO", "from bo", 1, "year 1999"]);
    assert_eq!(letter(&changed, 200), expected, "{changed}");
    let unset = admin.patch(&path, &json!({ "kept": null }));
    assert_eq!(unset.status, 422, "{unset}");
    assert!(unset.json["errors"]["kept"].is_array(), "{unset}");
    for (noted, status) in [("größer", 200), ("größere", 422)] {
        let answer = admin.patch(&path, &json!({ "noted": noted }));
        assert_eq!(answer.status, status, "{answer}");
    }
}
