//! `after`, `before` and their like: dates beside other attributes, of the body or of the record.

use formwork::{prelude::*, testing::Service};

use super::{WAYS, check, desk, parse_cases};

/// Sends bodies, and compares the messages.
fn check_on(service: &Service, method: &str, cases: &str) {
    let way = WAYS.into_iter().find(|(name, _)| *name == method);
    for (members, expected) in parse_cases(cases) {
        check(service, way.expect("a method"), &members, &expected);
    }
}

#[test]
fn dates_of_a_body_are_compared() {
    let cases = r#"
{"starts": "2030-01-10", "ends": "2030-01-11"}
{"starts": "2030-01-10", "ends": "2030-01-10"}
    ends: The ends field must be a date after starts.
{"starts": "2030-01-10", "ends": "2030-01-09"}
    ends: The ends field must be a date after starts.
    starts: The starts field must be a date before or equal to ends.
{"starts": "2030-01-10"}
{"starts": "2030-01-10", "ends": null}
"#;
    check_on(&desk(), "POST", cases);
}

#[test]
fn a_date_is_compared_with_that_of_the_record_where_the_other_is_not_sent() {
    let cases = r#"
{"starts": "2030-01-10", "ends": "2030-01-20"}
{"ends": "2030-01-10"}
    ends: The ends field must be a date after starts.
{"starts": "2030-01-21"}
    starts: The starts field must be a date before or equal to ends.
{"starts": "2030-02-01", "ends": "2030-02-02"}
{"ends": "2030-02-03"}
"#;
    check_on(&desk(), "PATCH", cases);
}

#[test]
fn moments_of_one_item_are_compared_by_the_moment() {
    let cases = r#"
{"legs": [{"from": "2030-01-10T10:00:00Z", "to": "2030-01-10T11:00:00+01:00"}, {"from": "2030-01-10T10:00:00Z", "to": "2030-01-10T10:30:00+01:00"}]}
    legs.1.to: The legs.1.to field must be a date after or equal to legs.1.from.
"#;
    check_on(&desk(), "POST", cases);
}

#[test]
fn routes_of_ones_own_compare_too() {
    let service = desk();
    for (to, status) in [("09:31", 204), ("09:30:00", 422), ("08:00", 422)] {
        let body = json!({"from": "09:30", "to": to});
        let answer = service.guest().post("/api/plan", body);
        assert_eq!(answer.status, status, "{to} {answer}");
    }
}
