//! The service computes the bill of an order, whatever the body says (docs/contract.md, "Access":
//! what is read only comes from no body), in both renderings.

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering, refused},
};

/// An order with these items and lines.
fn order(items: Value, lines: Value) -> Value {
    let mut body = payloads::store("orders", 0);
    body["order_menus"] = items;
    body["order_totals"] = lines;
    body
}

fn line(code: &str, value: &str) -> Value {
    json!({ "code": code, "title": "Mine", "value": value, "is_summable": true })
}

/// Items, total, and the values of these lines.
fn bill(rendering: Rendering, record: &Value, codes: &[&str]) -> (i64, Value, Vec<Value>) {
    let shown = rendering.attributes(record);
    let lines = shown["order_totals"].as_array().expect("a bill");
    let value = |code: &&str| {
        let mut found = lines.iter().filter(|line| line["code"] == **code);
        let line = found.next().unwrap_or_else(|| panic!("{code}: {shown}"));
        assert_eq!(found.next(), None, "{code} stands there once: {shown}");
        line["value"].clone()
    };
    let items = shown["total_items"].as_i64().expect("a number");
    let total = shown["order_total"].clone();
    (items, total, codes.iter().map(value).collect())
}

#[test]
fn a_bill_follows_the_items_to_the_last() {
    let admin = shared().admin();
    let codes = ["subtotal", "tip", "total"];
    for rendering in BOTH {
        let items = json!([{ "id": 2, "name": "B", "qty": 2, "price": "5.95" }]);
        let body = order(items, json!([line("tip", "2")]));
        let stored = rendering.store(&admin, "orders", &body, "");
        assert_eq!(stored.status, 201, "{stored}");
        let id = rendering.id(&stored.json["data"]);
        let values = ["11.9000", "2.0000", "13.9000"].map(Value::from).to_vec();
        let expected = (2, json!("13.9000"), values);
        assert_eq!(bill(rendering, &stored.json["data"], &codes), expected);

        let emptied = rendering.update(&admin, "orders", id, &json!({ "order_menus": [] }));
        assert_eq!(emptied.status, 200, "{emptied}");
        let values = ["0.0000", "2.0000", "2.0000"].map(Value::from).to_vec();
        let expected = (0, json!("2.0000"), values);
        assert_eq!(bill(rendering, &emptied.json["data"], &codes), expected);

        let change = json!({ "order_totals": [line("total", "100"), line("subtotal", "50")] });
        let forged = rendering.update(&admin, "orders", id, &change);
        assert_eq!(forged.status, 200, "{forged}");
        assert_eq!(bill(rendering, &forged.json["data"], &codes), expected);
        let lines = &rendering.attributes(&forged.json["data"])["order_totals"];
        let titles: Vec<&Value> = lines.as_array().into_iter().flatten().collect();
        let mine = titles.iter().filter(|line| line["title"] == "Mine").count();
        assert_eq!(mine, 3, "a title is the client's to choose: {forged}");
    }
}

#[test]
fn totals_of_an_order_are_computed_by_the_service() {
    let alice = shared().alice();
    let codes = ["subtotal", "total"];
    // The price of the menu, whatever a customer sends.
    let item = json!([{ "id": 1, "name": "Soup", "qty": 1, "price": "0.01", "subtotal": "-9" }]);
    let forged = json!([line("total", "-5"), line("subtotal", "77")]);
    for rendering in BOTH {
        for (items, lines, ordered, total) in [
            (json!([]), forged.clone(), 0, "0.0000"),
            (item.clone(), forged.clone(), 1, "4.5000"),
            (json!(null), json!(null), 0, "0.0000"),
        ] {
            let mut body = order(items, lines);
            body["order_total"] = json!("-7");
            let stored = rendering.store(&alice, "orders", &body, "");
            assert_eq!(stored.status, 201, "{stored}");
            let expected = (ordered, json!(total), vec![json!(total), json!(total)]);
            assert_eq!(bill(rendering, &stored.json["data"], &codes), expected);
        }
    }
}

#[test]
fn amounts_that_overflow_are_refused_at_their_member() {
    let admin = shared().admin();
    let largest = "99999999999.9999";
    let gold = json!({ "id": 1, "name": "Gold", "qty": 1, "price": largest });
    for rendering in BOTH {
        for (items, lines, list) in [
            (json!([gold, gold]), json!([]), "order_menus"),
            (json!([gold]), json!([line("tip", "0.0001")]), "order_menus"),
            (
                json!([]),
                json!([line("a", largest), line("b", largest)]),
                "order_totals",
            ),
        ] {
            let answer = rendering.store(&admin, "orders", &order(items, lines), "");
            refused(rendering, &answer, list);
        }
    }
}

#[test]
fn a_body_sets_only_title_and_place_of_a_computed_line() {
    let admin = shared().admin();
    let place = |code: &str, lines: &[Value]| {
        let at = lines.iter().position(|line| line["code"] == *code);
        at.unwrap_or_else(|| panic!("no {code}: {lines:?}"))
    };
    for rendering in BOTH {
        for sent in [
            json!([line("total", "1"), line("tip", "1")]),
            json!([line("total", "1"), line("subtotal", "1"), line("tip", "1")]),
        ] {
            let body = order(payloads::store("orders", 0)["order_menus"].take(), sent);
            let stored = rendering.store(&admin, "orders", &body, "");
            assert_eq!(stored.status, 201, "{stored}");
            let lines = rendering.attributes(&stored.json["data"])["order_totals"].clone();
            let lines = lines.as_array().expect("a bill");
            let [subtotal, total] = ["subtotal", "total"].map(|code| place(code, lines));
            assert_eq!(lines[subtotal]["priority"], 0, "{stored}");
            assert_eq!(lines[total]["priority"], 127, "{stored}");
            assert_eq!(total, lines.len() - 1, "it is the last: {stored}");
            for (at, summable) in [
                (subtotal, false),
                (total, false),
                (place("tip", lines), true),
            ] {
                assert_eq!(lines[at]["is_summable"], summable, "{stored}");
            }

            let id = rendering.id(&stored.json["data"]);
            let mut moved = line("total", "1");
            moved["priority"] = json!(-1);
            for (change, priority) in [(&moved, -1), (&line("total", "1"), -1)] {
                let change = json!({ "order_totals": [change] });
                let answer = rendering.update(&admin, "orders", id, &change);
                assert_eq!(answer.status, 200, "{answer}");
                let first = &rendering.attributes(&answer.json["data"])["order_totals"][0];
                assert_eq!(first["code"], "total", "{answer}");
                assert_eq!(first["priority"], priority, "{answer}");
                assert_eq!(first["is_summable"], false, "{answer}");
            }
        }
    }
}
