//! Relations keep their names: a later import knows them by their foreign keys and pivots.

use formwork_tests::project::Project;
use formwork_tests::server::Database;

use crate::import;

const PEOPLE: &str = "extensions/app/resources/people.yaml";
const MESSAGES: &str = "extensions/app/resources/messages.yaml";
const ROOMS: &str = "extensions/app/resources/rooms.yaml";

fn relation(manifest: &str, name: &str) -> String {
    let begin = format!("    {name}:\n");
    let (_, after) = manifest
        .split_once(&begin)
        .unwrap_or_else(|| panic!("no `{name}` in\n{manifest}"));
    let lines = after.lines().take_while(|line| line.starts_with("      "));
    lines.map(str::trim).collect::<Vec<_>>().join(", ")
}

fn messages(key: &str) -> String {
    let number = match key.contains("BIGINT") {
        true => "BIGINT",
        false => "INTEGER",
    };
    format!(
        "CREATE TABLE people ({key}, name VARCHAR(40)); \
         CREATE TABLE messages ({key}, from_user {number}, to_user {number}, person_id {number}, \
         FOREIGN KEY (from_user) REFERENCES people(id), FOREIGN KEY (to_user) REFERENCES people(id), \
         FOREIGN KEY (person_id) REFERENCES people(id)); \
         CREATE TABLE rooms ({key}); \
         CREATE TABLE person_rooms (person_id {number} NOT NULL, room_id {number} NOT NULL, PRIMARY KEY (person_id, room_id), \
         FOREIGN KEY (person_id) REFERENCES people(id), FOREIGN KEY (room_id) REFERENCES rooms(id)); \
         CREATE TABLE room_guests (room_id {number} NOT NULL, guest_id {number} NOT NULL, PRIMARY KEY (room_id, guest_id), \
         FOREIGN KEY (room_id) REFERENCES rooms(id), FOREIGN KEY (guest_id) REFERENCES people(id))"
    )
}

#[test]
fn names_say_the_column_on_each_database() {
    for (kind, database) in Database::each() {
        database.run(&messages(match kind {
            "sqlite" => "id INTEGER PRIMARY KEY",
            "postgres" => "id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
            _ => "id BIGINT AUTO_INCREMENT PRIMARY KEY",
        }));
        names_say_the_column(kind, &database);
    }
}

fn names_say_the_column(kind: &str, database: &Database) {
    let project = Project::new_on("bistro", kind);
    import(&project, database, &[]).exits(0);
    project.run(&["manifest", "check"]).exits(0);
    for (path, name, entries) in [
        (
            MESSAGES,
            "person_by_from_user",
            "belongs_to: people, column: from_user",
        ),
        (
            MESSAGES,
            "person_by_to_user",
            "belongs_to: people, column: to_user",
        ),
        (MESSAGES, "person", "belongs_to: people, column: person_id"),
        (
            PEOPLE,
            "messages_by_from_user",
            "has_many: messages, column: from_user",
        ),
        (
            PEOPLE,
            "messages_by_to_user",
            "has_many: messages, column: to_user",
        ),
        (PEOPLE, "messages", "has_many: messages, column: person_id"),
        (
            PEOPLE,
            "rooms_by_person_rooms",
            "many_to_many: rooms, pivot: person_rooms",
        ),
        (
            PEOPLE,
            "rooms_by_room_guests",
            "many_to_many: rooms, pivot: room_guests",
        ),
        (ROOMS, "people", "many_to_many: people, pivot: person_rooms"),
        (ROOMS, "guests", "many_to_many: people, pivot: room_guests"),
    ] {
        let found = relation(&project.read(path), name);
        assert!(found.starts_with(entries), "{name}: {found}");
    }
}

#[test]
fn relations_that_the_user_renamed_stay_when_foreign_keys_and_pivots_are_added() {
    let database = Database::sqlite();
    database.run(
        "CREATE TABLE people (id INTEGER PRIMARY KEY); \
         CREATE TABLE messages (id INTEGER PRIMARY KEY, from_user INT REFERENCES people(id), to_user INT REFERENCES people(id)); \
         CREATE TABLE rooms (id INTEGER PRIMARY KEY); \
         CREATE TABLE people_rooms (person_id INT REFERENCES people(id), room_id INT REFERENCES rooms(id), PRIMARY KEY (person_id, room_id))",
    );
    let project = Project::new("bistro");
    import(&project, &database, &[]).exits(0);
    for (path, name, own) in [
        (MESSAGES, "person_by_to_user", "receiver"),
        (MESSAGES, "person_by_from_user", "sender"),
        (PEOPLE, "messages_by_to_user", "inbox"),
        (PEOPLE, "messages_by_from_user", "outbox"),
        (PEOPLE, "rooms", "seats"),
    ] {
        project.edit(path, &format!("    {name}:\n"), &format!("    {own}:\n"));
    }
    let before = [PEOPLE, MESSAGES, ROOMS].map(|path| project.read(path));
    import(&project, &database, &[]).exits(0);
    assert_eq!(
        before,
        [PEOPLE, MESSAGES, ROOMS].map(|path| project.read(path))
    );

    database.run(
        "ALTER TABLE messages ADD approved_by INT REFERENCES people(id); \
         CREATE TABLE banned_people (person_id INT REFERENCES people(id), room_id INT REFERENCES rooms(id), PRIMARY KEY (person_id, room_id))",
    );
    import(&project, &database, &[]).exits(0);
    project.run(&["manifest", "check"]).exits(0);
    for (path, name, entries) in [
        (MESSAGES, "receiver", "belongs_to: people, column: to_user"),
        (MESSAGES, "sender", "belongs_to: people, column: from_user"),
        (
            MESSAGES,
            "person_by_approved_by",
            "belongs_to: people, column: approved_by",
        ),
        (PEOPLE, "inbox", "has_many: messages, column: to_user"),
        (PEOPLE, "outbox", "has_many: messages, column: from_user"),
        (
            PEOPLE,
            "messages_by_approved_by",
            "has_many: messages, column: approved_by",
        ),
        (PEOPLE, "seats", "many_to_many: rooms, pivot: people_rooms"),
        (
            PEOPLE,
            "rooms_by_banned_people",
            "many_to_many: rooms, pivot: banned_people",
        ),
        (ROOMS, "people", "many_to_many: people, pivot: people_rooms"),
        (
            ROOMS,
            "people_by_banned_people",
            "many_to_many: people, pivot: banned_people",
        ),
    ] {
        let found = relation(&project.read(path), name);
        assert!(found.starts_with(entries), "{name}: {found}");
    }
    import(&project, &database, &["--check"]).exits(0);
}

#[test]
fn a_relation_that_the_user_added_is_not_imported_again() {
    let database = Database::sqlite();
    database.run(
        "CREATE TABLE people (id INTEGER PRIMARY KEY); CREATE TABLE notes (id INTEGER PRIMARY KEY, writer INT, title TEXT)",
    );
    let project = Project::new("bistro");
    import(&project, &database, &[]).exits(0);
    let path = "extensions/app/resources/notes.yaml";
    project.edit(
        path,
        "actions:",
        "  relations:\n    author:\n      belongs_to: people\n      column: writer\nactions:",
    );
    database.run(
        "DROP TABLE notes; CREATE TABLE notes (id INTEGER PRIMARY KEY, writer INT REFERENCES people(id), title TEXT)",
    );
    import(&project, &database, &[]).exits(0);
    let notes = project.read(path);
    assert_eq!(notes.matches("belongs_to").count(), 1, "{notes}");
    assert!(relation(&notes, "author").contains("column: writer"));
    project.run(&["manifest", "check"]).exits(0);
}

#[test]
fn selected_tables_keep_their_relations_to_tables_that_were_imported_before() {
    let database = Database::sqlite();
    database.run(
        "CREATE TABLE cooks (id INTEGER PRIMARY KEY); \
         CREATE TABLE dishes (id INTEGER PRIMARY KEY, cook_id INTEGER REFERENCES cooks(id)); \
         CREATE TABLE reviews (id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dishes(id)); \
         CREATE TABLE tags (id INTEGER PRIMARY KEY); \
         CREATE TABLE dish_tags (dish_id INTEGER REFERENCES dishes(id), tag_id INTEGER REFERENCES tags(id), PRIMARY KEY (dish_id, tag_id))",
    );
    let project = Project::new("bistro");
    import(&project, &database, &[]).exits(0);
    let before = project.snapshot();
    let ran = import(&project, &database, &["--tables", "dishes"]).exits(0);
    assert_eq!(before, project.snapshot(), "{}", ran.output);
    assert!(!ran.output.contains("dish_tags"), "{}", ran.output);

    database
        .run("CREATE TABLE photos (id INTEGER PRIMARY KEY, dish_id INTEGER REFERENCES dishes(id))");
    import(&project, &database, &["--tables", "photos"])
        .exits(0)
        .says("1 created");
    let photos = project.read("extensions/app/resources/photos.yaml");
    assert!(
        relation(&photos, "dish").starts_with("belongs_to: dishes"),
        "{photos}"
    );
}

#[test]
fn everything_imported_is_an_administrators() {
    let database = Database::sqlite();
    database.run("CREATE TABLE menus (id INTEGER PRIMARY KEY, title TEXT)");
    let project = Project::new("bistro");
    import(&project, &database, &["--public"]).exits(2);
    import(&project, &database, &[]).exits(0);
    let menus = project.read("extensions/app/resources/menus.yaml");
    assert!(
        menus.contains("actions: [\"index:admin\", \"show:admin\""),
        "{menus}"
    );
}
