//! Documents of the restaurant, deep and wide: full linkage, each object once, the types of
//! relations, fieldsets by these types (docs/contract.md, "Media types"; jsonapi.org, "Compound Documents").

use std::collections::{BTreeMap, BTreeSet};

use formwork_tests::client::Answer;
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering},
};

/// The request, and the included types.
const ASKED: [(&str, &[&str]); 9] = [
    (
        "categories?include=media,menus.stocks,menus.menu_options.option,locations.working_hours",
        &["menu_options", "menus", "options", "stocks"],
    ),
    (
        "coupons?include=menus.categories,categories.menus,history",
        &["categories", "history", "menus"],
    ),
    (
        "customers?pageLimit=2&include=addresses,orders.assignee,reservations.tables",
        &["orders", "reservations", "tables"],
    ),
    (
        "locations?include=media,working_hours,delivery_areas,reviews.customer",
        &["customers", "delivery_areas", "reviews", "working_hours"],
    ),
    (
        "menus?pageLimit=100&include=categories.menus,menu_options.option.option_values,\
         menu_options.menu_option_values.option_value,ingredients,mealtimes,stocks",
        &[
            "categories",
            "menu_option_values",
            "menu_options",
            "option_values",
            "options",
            "stocks",
        ],
    ),
    (
        "orders?include=customer.orders,location,payment_method,status,status_history,assignee,\
         assignee_group",
        &[
            "customers",
            "locations",
            "orders",
            "payment_methods",
            "status_history",
            "statuses",
        ],
    ),
    (
        "reservations?include=location,tables,status,status_history",
        &["locations", "statuses", "tables"],
    ),
    (
        "reviews?include=location.reviews,customer.orders",
        &["customers", "locations", "orders"],
    ),
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

/// A field of each type that documents show, and keys of tables that they call otherwise.
#[test]
fn fieldsets_go_by_the_types_of_documents() {
    let admin = shared().admin();
    let shown: BTreeMap<&str, &str> = BTreeMap::from([
        ("assignee", "name"),
        ("assignee_group", "user_group_name"),
        ("tables", "name"),
        ("payment_methods", "name"),
        ("options", "option_name"),
        ("menu_option_values", "menu_option_id"),
        ("orders", "order_total"),
    ]);
    for rendering in BOTH {
        for (kind, field) in &shown {
            let path = format!("/api/orders?pageLimit=1&fields[{kind}]={field}");
            let answer = rendering.get(&admin, &path);
            assert_eq!(answer.status, 200, "{path}: {answer}");
            let wrong = rendering.get(&admin, &format!("{path}x"));
            assert_eq!(wrong.status, 400, "{path}x: {wrong}");
            let hint = format!("Did you mean `{field}`?");
            assert!(wrong.body.contains(&hint), "{path}x: {wrong}");
        }
        for (key, hint) in [
            ("admin_users", ""),
            ("admin_user_groups", ""),
            ("dining_tables", ""),
            ("menu_item_options", ""),
            ("payments", ""),
            ("assignees", "Did you mean `assignee`?"),
            ("order", "Did you mean `orders`?"),
        ] {
            let path = format!("/api/orders?fields[{key}]=name");
            let answer = rendering.get(&admin, &path);
            assert_eq!(answer.status, 400, "{path}: {answer}");
            assert!(answer.body.contains(hint), "{path}: {answer}");
        }
        let mut order = payloads::store("orders", 0);
        order["assignee_id"] = json!(1);
        let stored = admin.post("/api/orders", &order);
        let id = &stored.json["data"]["id"];
        let path = format!("/api/orders/{id}?include=assignee&fields[assignee]=name");
        let answer = rendering.get(&admin, &path);
        let people = rendering.included(&answer, "assignee");
        assert_eq!(people.len(), 1, "{answer}");
        for person in people {
            let members = person.as_object().expect("a person");
            assert_eq!(
                members.keys().collect::<Vec<_>>(),
                ["id", "name"],
                "{answer}"
            );
        }
    }
}

/// "Links only where the URLs answer": the objects of a document have no other links, for every
/// caller.
#[test]
fn every_link_of_a_document_answers_its_caller() {
    let service = shared();
    let callers = [
        ("guest", service.guest()),
        ("alice", service.alice()),
        ("administrator", service.admin()),
    ];
    let (mut linked, mut unlinked) = (0, 0);
    for path in [
        "/api/menus?include=categories,locations&pageLimit=3",
        "/api/locations?include=reviews&pageLimit=2",
        "/api/reviews?include=location,customer&pageLimit=3",
        "/api/orders?include=location,customer,status&pageLimit=3",
        "/api/reservations?include=location,customer&pageLimit=3",
    ] {
        for (who, client) in &callers {
            let list = Rendering::JsonApi.get(client, path);
            if list.status != 200 {
                continue;
            }
            let objects = ["data", "included"].map(|member| list.json[member].as_array());
            for object in objects.into_iter().flatten().flatten() {
                let (kind, id) = (&object["type"], object["id"].as_str().unwrap_or_default());
                let place = format!("/api/{}/{id}", kind.as_str().unwrap_or_default());
                let status = Rendering::JsonApi.get(client, &place).status;
                match object["links"]["self"].as_str() {
                    Some(link) => {
                        assert_eq!((link, status), (&*place, 200), "{who}, {path}: {object}");
                        linked += 1;
                    }
                    None => {
                        assert!([401, 403, 404].contains(&status), "{who}, {path}: {place}");
                        unlinked += 1;
                    }
                }
            }
        }
    }
    assert!(linked > 20 && unlinked > 0, "{linked} {unlinked}");
}
