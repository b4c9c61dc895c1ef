//! "An id that cannot be a key of the resource: 404" (docs/contract.md, "Routes"), whatever the method and
//! the rendering; and one record has one address.

use formwork::{
    prelude::*,
    rules::*,
    testing::{Answer, Client, Service},
};
use serde::Serialize;

use super::kitchen;

/// Segments of a path that are not keys.
const NO_NUMBERS: [&str; 19] = [
    "abc",
    "-1",
    "0",
    "+1",
    "01",
    "1.0",
    "1e0",
    "0x1",
    "1,2",
    "null",
    "%20",
    "1%20",
    "%091",
    "1%00",
    "%D9%A3",
    "%EF%BC%91",
    "%ff",
    "9223372036854775808",
    "-9223372036854775809",
];

/// Tickets, whose keys are UUIDs.
struct BoxOffice;

impl Extension for BoxOffice {
    fn name(&self) -> &'static str {
        "box-office"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "tickets",
            name: "Tickets",
            description: "Who may come in",
            controller: Box::new(Tickets),
            actions: actions!["index", "show", "edit", "store", "update", "destroy"],
        }]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260201000000,
            "create_tickets",
            "CREATE TABLE tickets (ticket_id UUID NOT NULL PRIMARY KEY, seat TEXT NOT NULL)",
        )
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Ticket {
    #[serde(rename = "id")]
    ticket_id: Uuid,
    seat: String,
}

impl Model for Ticket {
    type Key = Uuid;

    const TABLE: &'static str = "tickets";
    const KEY: &'static str = "ticket_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("ticket_id", &mut self.ticket_id)?;
        to.column("seat", &mut self.seat)
    }
}

impl Repository for Ticket {
    type Model = Self;
}

impl ResourceRequest for Ticket {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("seat", &[required(), string()])];
}

impl Transformer for Ticket {
    type Model = Self;

    fn transform<'a>(ticket: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        ticket.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

struct Tickets;

impl RestController for Tickets {
    type Model = Ticket;
    type Repository = Ticket;
    type Request = Ticket;
    type Transformer = Ticket;

    const ACTIONS: &'static [ActionConfig] =
        &[index(), store(), show(), edit(), update(), destroy()];
}

fn box_office() -> Service {
    Service::start(vec![Box::new(BoxOffice)])
}

/// Every request that a path with an id answers, in both renderings.
fn every_request(
    client: &Client<'_>,
    resource: &str,
    id: &str,
    member: &str,
) -> Vec<(String, Answer)> {
    let mut answers = Vec::new();
    for media in ["application/json", "application/vnd.api+json"] {
        let client = client.clone().header("Accept", media);
        let client = client.header("Content-Type", media);
        let mut attributes = json!({});
        attributes[member] = json!("Stew");
        let body = match media {
            "application/json" => attributes,
            _ => json!({"data": {"type": resource, "id": plain(id), "attributes": attributes}}),
        };
        for method in ["GET", "HEAD", "PUT", "PATCH", "DELETE"] {
            let body = method.starts_with('P').then(|| body.to_string());
            let answer = client.send(method, &format!("/api/{resource}/{id}"), body);
            answers.push((format!("{method} {id} as {media}"), answer));
        }
        for method in ["GET", "HEAD"] {
            let answer = client.send(method, &format!("/api/{resource}/{id}/edit"), None);
            answers.push((format!("{method} {id}/edit as {media}"), answer));
        }
    }
    answers
}

/// An id of a path as documents write it: without escapes.
fn plain(id: &str) -> String {
    let mut pieces = id.split('%');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(&piece[..2], 16).expect("an escape"));
        bytes.extend(piece[2..].bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn check_not_found(what: &str, answer: &Answer) {
    assert_eq!(answer.status, 404, "{what}: {answer}");
    if what.starts_with("HEAD") {
        assert_eq!(answer.body, "", "{what}");
    } else if what.ends_with("vnd.api+json") {
        assert_eq!(
            answer.json["errors"][0]["status"], "404",
            "{what}: {answer}"
        );
    } else {
        assert_eq!(answer.json["status_code"], 404, "{what}: {answer}");
    }
}

#[test]
fn an_id_of_no_record_is_404_for_every_method() {
    let service = kitchen();
    let admin = service.admin();
    let soup = admin.post("/api/dishes", json!({"title": "Soup"}));
    assert_eq!(soup.status, 201, "{soup}");
    let long = "1".repeat(6000);
    for id in NO_NUMBERS.into_iter().chain([long.as_str(), "2", ""]) {
        for (what, answer) in every_request(&admin, "dishes", id, "title") {
            check_not_found(&what, &answer);
        }
    }
    let left = admin.get("/api/dishes/1");
    assert_eq!(left.json["data"]["title"], "Soup", "{left}");
    // Escapes of RFC 3986 mean their characters.
    assert_eq!(admin.get("/api/dishes/%31").json["data"]["title"], "Soup");
}

#[test]
fn the_largest_integer_is_accepted_as_an_id() {
    let service = kitchen();
    for (what, answer) in every_request(&service.admin(), "dishes", "9223372036854775807", "title")
    {
        check_not_found(&what, &answer);
    }
}

/// "`id` … a string for uuid and string keys."
#[test]
fn a_uuid_is_written_in_one_way() {
    let service = box_office();
    let guest = service.guest();
    let stored = guest.post("/api/tickets", json!({"seat": "A1"}));
    assert_eq!(stored.status, 201, "{stored}");
    let id = stored.json["data"]["id"]
        .as_str()
        .expect("a string")
        .to_owned();
    let place = format!("/api/tickets/{id}");
    assert_eq!(stored.header("location"), Some(place.as_str()));
    assert_eq!(guest.get(&place).json["data"]["seat"], "A1");
    let filtered = guest.get(&format!("/api/tickets?filter[id]={}", id.to_uppercase()));
    assert_eq!(filtered.json["data"][0]["id"], id.as_str(), "{filtered}");
    for other in [
        id.to_uppercase(),
        id.replace('-', ""),
        format!("%7B{id}%7D"),
        format!("urn:uuid:{id}"),
        format!("{id}0"),
        id[1..].to_owned(),
        "1".to_owned(),
        uuid_of_nobody(&id),
    ] {
        for (what, answer) in every_request(&guest, "tickets", &other, "seat") {
            check_not_found(&what, &answer);
        }
    }
    assert_eq!(
        guest.get(&place).json["data"]["seat"],
        "A1",
        "it is as it was"
    );
}

/// A valid key without a record.
fn uuid_of_nobody(id: &str) -> String {
    let last = if id.ends_with('0') { '1' } else { '0' };
    format!("{}{last}", &id[..id.len() - 1])
}
