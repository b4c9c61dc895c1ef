//! The named filters of the reference, for each resource that has them and in both renderings
//! (http.md "Query parameters").

use formwork_tests::restaurant::shared;
use serde_json::Value;

use crate::{
    features::list,
    rendering::{BOTH, Rendering},
};

/// Where a named filter leads: the attribute it looks at, and the values it lets through.
const NAMED: [(&str, &str, &str, &[i64]); 15] = [
    ("categories", "enabled=true", "status", &[1]),
    ("categories", "enabled=false", "status", &[0]),
    ("coupons", "enabled=1", "status", &[1]),
    ("menus", "enabled=true", "menu_status", &[1]),
    ("locations", "enabled=true", "location_status", &[1]),
    ("orders", "customer=1", "customer_id", &[1]),
    ("orders", "location=2", "location_id", &[2]),
    ("orders", "status=1,5", "status_id", &[1, 5]),
    ("reservations", "customer=2", "customer_id", &[2]),
    ("reservations", "location=1,2", "location_id", &[1, 2]),
    ("reservations", "status=6", "status_id", &[6]),
    ("reviews", "location=1", "location_id", &[1]),
    ("reviews", "customer=1", "customer_id", &[1]),
    ("orders", "filter[customer]=2", "customer_id", &[2]),
    ("reviews", "filter[location]=2", "location_id", &[2]),
];

#[test]
fn named_filters_let_through_what_they_name() {
    let admin = shared().admin();
    for rendering in BOTH {
        for (resource, query, attribute, values) in NAMED {
            let answer = list(
                rendering,
                &admin,
                resource,
                &format!("{query}&pageLimit=100"),
            );
            let fits = |record: &Value| match &rendering.attributes(record)[attribute] {
                Value::Bool(is) => values.contains(&i64::from(*is)),
                Value::Number(number) => values.contains(&number.as_i64().unwrap_or_default()),
                _ => false,
            };
            let records = answer.records();
            assert!(records.iter().all(fits), "{resource}?{query}: {answer}");
            if query != "enabled=false" {
                assert!(!records.is_empty(), "{resource}?{query}");
            }
        }
        for (resource, wrong, parameter) in [
            ("categories", "enabled=maybe", "enabled"),
            ("categories", "location=x", "location"),
            ("coupons", "location=1", "location"),
            ("customers", "enabled=true", "enabled"),
            ("locations", "position[latitude]=x", "position[latitude]"),
            ("menus", "category[x]=1", "category[x]"),
            ("menus", "orderType=delivery&orderType[x]=1", "orderType[x]"),
            ("menus", "location=1&location[x]=1", "location[x]"),
            ("categories", "location[x]=1", "location[x]"),
            ("menus", "location=1,x", "location"),
            ("orders", "customer=x", "customer"),
            ("orders", "status=1,,x", "status"),
            (
                "orders",
                "dateTimeFilter[startAt]=x",
                "dateTimeFilter[startAt]",
            ),
            ("reservations", "location=x", "location"),
            (
                "reservations",
                "dateTimeFilter[from]=2026-01-01",
                "dateTimeFilter[from]",
            ),
            ("reviews", "enabled=true", "enabled"),
            ("reviews", "customer=1x", "customer"),
        ] {
            let refused = rendering.get(&admin, &format!("/api/{resource}?{wrong}"));
            assert_eq!(refused.status, 400, "{resource}?{wrong}: {refused}");
            let named = match rendering {
                Rendering::Data => refused.body.contains(parameter),
                Rendering::JsonApi => refused.json["errors"][0]["source"]["parameter"] == parameter,
            };
            assert!(named, "{resource}?{wrong}: {refused}");
        }
    }
}

#[test]
fn filters_that_look_at_more_than_a_column_do_what_they_say() {
    let admin = shared().admin();
    for rendering in BOTH {
        // Of the seed's rows: other tests add rows meanwhile.
        let ids = |resource: &str, query: &str| {
            let query = format!("{query}&filter[id][lte]=50&pageLimit=100&sort=id");
            rendering.ids(&list(rendering, &admin, resource, &query))
        };
        let category = list(
            rendering,
            &admin,
            "categories",
            "pageLimit=1&sort=id&include=menus",
        );
        let shown = &category.records()[0];
        let slug = rendering.attributes(shown)["permalink_slug"]
            .as_str()
            .expect("a slug");
        let by_id = ids("menus", &format!("category={}", rendering.id(shown)));
        assert!(!by_id.is_empty());
        assert_eq!(by_id, ids("menus", &format!("category={slug}")));
        assert_eq!(ids("menus", "category=no-such-slug"), [0; 0]);
        for kind in ["delivery", "collection"] {
            let answer = list(
                rendering,
                &admin,
                "menus",
                &format!("orderType={kind}&pageLimit=100"),
            );
            for record in answer.records() {
                let restriction = &rendering.attributes(record)["order_restriction"];
                let words = restriction.as_array();
                assert!(
                    words.is_none_or(|words| words.contains(&kind.into())),
                    "{record}"
                );
            }
        }
        for resource in ["menus", "categories"] {
            let all = ids(resource, "enabled=true");
            let here = ids(resource, "location=1");
            assert!(
                !here.is_empty() && here.iter().all(|id| all.contains(id)),
                "{resource}"
            );
            assert_eq!(ids(resource, "location=1,2").len(), all.len(), "{resource}");
        }
        for (resource, day) in [("orders", "order_date"), ("reservations", "reserve_date")] {
            let first = list(rendering, &admin, resource, "pageLimit=1&sort=id");
            let day = rendering.attributes(&first.records()[0])[day]
                .as_str()
                .expect("a day");
            let of_day = format!("dateTimeFilter[startAt]={day}&dateTimeFilter[endAt]={day}");
            let found = ids(resource, &of_day);
            assert!(
                found.contains(&rendering.id(&first.records()[0])),
                "{resource} {day}"
            );
            assert_eq!(
                ids(resource, "dateTimeFilter[endAt]=2001-01-01"),
                [0; 0],
                "{resource}"
            );
        }
    }
}
