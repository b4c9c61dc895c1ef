//! `unique` and `exists` hold when requests meet: the database decides, and the loser gets a 422 on
//! the field (docs/contract.md, "Errors").

use std::{thread, time::Duration};

use formwork::{prelude::*, testing::Service};

use super::kitchen;

/// The statuses of requests sent at the same moment, in order.
fn at_once(requests: Vec<Box<dyn Fn() -> u16 + Send + Sync + '_>>) -> Vec<u16> {
    thread::scope(|scope| {
        let running: Vec<_> = requests
            .iter()
            .map(|request| scope.spawn(request))
            .collect();
        running
            .into_iter()
            .map(|request| request.join().expect("an answer"))
            .collect()
    })
}

#[test]
fn one_of_several_concurrent_records_with_a_unique_value_is_stored() {
    let service = kitchen();
    service.admin();
    for round in 0..8 {
        let store = |_| -> Box<dyn Fn() -> u16 + Send + Sync> {
            Box::new(|| {
                let dish = json!({"title": "Soup", "slug": format!("soup-{round}")});
                let answer = service.admin().post("/api/dishes", dish);
                if answer.status == 422 {
                    assert!(answer.json["errors"]["slug"].is_array(), "{answer}");
                }
                answer.status
            })
        };
        let mut statuses = at_once((0..4).map(store).collect());
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422, 422, 422]);
    }
    let total = &service.admin().get("/api/dishes").json["meta"]["pagination"]["total"];
    assert_eq!(total, 8);
}

#[test]
fn a_row_is_deleted_or_referenced_but_not_both() {
    let service = kitchen();
    for _ in 0..8 {
        let dish = service
            .admin()
            .post("/api/dishes", json!({"title": "Soup"}));
        let dish = dish.json["data"]["id"].as_i64().expect("an id");
        let statuses = at_once(vec![
            Box::new(|| delete(&service, dish)),
            Box::new(|| point(&service, dish)),
        ]);
        assert!(
            matches!(statuses[..], [204, 422] | [409, 201]),
            "{statuses:?}"
        );
    }
}

#[test]
fn sent_attributes_are_written_even_if_another_request_changed_them() {
    let service = kitchen();
    let dish = json!({"title": "Soup", "portions": 5});
    service.admin().post("/api/dishes", dish);
    let sent = json!({"portions": 5, "slug": "meanwhile"});
    let patched = service.admin().patch("/api/dishes/1", sent);
    assert_eq!(patched.status, 200, "{patched}");
    let dish = &patched.json["data"];
    assert_eq!(dish["portions"], 5, "sent, though it was the same: {dish}");
    assert_eq!(dish["price"], "1.0000", "not sent: {dish}");
}

#[test]
fn a_record_deleted_meanwhile_is_404() {
    let service = kitchen();
    let dish = json!({"title": "Soup"});
    service.admin().post("/api/dishes", dish);
    type Change = fn(&Service, &str) -> u16;
    let changes: [Change; 2] = [
        |service, place| {
            let text = json!({"text": "mine"});
            service.customer().patch(place, text).status
        },
        |service, place| service.customer().delete(place).status,
    ];
    for change in changes {
        let note = json!({"dish_id": 1, "text": "good"});
        let note = service.customer().post("/api/notes", note);
        let place = note.header("location").expect("a place").to_owned();
        let other = service
            .block_on(service.app().db().begin())
            .expect("a transaction");
        let taken = "UPDATE notes SET customer_id = NULL";
        let taken = service.block_on(other.db().execute(taken, []));
        taken.expect("an update");
        let status = thread::scope(|scope| {
            let changing = scope.spawn(|| change(&service, &place));
            // It has seen the record, and waits to write.
            thread::sleep(Duration::from_millis(500));
            service.block_on(other.commit()).expect("a commit");
            changing.join().expect("an answer")
        });
        assert_eq!(status, 404);
        let kept = service.admin().get(&place);
        assert_eq!(kept.json["data"]["text"], "good", "{kept}");
    }
}

fn delete(service: &Service, dish: i64) -> u16 {
    service
        .admin()
        .delete(&format!("/api/dishes/{dish}"))
        .status
}

fn point(service: &Service, dish: i64) -> u16 {
    let note = json!({"dish_id": dish, "text": "good"});
    let answer = service.admin().post("/api/notes", note);
    if answer.status == 422 {
        assert!(answer.json["errors"]["dish_id"].is_array(), "{answer}");
    }
    answer.status
}
