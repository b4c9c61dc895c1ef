//! Bodies of the wrong shape, and rows that belong to others, are refused on the member at fault.

use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    nested::{rows, store, stored},
    rendering::{BOTH, refused},
};

#[test]
fn options_belong_to_their_dish_and_values_to_their_option() {
    let admin = shared().admin();
    let seeded = admin.get("/api/menus?include=menu_options&pageLimit=100");
    let with_options = |menu: &&Value| {
        menu["menu_options"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
    };
    let dishes: Vec<&Value> = seeded.records().iter().filter(with_options).collect();
    let option = &dishes[0]["menu_options"][0];
    let value = &option["menu_option_values"][0];
    let other = dishes
        .iter()
        .flat_map(|dish| dish["menu_options"].as_array())
        .flatten();
    let other = other
        .clone()
        .find(|other| other["option_id"] != option["option_id"]);
    let other = other.expect("a dish with another option");
    for rendering in BOTH {
        let entry = json!({
            "option_id": option["option_id"], "is_required": true,
            "menu_option_values": [{ "option_value_id": value["option_value_id"], "override_price": "1.5" }],
        });
        let id = stored(
            rendering,
            &admin,
            "menus",
            &json!({ "menu_options": [entry] }),
        );
        let own = rows(rendering, "menus", id, "menu_options");
        assert_eq!(own[0]["is_required"], true, "{own:?}");
        let foreign = json!([{ "menu_option_id": option["id"], "option_id": option["option_id"] }]);
        let strange = json!([{
            "menu_option_id": own[0]["id"], "option_id": option["option_id"],
            "menu_option_values": [{
                "option_value_id": other["menu_option_values"][0]["option_value_id"],
            }],
        }]);
        let theirs = json!([{
            "menu_option_id": own[0]["id"], "option_id": option["option_id"],
            "menu_option_values": [{
                "menu_option_value_id": value["id"], "option_value_id": value["option_value_id"],
            }],
        }]);
        let unknown = json!([{ "option_id": 424_242 }]);
        #[rustfmt::skip] // a row each line
        let wrong_options = [
            (foreign, "menu_options.0.menu_option_id"),
            (strange, "menu_options.0.menu_option_values.0.option_value_id"),
            (theirs, "menu_options.0.menu_option_values.0.menu_option_value_id"),
            (unknown, "menu_options.0.option_id"),
        ];
        for (options, field) in wrong_options {
            let change = json!({ "menu_options": options });
            let answer = rendering.update(&admin, "menus", id, &change);
            refused(rendering, &answer, field);
        }
        assert_eq!(rows(rendering, "menus", id, "menu_options"), own);
        assert_eq!(
            rendering
                .update(&admin, "menus", id, &json!({ "menu_options": [] }))
                .status,
            200
        );
        assert_eq!(rows(rendering, "menus", id, "menu_options").len(), 0);
    }
}

#[test]
fn a_list_in_place_of_an_object_is_refused_on_its_member() {
    let admin = shared().admin();
    let object = json!({ "a": { "b": 1 } });
    #[rustfmt::skip] // a row each line
    let table = [
        ("menus", "special", vec![json!([1]), json!([]), json!(5), json!("F")]),
        ("menus", "menu_options", vec![object.clone(), json!(5), json!("x"), json!(true)]),
        ("menus", "categories", vec![object.clone(), json!(5), json!("1,2")]),
        ("menus", "order_restriction", vec![object.clone(), json!(true), json!(9)]),
        ("orders", "address", vec![json!([1]), json!([]), json!("1 High Street")]),
        ("orders", "order_menus", vec![object.clone(), json!(5), json!("soup")]),
        ("orders", "order_totals", vec![object.clone(), json!(5)]),
        ("customers", "addresses", vec![object.clone(), json!(5), json!("x")]),
        ("locations", "delivery_areas", vec![object.clone(), json!(5), json!("x")]),
        ("locations", "options", vec![json!([1]), json!(5), json!("x")]),
        ("categories", "locations", vec![object.clone(), json!(5)]),
        ("reservations", "tables", vec![object.clone(), json!(5), json!("1")]),
        ("coupons", "recurring_every", vec![object.clone(), json!(5)]),
        ("coupons", "order_restriction", vec![object.clone(), json!(true)]),
        ("coupons", "menus", vec![object, json!(5)]),
    ];
    for rendering in BOTH {
        for (resource, member, wrong) in &table {
            let id = stored(rendering, &admin, resource, &json!({}));
            for value in wrong {
                let more = json!({ *member: value });
                let answer = store(rendering, &admin, resource, &more);
                refused(rendering, &answer, member);
                let answer = rendering.update(&admin, resource, id, &more);
                refused(rendering, &answer, member);
            }
        }
        let nested = json!({ "special": { "recurring_every": { "a": 1 } } });
        let answer = store(rendering, &admin, "menus", &nested);
        refused(rendering, &answer, "special.recurring_every");
    }
}

#[test]
fn amounts_beyond_the_range_of_their_columns_are_refused() {
    let admin = shared().admin();
    let item =
        |price: &str, qty: i64| json!({ "id": 1, "name": "Gold", "qty": qty, "price": price });
    let largest = "99999999999.9999";
    for rendering in BOTH {
        for (items, field) in [
            (json!([item(largest, 2)]), "order_menus.0.subtotal"),
            (json!([item(largest, 1_000)]), "order_menus.0.subtotal"),
            (json!([item("100000000000", 1)]), "order_menus.0.price"),
            (json!([item("1", 9_999_999_999)]), "order_menus.0.qty"),
            (json!([item(largest, 1), item("0.0001", 1)]), "order_menus"),
            (json!([item("0", 1_001)]), "order_menus.0.qty"),
        ] {
            let answer = store(
                rendering,
                &admin,
                "orders",
                &json!({ "order_menus": items }),
            );
            refused(rendering, &answer, field);
        }
        let tip =
            json!([{ "code": "tip", "title": "Tip", "value": "0.0001", "is_summable": true }]);
        let both = json!({ "order_menus": [item(largest, 1)], "order_totals": tip });
        refused(
            rendering,
            &store(rendering, &admin, "orders", &both),
            "order_menus",
        );
        let most = store(
            rendering,
            &admin,
            "orders",
            &json!({ "order_menus": [item(largest, 1)] }),
        );
        assert_eq!(most.status, 201, "{most}");
        let order = rendering.attributes(&most.json["data"]);
        assert_eq!(order["order_total"], largest, "{most}");
    }
}
