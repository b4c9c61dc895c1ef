//! `unique` and `exists` hold when requests meet: the database decides, and the loser gets a 422 on
//! the field (docs/contract.md, "Errors").

use std::thread;

use formwork::{
    prelude::*,
    testing::{Answer, Client, Service},
};

use super::{
    kitchen,
    support::{Expect, at_once, check, count, rounds},
};

#[test]
fn one_of_several_concurrent_records_with_a_unique_value_is_stored() {
    let service = kitchen();
    service.admin();
    let rounds = rounds(2);
    for round in 0..rounds {
        let dish = json!({"title": "Soup", "slug": format!("soup-{round}")});
        let store = |_| service.admin().post("/api/dishes", dish.clone());
        let mut answers = at_once(4, store);
        answers.sort_unstable_by_key(|answer| answer.status);
        assert_eq!(answers[0].status, 201, "{}", answers[0]);
        for answer in &answers[1..] {
            assert_eq!(answer.status, 422, "{answer}");
            assert!(answer.json["errors"]["slug"].is_array(), "{answer}");
        }
    }
    assert_eq!(count(&service, "dishes"), i64::from(rounds));
}

#[test]
fn a_row_is_deleted_or_referenced_but_not_both() {
    let service = kitchen();
    for dish in 1..=rounds(3) {
        let admin = service.admin();
        admin
            .post("/api/dishes", json!({"title": "Soup"}))
            .expect(201);
        let answers = at_once(2, |number| match number {
            0 => service.admin().delete(&format!("/api/dishes/{dish}")),
            _ => admin.post("/api/notes", json!({"dish_id": dish, "text": "good"})),
        });
        let statuses = (answers[0].status, answers[1].status);
        assert!(matches!(statuses, (204, 422) | (409, 201)), "{statuses:?}");
        let named = answers[1].json["errors"]["dish_id"].is_array();
        assert!(named || statuses.1 == 201, "{}", answers[1]);
    }
}

#[test]
fn sent_attributes_are_written_even_if_another_request_changed_them() {
    // `portions` was sent, though it was the same; `price` was not.
    let lines = r#"
        admin POST  /api/dishes   {"title": "Soup", "portions": 5}     => 201
        admin PATCH /api/dishes/1 {"portions": 5, "slug": "meanwhile"} => 200 /data/portions 5 /data/price "1.0000""#;
    check(&kitchen(), lines);
}

#[test]
fn a_record_deleted_meanwhile_is_404() {
    let service = kitchen();
    let admin = service.admin();
    admin
        .post("/api/dishes", json!({"title": "Soup"}))
        .expect(201);
    let changes: [fn(&Client<'_>, &str) -> Answer; 2] = [
        |client, path| client.patch(path, json!({"text": "mine"})),
        |client, path| client.delete(path),
    ];
    for change in changes {
        let customer = service.customer();
        let note = json!({"dish_id": 1, "text": "good"});
        let note = customer.post("/api/notes", note).expect(201);
        let path = note.header("location").expect("a path");
        take_away(&service, || change(&customer, path).expect(404));
        let kept = admin.get(path);
        assert_eq!(kept.json["data"]["text"], "good", "{kept}");
    }
}

/// Takes all notes from their owner in a transaction that ends once this change waits for it.
fn take_away(service: &Service, change: impl FnOnce() -> Answer + Send) {
    let other = service.block_on(service.app().db().begin());
    let other = other.expect("a transaction");
    let sql = "UPDATE notes SET customer_id = NULL";
    let updated = service.block_on(other.db().execute(sql, []));
    updated.expect("an update");
    thread::scope(|scope| {
        let changing = scope.spawn(change);
        // It has seen the record, and waits to write.
        thread::sleep(std::time::Duration::from_millis(300));
        service.block_on(other.commit()).expect("a commit");
        changing.join().expect("an answer");
    });
}
