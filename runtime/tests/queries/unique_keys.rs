//! Relations to tables whose key is unique, and no primary key.

use formwork::{prelude::*, testing::Service};
use serde::Serialize;

use super::parts::resource;

struct House;

impl Extension for House {
    fn name(&self) -> &'static str {
        "house"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource("rooms", Rooms, actions!["index"])]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Event>("events")]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260402000000,
            "create_house",
            "CREATE TABLE rooms (id COUNTED_KEY);\n\
             CREATE TABLE events (event_id TEXT_KEY NOT NULL UNIQUE, depth INTEGER, notes JSON);\n\
             CREATE TABLE room_events (room_id INTEGER NOT NULL, event_id TEXT_KEY NOT NULL, \
             PRIMARY KEY (room_id, event_id))",
        )
    }
}

model! {
    Room "rooms" { key id: i64 }

    fn relations(to: &mut Relations<Self>) {
        let between = pivot("room_events", "room_id", "event_id");
        to.belongs_to_many("events", "events", between).include();
    }
}

model! {
    Event "events" {
        #[serde(rename = "id")] key event_id: String,
        column depth: Option<i64>,
        column notes: Option<Json>,
    }
}

parts! { Room [] }

struct Rooms;

impl RestController for Rooms {
    parts_of!(Room);

    const ACTIONS: &'static [Action] = &[Action::Index];
}

#[test]
fn rows_with_a_unique_key_are_included() {
    let service = Service::start(vec![Box::new(House)]);
    for sql in [
        "INSERT INTO rooms (id) VALUES (1), (2), (3)",
        "INSERT INTO events (event_id, depth) VALUES ('a', 1), ('b', NULL)",
        "INSERT INTO room_events VALUES (1, 'a'), (1, 'b'), (2, 'a')",
    ] {
        let done = service.block_on(service.app().db().execute(sql, []));
        done.expect(sql);
    }
    let list = service.guest().get("/api/rooms?include=events");
    assert_eq!(list.status, 200, "{list}");
    let events = |at: usize| {
        let rows = list.json["data"][at]["events"]
            .as_array()
            .expect("a list")
            .iter();
        rows.map(|row| row["id"].as_str().expect("a key"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        [events(0), events(1), events(2)],
        [vec!["a", "b"], vec!["a"], vec![]]
    );
}
