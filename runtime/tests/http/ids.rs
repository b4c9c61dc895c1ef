//! "An id that cannot be a key of the resource: 404" (docs/contract.md, "Routes"), for each method and
//! representation; and one record has one address.

use formwork::{
    prelude::*,
    rules::*,
    testing::{Answer, Client, Service},
};
use serde::Serialize;

use super::{
    kitchen,
    support::{Expect, JSON, JSON_API, check},
};

/// Segments of a path that are not keys, and keys that no record has.
const NO_NUMBERS: &str = "abc -1 0 +1 01 1.0 1e0 0x1 1,2 null %20 1%20 %091 1%00 %D9%A3 %EF%BC%91 %ff \
    9223372036854775808 -9223372036854775809 9223372036854775807 2 1&x 1=x 1& 1= 1%26 1%ff %F0%28";

/// Tickets, whose keys are UUIDs.
struct BoxOffice;

impl Extension for BoxOffice {
    fn name(&self) -> &'static str {
        "box-office"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource! { "tickets" "Tickets" "Who may come in" (Tickets)
        ["index" "show" "edit" "store" "update" "destroy"] }]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE tickets (ticket_id UUID NOT NULL PRIMARY KEY, seat TEXT NOT NULL)";
        crate::databases::migration(20260201000000, "create_tickets", sql)
    }
}

model! {
    Ticket "tickets" {
        #[serde(rename = "id")] key ticket_id: Uuid,
        column seat: String,
    }
}

parts! { Ticket [attribute("seat", &[required(), string()])] }

struct Tickets;

impl RestController for Tickets {
    parts_of!(Ticket);

    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Store,
        Action::Show,
        Action::Edit,
        Action::Update,
        Action::Destroy,
    ];
}

/// Checks that each request to this id is answered with 404, in both representations.
fn check_not_found(client: &Client<'_>, resource: &str, id: &str, member: &str) {
    for media in [JSON, JSON_API] {
        let client = client.clone().header("Accept", media);
        let client = client.header("Content-Type", media);
        let mut body = json!({});
        body[member] = json!("Stew");
        if media == JSON_API {
            let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy();
            body = json!({"data": {"type": resource, "id": id, "attributes": body}});
        }
        for request in [
            "GET",
            "HEAD",
            "PUT",
            "PATCH",
            "DELETE",
            "GET edit",
            "HEAD edit",
        ] {
            let (method, form) = request.split_once(' ').unwrap_or((request, ""));
            let body = method.starts_with('P').then(|| body.to_string());
            let separator = if form.is_empty() { "" } else { "/" };
            let path = format!("/api/{resource}/{id}{separator}{form}");
            let answer = client.send(method, &path, body);
            assert!(
                is_not_found(&answer, method, media),
                "{method} {path} {media} {answer}"
            );
        }
    }
}

fn is_not_found(answer: &Answer, method: &str, media: &str) -> bool {
    let status = match media {
        _ if method == "HEAD" => return answer.status == 404 && answer.body.is_empty(),
        JSON_API => answer.json["errors"][0]["status"] == "404",
        _ => answer.json["status_code"] == 404,
    };
    answer.status == 404 && status
}

#[test]
fn an_id_of_no_record_is_404_for_every_method() {
    let service = kitchen();
    let admin = service.admin();
    admin
        .post("/api/dishes", json!({"title": "Soup"}))
        .expect(201);
    let long = "1".repeat(6000);
    for id in NO_NUMBERS.split(' ').chain([&*long, ""]) {
        check_not_found(&admin, "dishes", id, "title");
    }
    // Escapes of RFC 3986 mean their characters.
    check(
        &service,
        r#"guest GET /api/dishes/%31 => 200 /data/title "Soup""#,
    );
}

/// "`id` … a string for uuid and string keys."
#[test]
fn a_uuid_is_written_in_one_way() {
    let service = Service::start(vec![Box::new(BoxOffice)]);
    let guest = service.guest();
    let stored = guest
        .post("/api/tickets", json!({"seat": "A1"}))
        .expect(201);
    let id = stored.json["data"]["id"].as_str().expect("a string");
    let path = format!("/api/tickets/{id}");
    assert_eq!(stored.header("location"), Some(path.as_str()));
    let upper = id.to_uppercase();
    let filtered = guest.get(&format!("/api/tickets?filter[id]={upper}"));
    assert_eq!(filtered.json["data"][0]["id"], id, "{filtered}");
    // The last one is a valid key without a record.
    let last = if id.ends_with('0') { '1' } else { '0' };
    for other in [
        upper,
        id.replace('-', ""),
        format!("%7B{id}%7D"),
        format!("urn:uuid:{id}"),
        format!("{id}0"),
        id[1..].to_owned(),
        "1".to_owned(),
        format!("{}{last}", &id[..id.len() - 1]),
    ] {
        check_not_found(&guest, "tickets", &other, "seat");
    }
    assert_eq!(guest.get(&path).json["data"]["seat"], "A1");
}
