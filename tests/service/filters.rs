//! The named filters of the reference, for each resource that has them and in both renderings
//! (docs/contract.md, "Query parameters").

use std::collections::BTreeMap;

use formwork_tests::restaurant::shared;
use serde_json::Value;

use crate::{
    features::{FEATURES, Feature, list},
    rendering::{BOTH, Rendering},
};

/// Where a named filter leads: the attribute it looks at, and the values it lets through.
#[rustfmt::skip] // a row each line
const NAMED: [(&str, &str, &str, &[i64]); 20] = [
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
    ("orders", "location[]=1&location[]=2", "location_id", &[1, 2]),
    ("orders", "location[]=2", "location_id", &[2]),
    ("orders", "status[0]=1&status[1]=5", "status_id", &[1, 5]),
    ("orders", "filter[status][]=1&filter[status][]=5", "status_id", &[1, 5]),
    ("reservations", "status%5B%5D=6", "status_id", &[6]),
];

#[test]
fn named_filters_list_the_matching_rows_only() {
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
        #[rustfmt::skip] // a row each line
        let wrong_queries = [
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
            ("orders", "dateTimeFilter[startAt]=x", "dateTimeFilter[startAt]"),
            ("reservations", "location=x", "location"),
            ("reservations", "dateTimeFilter[from]=2026-01-01", "dateTimeFilter[from]"),
            ("menus", "category=", "category"),
            ("menus", "orderType=", "orderType"),
            ("menus", "category[]=1&category[]=2", "category[]"),
            ("menus", "category[0]=1&category[1]=2", "category[0]"),
            ("menus", "orderType[]=collection&orderType[]=delivery", "orderType[]"),
            ("menus", "location=1,,2", "location"),
            ("menus", "location[]=1&location[]=", "location[]"),
            ("menus", "enabled=", "enabled"),
            ("orders", "status=1,,2", "status"),
            ("orders", "include=customer,,status", "include"),
            ("reviews", "enabled=true", "enabled"),
            ("reviews", "customer=1x", "customer"),
        ];
        for (resource, wrong, parameter) in wrong_queries {
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
fn filters_on_more_than_one_column_list_the_matching_rows() {
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
            for both in ["location=1,2", "location[]=1&location[]=2"] {
                assert_eq!(ids(resource, both).len(), all.len(), "{resource}");
            }
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

/// What is computed, and no column.
const COMPUTED: [&str; 6] = [
    "stock_qty",
    "order_date_time",
    "reservation_datetime",
    "reservation_end_datetime",
    "reserve_datetime",
    "reviews_count",
];

/// "In the restaurant: the key, every sort column, every foreign key, number, boolean and date that is
/// not hidden": each is a filter that finds the record its value is of.
#[test]
fn every_number_boolean_and_date_is_a_filter() {
    let admin = shared().admin();
    for Feature {
        resource, sorts, ..
    } in &FEATURES
    {
        let all = list(Rendering::Data, &admin, resource, "pageLimit=100&sort=id");
        let mut asked: BTreeMap<&str, (String, i64)> = BTreeMap::new();
        for record in all.records() {
            for (name, value) in record.as_object().expect("a record") {
                if let Some(text) = filterable(value, sorts.contains(&name.as_str())) {
                    asked
                        .entry(name)
                        .or_insert((text, Rendering::Data.id(record)));
                }
            }
        }
        assert!(asked.len() >= 4, "{resource}: {asked:?}");
        asked.retain(|name, _| !COMPUTED.contains(name));
        for (name, (value, id)) in asked {
            // Of several with one value, the row is among those of its key.
            let narrow = if name == "id" { "" } else { "&filter[id]=ID" };
            let narrow = narrow.replace("ID", &id.to_string());
            for rendering in BOTH {
                let name = match (name, rendering) {
                    ("type", Rendering::JsonApi) => "coupon_type",
                    (name, _) => name,
                };
                let query = format!("filter[{name}]={value}{narrow}");
                let found = list(rendering, &admin, resource, &query);
                assert_eq!(rendering.ids(&found), [id], "{resource}?{query}: {found}");
            }
        }
        for key in sorts.iter().filter(|sort| sort.ends_with("_id")) {
            list(
                Rendering::Data,
                &admin,
                resource,
                &format!("filter[{key}]=1"),
            );
        }
    }
}

/// A number, a boolean, a date or a moment as a filter writes it; a text where it is sorted by.
fn filterable(value: &Value, sorted: bool) -> Option<String> {
    let is_day = |text: &str| {
        let day = text.get(..10).unwrap_or_default().as_bytes();
        day.len() == 10 && day[4] == b'-' && day[7] == b'-'
    };
    let is_number = |text: &str| text.contains('.') && text.parse::<f64>().is_ok();
    match value {
        Value::Bool(is) => Some(is.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) if sorted || is_day(text) || is_number(text) => {
            Some(text.replace(' ', "%20").replace('&', "%26"))
        }
        _ => None,
    }
}
