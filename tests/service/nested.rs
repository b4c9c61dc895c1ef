//! Rows that are written with the record they belong to: delivery areas, media, options, specials,
//! addresses (the reference's "writes to relations"), in both renderings.

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering, refused},
};

/// A new record of a resource with these members beside what it needs; its key.
pub fn stored(rendering: Rendering, client: &Client, resource: &str, more: &Value) -> i64 {
    let answer = store(rendering, client, resource, more);
    assert_eq!(answer.status, 201, "{rendering:?} {resource}: {answer}");
    rendering.id(&answer.json["data"])
}

pub fn store(rendering: Rendering, client: &Client, resource: &str, more: &Value) -> Answer {
    let mut body = payloads::store(resource, 1);
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    rendering.store(client, resource, &body, "")
}

/// The rows of a relation as they are shown with their record.
pub fn rows(rendering: Rendering, resource: &str, id: i64, relation: &str) -> Vec<Value> {
    let path = format!("/api/{resource}/{id}?include={relation}");
    let answer = rendering.get(&shared().admin(), &path);
    assert_eq!(answer.status, 200, "{answer}");
    rendering.included(&answer, relation)
}

fn area(name: &str) -> Value {
    json!({ "name": name, "type": "circle", "boundaries": { "radius": 100 }, "priority": 1 })
}

#[test]
fn the_delivery_areas_of_a_location_become_those_it_lists() {
    let admin = shared().admin();
    for rendering in BOTH {
        let two = json!({ "delivery_areas": [area("Near"), area("Far")] });
        let id = stored(rendering, &admin, "locations", &two);
        let areas = || rows(rendering, "locations", id, "delivery_areas");
        let before = areas();
        assert_eq!(before.len(), 2, "{before:?}");
        assert_eq!(before[0]["name"], "Near");
        assert_eq!(before[0]["conditions"], json!([]));
        assert_eq!(before[0]["boundaries"], json!({ "radius": 100 }));
        let change = json!({ "delivery_areas": [
            // What an entry does not say stays.
            { "area_id": before[1]["id"], "name": "Farther", "conditions": [{ "total": 20 }] },
            { "name": "New", "delivery_area_type": "polygon", "boundaries": [[1, 2]], "priority": 2 },
        ] });
        let answer = rendering.update(&admin, "locations", id, &change);
        assert_eq!(answer.status, 200, "{answer}");
        let after = areas();
        assert_eq!(after.len(), 2, "{after:?}");
        assert_eq!(after[0]["id"], before[1]["id"]);
        assert_eq!(
            (&after[0]["name"], &after[0]["priority"]),
            (&json!("Farther"), &json!(1))
        );
        assert_eq!(after[0]["boundaries"], json!({ "radius": 100 }));
        assert_eq!(after[0]["conditions"], json!([{ "total": 20 }]));
        let kind = |area: &Value| area.get("type").or(area.get("delivery_area_type")).cloned();
        assert_eq!(kind(&after[1]), Some(json!("polygon")), "{after:?}");
        for nothing in [
            json!({ "delivery_areas": null }),
            json!({ "description": "x" }),
        ] {
            assert_eq!(
                rendering.update(&admin, "locations", id, &nothing).status,
                200
            );
            assert_eq!(areas(), after, "{nothing}");
        }
        let none = rendering.update(&admin, "locations", id, &json!({ "delivery_areas": [] }));
        assert_eq!(none.status, 200, "{none}");
        assert_eq!(areas().len(), 0);
        let gone = rendering.delete(&admin, &format!("/api/locations/{id}"));
        assert_eq!(gone.status, 204, "{gone}");
    }
}

#[test]
fn a_delivery_area_that_does_not_fit_is_named_and_nothing_is_written() {
    let admin = shared().admin();
    for rendering in BOTH {
        let id = stored(
            rendering,
            &admin,
            "locations",
            &json!({ "delivery_areas": [area("Mine")] }),
        );
        let other = stored(
            rendering,
            &admin,
            "locations",
            &json!({ "delivery_areas": [area("Theirs")] }),
        );
        let mine = rows(rendering, "locations", id, "delivery_areas");
        let theirs = rows(rendering, "locations", other, "delivery_areas");
        let with = |name: &str, value: Value| {
            let mut area = area("New");
            area[name] = value;
            area
        };
        let own = &mine[0]["id"];
        #[rustfmt::skip] // a row each line
        let wrong_entries = [
            (json!([with("area_id", theirs[0]["id"].clone())]), "delivery_areas.0.area_id"),
            (json!([with("id", theirs[0]["id"].clone())]), "delivery_areas.0.area_id"),
            (json!([area("New"), with("area_id", json!(424_242))]), "delivery_areas.1.area_id"),
            (json!([{ "area_id": own }, { "area_id": own }]), "delivery_areas.1.area_id"),
            (json!([with("area_id", json!("x"))]), "delivery_areas.0.area_id"),
            (json!([{ "name": "New" }]), "delivery_areas.0.type"),
            (json!([area("A"), { "type": "circle" }]), "delivery_areas.1.name"),
            (json!([{ "area_id": own, "name": "" }]), "delivery_areas.0.name"),
            (json!([with("name", json!(5))]), "delivery_areas.0.name"),
            (json!([with("boundaries", json!("wide"))]), "delivery_areas.0.boundaries"),
            (json!([with("boundaries", json!(null))]), "delivery_areas.0.boundaries"),
            (json!([with("conditions", json!(1))]), "delivery_areas.0.conditions"),
            (json!([with("color", json!("x".repeat(41)))]), "delivery_areas.0.color"),
            (json!([with("priority", json!("first"))]), "delivery_areas.0.priority"),
            (json!([with("is_default", json!(true)), with("is_default", json!(1))]), "delivery_areas.1.is_default"),
        ];
        for (entries, field) in wrong_entries {
            let answer = rendering.update(
                &admin,
                "locations",
                id,
                &json!({
                    "description": "refused", "delivery_areas": entries,
                }),
            );
            refused(rendering, &answer, field);
        }
        assert_eq!(rows(rendering, "locations", id, "delivery_areas"), mine);
        assert_eq!(
            rows(rendering, "locations", other, "delivery_areas"),
            theirs
        );
        let path = format!("/api/locations/{id}");
        assert_ne!(admin.get(&path).json["data"]["description"], "refused");
    }
}

/// Two concurrent writes of the same list: the result is one of the two lists, never a mixture.
#[test]
fn lists_that_are_written_at_once_are_not_mixed() {
    let admin = shared().admin();
    let id = stored(Rendering::Data, &admin, "locations", &json!({}));
    let lists = ["red", "blue"].map(|colour| {
        let areas = (0..4).map(|at| area(&format!("{colour} {at}")));
        json!({ "delivery_areas": areas.collect::<Vec<_>>() })
    });
    for round in 0..10 {
        std::thread::scope(|scope| {
            for list in &lists {
                let admin = &admin;
                scope.spawn(move || {
                    let answer = Rendering::Data.update(admin, "locations", id, list);
                    assert_eq!(answer.status, 200, "{answer}");
                });
            }
        });
        let areas = rows(Rendering::Data, "locations", id, "delivery_areas");
        let colour = |area: &Value| area["name"].as_str().map(|name| name.starts_with("red"));
        let same = areas.iter().all(|one| colour(one) == colour(&areas[0]));
        assert!(same && areas.len() == 4, "round {round}: {areas:?}");
    }
}

/// What has media.
const PICTURED: [&str; 3] = ["menus", "categories", "locations"];

fn picture(name: &str, priority: i64) -> Value {
    json!({
        "disk": "media", "name": format!("{name}.jpg"), "file_name": "photo.jpg",
        "mime_type": "image/jpeg", "size": 1200, "priority": priority,
    })
}

#[test]
fn media_are_written_with_their_record_as_a_list_or_as_the_one_that_is_shown() {
    let admin = shared().admin();
    for rendering in BOTH {
        for resource in PICTURED {
            let two = json!({ "media": [picture("b", 2), picture("a", 1)] });
            let id = stored(rendering, &admin, resource, &two);
            let shown = || rows(rendering, resource, id, "media").first().cloned();
            let update = |media: Value| {
                let answer = rendering.update(&admin, resource, id, &json!({ "media": media }));
                assert_eq!(answer.status, 200, "{resource}: {answer}");
            };
            let first = shown().expect("a picture");
            assert_eq!(first["name"], "a.jpg", "{first}");
            assert_eq!(first["attachment_type"], resource, "{first}");
            assert_eq!(first["attachment_id"], id, "{first}");
            // The one that is shown is changed; the other stays.
            update(json!({ "name": "new.jpg", "tag": "cover" }));
            let changed = shown().expect("a picture");
            assert_eq!(
                (&changed["id"], &changed["name"]),
                (&first["id"], &json!("new.jpg"))
            );
            assert_eq!(
                (&changed["size"], &changed["tag"]),
                (&json!(1200), &json!("cover"))
            );
            // A record that was read can be sent back.
            update(changed.clone());
            let same = shown().expect("a picture");
            assert_eq!(
                (&same["id"], &same["name"]),
                (&changed["id"], &changed["name"])
            );
            update(json!(null));
            assert!(shown().is_some(), "null says nothing");
            update(json!([picture("last", 9)]));
            let last = shown().expect("a picture");
            assert_eq!(
                last["name"], "last.jpg",
                "those that are not listed are gone"
            );
            assert_ne!(last["id"], first["id"]);
            update(json!([]));
            assert_eq!(shown(), None);
            update(picture("one", 1));
            assert_eq!(
                shown().map(|shown| shown["name"].clone()),
                Some(json!("one.jpg"))
            );
        }
    }
}

#[test]
fn media_that_do_not_fit_are_named_and_belong_to_one_record() {
    let admin = shared().admin();
    for rendering in BOTH {
        for resource in PICTURED {
            let more = json!({ "media": [picture("mine", 1)] });
            let (id, other) = (
                stored(rendering, &admin, resource, &more),
                stored(rendering, &admin, resource, &more),
            );
            let before = rows(rendering, resource, id, "media");
            let foreign = rows(rendering, resource, other, "media")[0]["id"].clone();
            let with = |name: &str, value: Value| {
                let mut picture = picture("x", 1);
                picture[name] = value;
                picture
            };
            #[rustfmt::skip] // a row each line
            let wrong_media = [
                (json!([with("id", foreign.clone())]), "media.0.id"),
                (json!({ "id": foreign, "name": "stolen.jpg" }), "media.id"),
                (json!([with("id", json!("x"))]), "media.0.id"),
                (json!([{ "name": "x.jpg" }]), "media.0.disk"),
                (json!([with("size", json!(-1))]), "media.0.size"),
                (json!([with("size", json!("large"))]), "media.0.size"),
                (json!([with("name", json!("x".repeat(256)))]), "media.0.name"),
                (json!([with("name", json!("a\u{0}b"))]), "media.0.name"),
                (json!([with("name", json!("../../etc/passwd"))]), "media.0.name"),
                (json!([with("name", json!("/etc/passwd"))]), "media.0.name"),
                (json!({ "name": "a\\..\\b" }), "media.name"),
                (json!({ "name": "" }), "media.name"),
                (json!([5]), "media.0"),
                (json!([[]]), "media.0"),
                (json!("picture.jpg"), "media"),
            ];
            for (media, field) in wrong_media {
                let answer = rendering.update(&admin, resource, id, &json!({ "media": media }));
                refused(rendering, &answer, field);
            }
            assert_eq!(rows(rendering, resource, id, "media"), before);
            assert_eq!(rows(rendering, resource, other, "media")[0]["id"], foreign);
            // A picture cannot be moved to another record.
            let moved = json!({ "media": { "attachment_id": other, "attachment_type": "menus" } });
            assert_eq!(rendering.update(&admin, resource, id, &moved).status, 200);
            assert_eq!(
                rows(rendering, resource, id, "media")[0]["id"],
                before[0]["id"]
            );
        }
    }
}

#[test]
fn an_address_that_is_taken_out_of_the_book_is_chosen_no_more_and_orders_keep_it() {
    let admin = shared().admin();
    for rendering in BOTH {
        let mut body = payloads::store("customers", 1);
        let email = format!("moving.{rendering:?}@example.com").to_lowercase();
        body["email"] = json!(email);
        body["addresses"] = json!([{ "address_1": "1 Old Road" }, { "address_1": "2 Old Road" }, { "address_1": "3 Old Road" }]);
        let answer = rendering.store(&admin, "customers", &body, "");
        assert_eq!(answer.status, 201, "{answer}");
        let id = rendering.id(&answer.json["data"]);
        let book = rows(rendering, "customers", id, "addresses");
        let [ordered, chosen, last] = [0, 1, 2].map(|at: usize| book[at]["id"].clone());
        let choose = json!({ "address_id": chosen });
        let answer = rendering.update(&admin, "customers", id, &choose);
        assert_eq!(answer.status, 200, "{answer}");
        let order = json!({ "customer_id": id, "address_id": ordered });
        let order = stored(rendering, &admin, "orders", &order);

        let rest = json!({ "addresses": [{ "address_id": last, "address_1": "3 New Road" }] });
        let answer = rendering.update(&admin, "customers", id, &rest);
        assert_eq!(answer.status, 200, "{answer}");
        let shown = rendering.attributes(&answer.json["data"]).clone();
        assert_eq!(shown["address_id"], Value::Null, "{answer}");
        assert_eq!(rows(rendering, "customers", id, "addresses").len(), 1);
        let kept = rows(rendering, "orders", order, "address");
        assert_eq!(kept[0]["address_1"], "1 Old Road", "{kept:?}");
        for (resource, id, address) in [("customers", id, Value::Null), ("orders", order, ordered)]
        {
            let back = json!({ "address_id": address });
            let answer = rendering.update(&admin, resource, id, &back);
            assert_eq!(answer.status, 200, "{resource}: {answer}");
        }

        // As it was shown, with another book: what it takes out is not chosen.
        let choose = json!({ "address_id": last });
        let answer = rendering.update(&admin, "customers", id, &choose);
        assert_eq!(answer.status, 200, "{answer}");
        let back = json!({ "address_id": last, "addresses": [{ "address_1": "4 New Road" }] });
        let answer = rendering.update(&admin, "customers", id, &back);
        assert_eq!(answer.status, 200, "{answer}");
        let shown = rendering.attributes(&answer.json["data"]);
        assert_eq!(shown["address_id"], Value::Null, "{answer}");
        // Choosing it again is refused with a message.
        let answer = rendering.update(&admin, "customers", id, &choose);
        refused(rendering, &answer, "address_id");
        for path in [
            format!("/api/orders/{order}"),
            format!("/api/customers/{id}"),
        ] {
            let gone = rendering.delete(&admin, &path);
            assert_eq!(gone.status, 204, "{path}: {gone}");
        }
    }
}
