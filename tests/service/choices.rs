//! What was chosen for an item is held to the same rules in the form in which orders are shown
//! (`option_values`, a text) as in the form of new orders (`options`), in both renderings.

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    nested::store,
    rendering::{BOTH, Rendering},
};

/// The options of an item: one, with one value.
fn options(option: &Value, value: &Value) -> Value {
    json!([{ "id": 1, "name": option, "values": [{ "id": 1, "name": value }] }])
}

fn order(rendering: Rendering, form: &str, options: Value) -> Answer {
    let options = match form {
        "option_values" => json!(options.to_string()),
        _ => options,
    };
    let item = json!({ "id": 1, "name": "Grill", "qty": 1, "price": "1", form: options });
    let more = json!({ "order_menus": [item] });
    store(rendering, &shared().admin(), "orders", &more)
}

#[test]
fn names_in_options_obey_the_rules_of_names() {
    let (fine, long) = (json!("é".repeat(255)), json!("é".repeat(256)));
    let (null, blank, list) = (json!("a\0b"), json!(" "), json!(["a"]));
    let [option, value] = ["name", "values.0.name"];
    for rendering in BOTH {
        for form in ["options", "option_values"] {
            let taken = order(rendering, form, options(&fine, &fine));
            assert_eq!(taken.status, 201, "{form}: {taken}");
            for (options, member) in [
                (options(&null, &fine), option),
                (options(&long, &fine), option),
                (options(&list, &fine), option),
                (options(&fine, &null), value),
                (options(&fine, &long), value),
                (options(&fine, &blank), value),
                (options(&fine, &json!(null)), value),
            ] {
                let answer = order(rendering, form, options);
                assert_eq!(answer.status, 422, "{form} {member}: {answer}");
                let faults = rendering.faults(&answer);
                let pointer = faults.get(&format!("order_menus.0.options.0.{member}"));
                let pointer = pointer.unwrap_or_else(|| panic!("{form} {member}: {answer}"));
                if rendering == Rendering::JsonApi {
                    let item = "/data/attributes/order_menus/0";
                    let pointer = pointer.as_deref().unwrap_or_default();
                    assert!(pointer.starts_with(item), "{form} {member}: {answer}");
                }
            }
        }
    }
}
