//! The list parameters of the reference's clients, for each of the eight resources and in both
//! renderings: `page`, `pageLimit`, `sort=col desc`, `search`, named filters, includes
//! (docs/contract.md, "Query parameters").

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::shared;
use serde_json::Value;

use crate::rendering::{BOTH, Rendering};

/// A resource, what the reference sorts it by and includes.
pub struct Feature {
    pub resource: &'static str,
    pub sorts: &'static [&'static str],
    /// Columns that are searched, by the names they are shown under.
    search: &'static [&'static str],
    to_one: &'static [&'static str],
    to_many: &'static [&'static str],
}

#[rustfmt::skip] // fields in one line
pub const FEATURES: [Feature; 8] = [
    Feature {
        resource: "categories", sorts: &["priority"], search: &["name", "description"], to_one: &["media"],
        to_many: &["menus", "locations"],
    },
    Feature {
        resource: "coupons", sorts: &["name", "coupon_id", "code"], search: &[], to_one: &[],
        to_many: &["menus", "categories", "history"],
    },
    Feature {
        resource: "customers", sorts: &[], search: &[], to_one: &[],
        to_many: &["addresses", "orders", "reservations"],
    },
    Feature {
        resource: "locations", sorts: &["location_id", "location_name", "reviews_count"],
        search: &["location_name", "location_address_1", "location_city", "location_postcode", "description"],
        to_one: &["media"], to_many: &["working_hours", "delivery_areas", "reviews"],
    },
    Feature {
        resource: "menus", sorts: &["menu_priority", "menu_name", "menu_id", "menu_price"],
        search: &["menu_name", "menu_description", "menu_price"], to_one: &["media"],
        to_many: &["categories", "menu_options", "ingredients", "mealtimes", "stocks"],
    },
    Feature {
        resource: "orders", sorts: &["order_id", "created_at", "order_date", "order_time", "order_type"],
        search: &["order_id", "first_name", "last_name", "email", "telephone"],
        to_one: &["customer", "location", "address", "payment_method", "status", "assignee", "assignee_group"],
        to_many: &["status_history"],
    },
    Feature {
        resource: "reservations", sorts: &["reservation_id", "reserve_date", "created_at"],
        search: &["reservation_id", "first_name", "last_name", "email", "telephone"],
        to_one: &["location", "status", "assignee", "assignee_group"], to_many: &["tables", "status_history"],
    },
    Feature {
        resource: "reviews", sorts: &["created_at"], search: &[], to_one: &["location", "customer"], to_many: &[],
    },
];

pub fn list(rendering: Rendering, client: &Client, resource: &str, query: &str) -> Answer {
    let path = format!("/api/{resource}?{}", query.replace(' ', "%20"));
    let answer = rendering.get(client, &path);
    assert_eq!(answer.status, 200, "{path}: {answer}");
    answer
}

/// An attribute as it is compared: keys and decimals as numbers.
fn value(rendering: Rendering, record: &Value, name: &str) -> (f64, String) {
    let key = [
        "coupon_id",
        "location_id",
        "menu_id",
        "order_id",
        "reservation_id",
    ];
    let is_key = key.contains(&name) && rendering.attributes(record).get(name).is_none();
    if is_key {
        return (rendering.id(record) as f64, String::new());
    }
    match &rendering.attributes(record)[name] {
        Value::Number(number) => (number.as_f64().unwrap_or_default(), String::new()),
        Value::String(text) if name == "menu_price" => {
            (text.parse().expect("a price"), String::new())
        }
        Value::String(text) => (0.0, text.clone()),
        other => panic!("{name}: {other}"),
    }
}

#[test]
fn every_resource_is_sorted_in_every_form() {
    let admin = shared().admin();
    for rendering in BOTH {
        for Feature {
            resource, sorts, ..
        } in FEATURES
        {
            for sort in sorts
                .iter()
                .chain(&["id"])
                .filter(|sort| **sort != "reviews_count")
            {
                let name = |record: &Value| match *sort {
                    "id" => (rendering.id(record) as f64, String::new()),
                    sort => value(rendering, record, sort),
                };
                let sorted = |form: &str| {
                    let query = format!("pageLimit=50&sort={form}");
                    let answer = list(rendering, &admin, resource, &query);
                    answer.records().iter().map(name).collect::<Vec<_>>()
                };
                let values = sorted(sort);
                assert!(values.is_sorted(), "{resource} {sort}: {values:?}");
                for form in [format!("-{sort}"), format!("{sort} desc")] {
                    let values = sorted(&form);
                    let is_sorted = values.iter().rev().is_sorted();
                    assert!(is_sorted, "{resource} {form}: {values:?}");
                }
            }
            let unknown = rendering.get(&admin, &format!("/api/{resource}?sort=nothing"));
            assert_eq!(unknown.status, 400, "{resource}: {unknown}");
        }
        for sort in [
            "reviews_count",
            "-reviews_count",
            "reviews_count desc,location_name",
        ] {
            list(rendering, &admin, "locations", &format!("sort={sort}"));
        }
    }
}

/// Values of every searched column are found; resources without search find no records.
#[test]
fn every_resource_is_searched_in_its_columns() {
    let admin = shared().admin();
    for rendering in BOTH {
        for Feature {
            resource, search, ..
        } in FEATURES
        {
            let answer = list(rendering, &admin, resource, "pageLimit=1&sort=id");
            let record = &answer.records()[0];
            for column in search {
                let word = match &rendering.attributes(record)[*column] {
                    Value::String(text) => {
                        text.split(' ').next().unwrap_or_default().to_uppercase()
                    }
                    Value::Null => rendering.id(record).to_string(),
                    other => panic!("{column}: {other}"),
                };
                let words = format!("search={}&pageLimit=100&sort=id", word.replace('&', "%26"));
                let found = list(rendering, &admin, resource, &words);
                let id = rendering.id(record);
                assert!(
                    rendering.ids(&found).contains(&id),
                    "{resource} {column} {word}"
                );
            }
            let none = format!("/api/{resource}?search=zzyzxqq");
            let found = rendering.get(&admin, &none);
            if search.is_empty() {
                assert_eq!(found.status, 400, "nothing of it is searched: {found}");
                assert!(found.body.contains("search"), "{found}");
            } else {
                assert_eq!(found.records().len(), 0, "{resource}: {found}");
            }
        }
    }
}

#[test]
fn words_of_a_search_may_be_in_two_columns() {
    let admin = shared().admin();
    // Other tests add orders meanwhile.
    let seeded = "sort=order_id&filter[order_id][lte]=60";
    for rendering in BOTH {
        let answer = list(rendering, &admin, "orders", "pageLimit=1&sort=order_id");
        let order = &answer.records()[0];
        let (id, attributes) = (rendering.id(order), rendering.attributes(order));
        let text = |name: &str| attributes[name].as_str().expect("text").to_uppercase();
        let (first, last) = (text("first_name"), text("last_name"));
        assert!(!first.contains(&last) && !last.contains(&first));
        let found = |words: &str| {
            let query = format!("search={words}&pageLimit=100&{seeded}");
            rendering.ids(&list(rendering, &admin, "orders", &query))
        };
        let all = found(&format!("{first}+{last}"));
        assert!(all.contains(&id), "{first} {last}: {all:?}");
        assert!(found(&format!("{last}+{first}+{id}")).contains(&id));
        assert!(found(&format!("{first}+zzyzxqq")).is_empty());
        // Pages by cursor hold the same rows.
        let query = format!("search={first}+{last}&{seeded}&page[size]=1&page[after]=");
        let (mut path, mut paged) = (format!("/api/orders?{query}"), Vec::new());
        while !path.is_empty() {
            let page = rendering.get(&admin, &path);
            paged.extend(rendering.ids(&page));
            let next = page.json["links"]["next"].as_str().map(str::to_owned);
            path = next.unwrap_or_default();
        }
        assert_eq!(paged, all);
    }
}

#[test]
fn every_include_of_the_reference_is_there() {
    let admin = shared().admin();
    for rendering in BOTH {
        for Feature {
            resource,
            to_one,
            to_many,
            ..
        } in FEATURES
        {
            for (name, many) in to_one
                .iter()
                .map(|name| (name, false))
                .chain(to_many.iter().map(|name| (name, true)))
            {
                let answer = list(
                    rendering,
                    &admin,
                    resource,
                    &format!("include={name}&pageLimit=50"),
                );
                for record in answer.records() {
                    let related = match rendering {
                        Rendering::Data => &record[*name],
                        Rendering::JsonApi => &record["relationships"][*name]["data"],
                    };
                    assert_eq!(related.is_array(), many, "{resource} {name}: {record}");
                    assert!(many || related.is_object() || related.is_null(), "{record}");
                }
            }
            let all: Vec<&str> = to_one.iter().chain(to_many).copied().collect();
            list(
                rendering,
                &admin,
                resource,
                &format!("include={}&pageLimit=2", all.join(",")),
            );
            let unknown = rendering.get(&admin, &format!("/api/{resource}?include=nothing"));
            assert_eq!(unknown.status, 400, "{resource}: {unknown}");
        }
        // Default includes are for plain clients: documents have the requested includes.
        let tail = match rendering {
            Rendering::Data => "",
            Rendering::JsonApi => ".menu_option_values",
        };
        let query = format!("include=menu_options{tail}&pageLimit=100");
        let values = list(rendering, &admin, "menus", &query);
        assert!(values.body.contains("option_value_id"), "{values}");
    }
}
