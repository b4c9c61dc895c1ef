//! What the reference demands of a body and has a default for all the same: it is demanded here too
//! (its `required` and `present`), in both renderings.

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    nested::stored,
    payloads,
    rendering::{BOTH, Rendering, refused},
};

/// Members that must be sent, and whether a PUT must send them too.
const DEMANDED: [(&str, &str, bool); 5] = [
    ("coupons", "validity", true),
    ("customers", "customer_group_id", true),
    ("customers", "status", true),
    ("customers", "send_invite", false),
    ("locations", "is_auto_lat_lng", false),
];

fn store(rendering: Rendering, resource: &str, body: &Value) -> Answer {
    rendering.store(&shared().admin(), resource, body, "")
}

/// A body of the resource with `member` taken out.
fn without(resource: &str, member: &str) -> Value {
    let mut body = payloads::store(resource, 0);
    let members = body.as_object_mut().expect("an object");
    assert!(members.remove(member).is_some(), "{resource}: {member}");
    body
}

#[test]
fn required_members_must_be_sent() {
    for rendering in BOTH {
        for (resource, member, _) in DEMANDED {
            let mut body = without(resource, member);
            refused(rendering, &store(rendering, resource, &body), member);
            body[member] = Value::Null;
            refused(rendering, &store(rendering, resource, &body), member);
        }
    }
}

#[test]
fn required_members_cannot_be_removed_by_an_update() {
    let admin = shared().admin();
    for (resource, member, always) in DEMANDED {
        let id = stored(Rendering::Data, &admin, resource, &json!({}));
        let path = format!("/api/{resource}/{id}");
        let put = admin.put(&path, &without(resource, member));
        if always {
            refused(Rendering::Data, &put, member);
        } else {
            assert_eq!(put.status, 200, "{resource} {member}: {put}");
        }
        // An invitation is not an attribute of a customer.
        if member == "send_invite" {
            continue;
        }
        for rendering in BOTH {
            let emptied = rendering.update(&admin, resource, id, &json!({ member: null }));
            refused(rendering, &emptied, member);
        }
    }
}

/// Of what a customer may not write, no rule is run.
#[test]
fn a_customer_may_leave_out_the_required_attributes_of_administrators() {
    let alice = shared().alice();
    let account = alice.get("/api/token/user");
    let account = &account.json["user"];
    let path = format!("/api/customers/{}", account["id"]);
    let shown = shared().admin().get(&path).json["data"].clone();
    let own =
        ["first_name", "last_name", "email"].map(|name| (name.to_owned(), shown[name].clone()));
    let body = Value::Object(own.into_iter().collect());
    let answer = alice.put(&path, &body);
    assert_eq!(answer.status, 200, "{answer}");
    for kept in ["customer_group_id", "status"] {
        assert_eq!(answer.json["data"][kept], shown[kept], "{answer}");
    }
}

#[test]
fn a_location_without_a_found_address_needs_a_position() {
    for rendering in BOTH {
        let mut body = payloads::store("locations", 0);
        body["is_auto_lat_lng"] = json!(false);
        let answer = store(rendering, "locations", &body);
        for degrees in ["location_lat", "location_lng"] {
            refused(rendering, &answer, degrees);
            body[degrees] = json!("50.000000");
        }
        assert_eq!(store(rendering, "locations", &body).status, 201);
    }
}
