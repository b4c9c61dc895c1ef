//! Relations to tables whose key is unique, and no primary key.

use formwork::{prelude::*, testing::Service};
use serde::Serialize;

struct House;

impl Extension for House {
    fn name(&self) -> &'static str {
        "house"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "rooms",
            name: "Rooms",
            description: "Where things happen",
            controller: Box::new(Rooms),
            actions: actions!["index"],
        }]
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

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Room {
    id: i64,
}

impl Model for Room {
    type Key = i64;

    const TABLE: &'static str = "rooms";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)
    }

    fn relations(to: &mut Relations<Self>) {
        let between = pivot("room_events", "room_id", "event_id");
        to.belongs_to_many("events", "events", between).include();
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Event {
    #[serde(rename = "id")]
    event_id: String,
    depth: Option<i64>,
    notes: Option<Json>,
}

impl Model for Event {
    type Key = String;

    const TABLE: &'static str = "events";
    const KEY: &'static str = "event_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("event_id", &mut self.event_id)?;
        to.column("depth", &mut self.depth)?;
        to.column("notes", &mut self.notes)
    }
}

impl Repository for Room {
    type Model = Self;
}

impl ResourceRequest for Room {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Transformer for Room {
    type Model = Self;

    fn transform<'a>(room: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        room.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

struct Rooms;

impl RestController for Rooms {
    type Model = Room;
    type Repository = Room;
    type Request = Room;
    type Transformer = Room;

    const ACTIONS: &'static [ActionConfig] = &[index()];
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
