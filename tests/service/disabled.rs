//! Disabled rows: `enabled=false` and `enabled=all` are for administrators, and no other parameter
//! lists them to others (docs/contract.md, "Query parameters"); by key and inside of other records they are
//! shown as every row (docs/guide/service.md).

use formwork_tests::client::{Answer, Client};
use formwork_tests::restaurant::shared;
use serde_json::{Value, json};

use crate::{
    payloads,
    rendering::{BOTH, Rendering},
};

/// Resources that show enabled rows by default, and the column that says so.
const SWITCHED: [(&str, &str); 2] = [("categories", "status"), ("menus", "menu_status")];

/// A row that is switched off; its key.
fn switched_off(resource: &str, column: &str) -> i64 {
    let mut body = payloads::store(resource, 0);
    body[column] = json!(false);
    let answer = shared().admin().post(&format!("/api/{resource}"), &body);
    assert_eq!(answer.status, 201, "{resource}: {answer}");
    Rendering::Data.id(&answer.json["data"])
}

/// Queries that lead round the default, if anything does.
fn ways(column: &str, row: i64) -> Vec<String> {
    let mut ways: Vec<String> = ["", "enabled=true", "enabled=1", "filter[enabled]=true"]
        .map(str::to_owned)
        .to_vec();
    for filter in [
        format!("filter[{column}]=false"),
        format!("filter[{column}][in]=0,1"),
        format!("filter[{column}][null]=true"),
        format!("filter[id]={row}"),
        format!("filter[id][gte]={row}"),
        "page[after]=".to_owned(),
        "sort=-id".to_owned(),
    ] {
        ways.push(filter);
    }
    ways
}

/// Rows that are switched on only, in what is listed and in what is counted.
fn check_enabled(rendering: Rendering, list: &Answer, column: &str, row: i64, asked: &str) {
    assert_eq!(list.status, 200, "{asked}: {list}");
    assert!(!rendering.ids(list).contains(&row), "{asked}: {list}");
    for record in list.records() {
        let shown = &rendering.attributes(record)[column];
        assert_eq!(*shown, true, "{asked}: {record}");
    }
    let only_it = asked.contains(&format!("filter[id]={row}")) || asked.contains(column);
    let total = list.json["meta"]["pagination"]["total"].as_i64();
    if only_it && !asked.contains("[in]") && total.is_some() {
        assert_eq!(total, Some(0), "{asked}: {list}");
    }
}

#[test]
fn only_administrators_list_disabled_records() {
    let restaurant = shared();
    for (resource, column) in SWITCHED {
        let row = switched_off(resource, column);
        let strangers: [Client; 2] = [restaurant.guest(), restaurant.alice()];
        for rendering in BOTH {
            for client in &strangers {
                for way in ways(column, row) {
                    let path = format!("/api/{resource}?{way}");
                    let list = rendering.get(client, &path);
                    check_enabled(rendering, &list, column, row, &path);
                }
                for wish in ["false", "all", "0", "%20all", "%20false%20"] {
                    for name in ["enabled", "filter[enabled]"] {
                        let path = format!("/api/{resource}?{name}={wish}");
                        let refused = rendering.get(client, &path);
                        assert_eq!(refused.status, 400, "{path}: {refused}");
                        assert!(refused.body.contains("`enabled") || refused.body.contains(name));
                        let head = client.send("HEAD", &path, &[], None);
                        assert_eq!(head.status, 400, "{path}");
                    }
                }
            }
            let admin = restaurant.admin();
            let found = |wish: &str| {
                let path = format!("/api/{resource}?enabled={wish}&filter[id]={row}");
                rendering.ids(&rendering.get(&admin, &path))
            };
            assert_eq!(found("false"), [row], "{resource}");
            assert_eq!(found("all"), [row], "{resource}");
            assert_eq!(found("true"), [0; 0], "{resource}");
            assert_eq!(
                rendering.ids(&rendering.get(&admin, &format!("/api/{resource}?filter[id]={row}"))),
                [0; 0],
                "the default is an administrator's too"
            );
        }
    }
}

/// Whoever names a record, or what it belongs to, sees it: the rules of show and of includes hold.
#[test]
fn disabled_records_are_shown_by_id_and_in_includes() {
    let restaurant = shared();
    let dish = switched_off("menus", "menu_status");
    let link = json!({ "categories": [1] });
    let path = format!("/api/menus/{dish}");
    assert_eq!(restaurant.admin().patch(&path, &link).status, 200);
    for rendering in BOTH {
        let shown = rendering.get(&restaurant.guest(), &path);
        assert_eq!(shown.status, 200, "{shown}");
        let category = rendering.get(&restaurant.guest(), "/api/categories/1?include=menus");
        let inside = rendering.included(&category, "menus");
        assert!(inside.iter().any(|menu| menu["id"] == dish), "{category}");
    }
}

/// Without a `default:` in the manifest no rows are hidden, and every caller may use the filter.
#[test]
fn the_enabled_filter_without_a_default_is_open_to_everyone() {
    let guest = shared().guest();
    let closed = switched_off("locations", "location_status");
    for rendering in BOTH {
        let list = |query: &str| {
            let answer = rendering.get(&guest, &format!("/api/locations?pageLimit=100{query}"));
            assert_eq!(answer.status, 200, "{answer}");
            answer
        };
        let is = |answer: &Answer, on: bool| {
            let status = |record: &Value| rendering.attributes(record)["location_status"].clone();
            answer.records().iter().all(|record| status(record) == on)
        };
        let (on, off) = (
            list("&enabled=true"),
            list("&enabled=false&sort=-location_id"),
        );
        assert!(is(&on, true) && is(&off, false), "{on} {off}");
        assert!(rendering.ids(&off).contains(&closed), "{off}");
        assert!(rendering.ids(&list("&sort=-location_id")).contains(&closed));
        let one = list("&enabled=all&filter[id]=1");
        assert_eq!(rendering.ids(&one), [1], "{one}");
    }
}
