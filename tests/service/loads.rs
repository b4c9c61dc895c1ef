//! What no field shows is not loaded (docs/contract.md, "Limits and running"): statements are counted in the
//! service's log.

use formwork_tests::restaurant::shared;
use serde_json::Value;

/// How many statements the answer took.
fn statements(query: &str) -> u64 {
    let restaurant = shared();
    let from = restaurant.log().len();
    let answer = restaurant.admin().get(&format!("/api/orders?{query}"));
    assert_eq!(answer.status, 200, "{answer}");
    let id = answer.header("x-request-id").expect("an id").to_owned();
    let line = restaurant.logged(from, |line| {
        line.contains(&id) && line.contains("duration_ms")
    });
    let line: Value = serde_json::from_str(&line).expect("a line");
    let count = line["statements"].as_u64();
    count.unwrap_or_else(|| panic!("no count: {line}"))
}

#[test]
fn relations_without_a_shown_field_are_not_loaded() {
    // The token's last use is written down once a minute, beside the request.
    statements("fields[orders]=id");
    let bare = statements("fields[orders]=id");
    assert_eq!(bare, 2, "the token, and the page");
    assert_eq!(statements("fields[orders]=first_name,order_total"), bare);
    for (fields, relations) in [
        ("status_name", 1),
        ("order_totals", 1),
        ("order_menus", 2),
        ("status_name,currency", 2),
        ("order_menus,order_totals,formatted_address", 4),
    ] {
        let count = statements(&format!("fields[orders]={fields}"));
        assert_eq!(count, bare + relations, "{fields}");
    }
    let all = statements("pageLimit=20");
    assert_eq!(
        all,
        bare + 6,
        "address, status, currency, items, options, bill"
    );
}
