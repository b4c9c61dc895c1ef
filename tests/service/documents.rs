//! Documents of the restaurant, deep and wide: full linkage, each object once, the types of
//! relations, fieldsets by these types (docs/contract.md, "Media types"; jsonapi.org, "Compound Documents").

use std::collections::BTreeSet;

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::Value;

use crate::rendering::Rendering;

/// The request, and the included types.
#[rustfmt::skip] // a row each line
const ASKED: [(&str, &[&str]); 9] = [
    ("categories?include=media,menus.stocks,menus.menu_options.option,locations.working_hours", &["menu_options",
        "menus", "options", "stocks"]),
    ("coupons?include=menus.categories,categories.menus,history", &["categories", "history", "menus"]),
    ("customers?pageLimit=2&include=addresses,orders.assignee,reservations.tables", &["orders", "reservations",
        "tables"]),
    ("locations?include=media,working_hours,delivery_areas,reviews.customer", &["customers", "delivery_areas",
        "reviews", "working_hours"]),
    ("menus?pageLimit=100&include=categories.menus,menu_options.option.option_values,\
         menu_options.menu_option_values.option_value,ingredients,mealtimes,stocks", &["categories", "menu_option_values", "menu_options", "option_values", "options", "stocks"]),
    ("orders?include=customer.orders,location,payment_method,status,status_history,assignee,\
         assignee_group", &["customers", "locations", "orders", "payment_methods", "status_history", "statuses"]),
    ("reservations?include=location,tables,status,status_history", &["locations", "statuses", "tables"]),
    ("reviews?include=location.reviews,customer.orders", &["customers", "locations", "orders"]),
    ("menus?include=", &[]),
];

/// Type and id.
fn identity(object: &Value) -> (String, String) {
    let part = |name: &str| {
        let text = object[name].as_str();
        text.unwrap_or_else(|| panic!("no {name}: {object}"))
            .to_owned()
    };
    (part("type"), part("id"))
}

/// Every linkage leads to an object, every included object is linked to and occurs once, and
/// attributes do not mix with members of the standard.
fn check(answer: &Answer, asked: &str) -> BTreeSet<String> {
    assert_eq!(answer.status, 200, "{asked}: {answer}");
    let included = answer.json["included"].as_array().expect("included");
    let primary = answer.records().len();
    let (mut present, mut linked) = (BTreeSet::new(), BTreeSet::new());
    for object in answer.records().iter().chain(included) {
        assert!(present.insert(identity(object)), "{asked}: twice: {object}");
        let attributes = object["attributes"].as_object().expect("attributes");
        for taken in ["id", "type", "links", "relationships"] {
            assert!(
                !attributes.contains_key(taken),
                "{asked}: {taken}: {object}"
            );
        }
        for (name, relationship) in object["relationships"].as_object().into_iter().flatten() {
            assert!(!attributes.contains_key(name), "{asked}: {name}: {object}");
            match &relationship["data"] {
                Value::Array(all) => linked.extend(all.iter().map(identity)),
                Value::Null => {}
                one => drop(linked.insert(identity(one))),
            }
        }
    }
    assert!(
        linked.is_subset(&present),
        "{asked}: what is linked to is there"
    );
    let included: BTreeSet<_> = included.iter().map(identity).collect();
    assert!(
        included.is_subset(&linked),
        "{asked}: what is included is linked to"
    );
    assert_eq!(present.len(), primary + included.len(), "{asked}");
    included.into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn every_included_object_has_full_linkage_and_is_unique() {
    let admin = shared().admin();
    for (path, types) in ASKED {
        let answer = Rendering::JsonApi.get(&admin, &format!("/api/{path}"));
        let seen = check(&answer, path);
        for kind in types {
            assert!(seen.contains(*kind), "{path}: {kind} in {seen:?}");
        }
        for key in [
            "admin_users",
            "dining_tables",
            "menu_item_options",
            "payments",
        ] {
            assert!(!seen.contains(key), "{path}: documents do not say {key}");
        }
    }
}
