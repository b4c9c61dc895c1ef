//! Words about one value.

use formwork::prelude::*;

use super::{WAYS, check, desk};

/// The attribute, which is called by its rule; the message after the attribute's name; values that
/// keep the rule; values that break it.
const RULES: &str = r#"
string | must be a string. | ["x", "5"] | [5, true, [], {}]
integer | must be an integer. | [5, "5", 5.0, -5, "+5", 9223372036854775807, "9223372036854775807"] | [5.5, "5.5", "x", true, [], {}, 1e300, "9223372036854775808", "5 5", "٥"]
numeric | must be a number. | [5, 5.5, "5.5", ".5", "5.", "-1e5", 1e300, "1E-300"] | ["x", true, [], "1_000", "1,5", "0x1A", "NaN", "inf", "1e", "5 5"]
decimal | must be a number with at most 4 digits before and 2 after the decimal point. | ["9999.99", 1.5, "1.500", -9999.99, "1e3", 0] | ["10000", 0.001, "1.005", "x", true, 1e300, [], "1e-30"]
boolean | must be true or false. | [true, false, 1, 0, "1", "0"] | ["true", "yes", 2, 0.5, [], {}, -1]
array | must be an array. | [[], [1], {}, {"a": 1}] | ["x", 5, true, "[]"]
date | must be a valid date. | ["2026-02-28", "2024-02-29", "0001-01-01"] | ["2026-02-29", "28.02.2026", "2026-2-8", 20260228, [], "2026-02-28T00:00:00Z"]
time | must be a valid time. | ["09:30", "23:59:59"] | ["9:30", "24:00", "09:60", 930, [], "09:30:61", "09:30Z"]
datetime | must be a valid date and time. | ["2026-01-31T10:00:00Z", "2026-01-31 10:00:00", "2026-01-31T10:00:00.5+02:00"] | ["2026-01-31", "noon", 1767225600, [], "2026-13-01T00:00:00Z"]
uuid | must be a valid UUID. | ["67e55044-10b1-426f-9247-bb680e5fe0c8", "67E55044-10B1-426F-9247-BB680E5FE0C8"] | ["67e5504410b1426f9247bb680e5fe0c8", "{67e55044-10b1-426f-9247-bb680e5fe0c8}", 5, [], "67e55044"]
email | must be a valid email address. | ["a@example.com", "first.last+tag@example.co.uk", "x@localhost", "ü@müller.de", "o'neil@example.com"] | ["a", "a@", "@b.c", "a b@c.d", "a@b..c", "a@b-.c", "a@-b.c", "a@b@c d", ".a@b.c", 5, []]
url | must be a valid URL. | ["https://example.com/a?b=c#d", "http://localhost:8000", "https://münchen.de/straße?q=ü#ä"] | ["example.com", "javascript:alert(1)", "ftp://a.b", "https://", "https://a b", "https://a\u00a0b.de", "https:example.com", "https:///a", "https://a.de/ b", 5]
date_format | must match the format d/m/Y,Y-m-d\TH:i. | ["31/01/2026", "2026-01-31T10:00"] | ["1/1/2026", "31/02/2026", "2026-01-31", 5, [], "31/01/26"]
alpha | must only contain letters. | ["abc", "Käse", "e\u0301tude", "日本"] | ["a b", "a1", "a-b", 5, [], "a\u200bb"]
alpha_dash | must only contain letters, numbers, dashes, and underscores. | ["a-b_2", "Käse", "2", 12] | ["a b", "a/b", "a.b", [], {}, true]
regex | format is invalid. | ["a, c", "ab, c", "bb, c"] | ["c", "abb, c", "a,c", "x, a, c"]
after | must be a date after 2026-01-31. | ["2026-02-01", "2026-01-31T00:00:01Z", "2026-01-31T23:30:00-01:00"] | ["2026-01-31", "2025-12-31", "2026-01-31T00:30:00+01:00", "x", 5]
after_or_equal | must be a date after or equal to today. | ["2999-01-01", "2999-01-01 09:30:00"] | ["2000-01-01", "2000-01-01T23:59:59Z"]
before | must be a date before now. | ["2000-01-01", "2000-01-01T00:00:00Z"] | ["2999-01-01", "2999-01-01T00:00:00Z"]
before_or_equal | must be a date before or equal to 2026-01-31. | ["2026-01-31", "2026-01-31T00:00:00Z", "2026-01-30"] | ["2026-02-01", "2026-01-31T00:00:01Z"]
min_text | must be at least 3 characters. | ["abc", "äöü"] | ["ab", "a"]
min_number | must be at least 0.5. | [0.5, "0.5", 1e300] | [0.4, "0.49", -1]
min_list | must have at least 2 items. | [[1, 2], {"a": 1, "b": 2}] | [[1], []]
max_text | must not be greater than 3 characters. | ["abc", "äöü", "5"] | ["abcd", "äöüß"]
max_number | must not be greater than 3. | [3, "3", -9] | [4, "4"]
max_list | must not have more than 2 items. | [[], [1, 2]] | [[1, 2, 3]]
between_text | must be between 2 and 4 characters. | ["ab", "abcd"] | ["a", "abcde"]
between_number | must be between 0.5 and 1.5. | [0.5, "1.50"] | [0.49, "1.51"]
between_list | must have between 1 and 2 items. | [[1], [1, 2]] | [[], [1, 2, 3]]
size_text | must be 3 characters. | ["abc", "äöü"] | ["ab", "abcd"]
size_number | must be 1.5. | [1.5, "1.50"] | [1, "1.49"]
size_list | must contain 2 items. | [[1, 2]] | [[1], [1, 2, 3]]
in | selected | ["a,b", "say \"x\""] | ["f", "a", "b", ""]
in_numbers | selected | [5, "5.0000", 10.0, "1e1"] | [6, "5.0001"]
in_list | selected | [[], ["mon"], ["tue", "mon"]] | [["sun"], ["mon", 1]]
not_in | selected | ["Root", "2", ""] | ["root", "1"]
exists | selected | ["kept", ""] | ["Kept", "lost"]
exists_list | selected | [[], [1], ["1", 1]] | [[1, 99], ["x"], [null]]
"#;

/// A rule with its values.
struct Row {
    attribute: &'static str,
    message: String,
    good: Vec<Json>,
    bad: Vec<Json>,
}

fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let [attribute, message, good, bad] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let label = attribute.replace('_', " ");
        let message = match message {
            "selected" => format!("{attribute}: The selected {label} is invalid."),
            message => format!("{attribute}: The {label} field {message}"),
        };
        let list = |values: &str| serde_json::from_str(values).expect(line);
        let (good, bad) = (list(good), list(bad));
        Row {
            attribute,
            message,
            good,
            bad,
        }
    };
    RULES.trim().lines().map(row).collect()
}

/// Sends the values that `values` returns with few requests: one of each rule at a time, as the rules
/// do not depend on each other.
fn check_values(values: impl Fn(&Row) -> &[Json], are_valid: bool) {
    let (service, rows) = (desk(), rows());
    let most = rows.iter().map(|row| values(row).len()).max();
    for index in 0..most.unwrap_or_default() {
        let (mut members, mut expected) = (json!({}), Vec::new());
        for row in &rows {
            if let Some(value) = values(row).get(index) {
                members[row.attribute] = value.clone();
                expected.extend((!are_valid).then_some(&row.message));
            }
        }
        expected.sort();
        for way in WAYS {
            check(&service, way, &members, &expected);
        }
    }
}

#[test]
fn values_that_keep_a_rule_are_taken() {
    check_values(|row| &row.good, true);
}

/// All broken rules are reported at once.
#[test]
fn values_that_break_a_rule_are_named() {
    check_values(|row| &row.bad, false);
}

/// Null is the default of an attribute (docs/contract.md, "Values"), and an empty text means no
/// value.
#[test]
fn null_and_empty_texts_break_rules_of_types_only() {
    let service = desk();
    let valid: &[&str] = &[];
    let texts = "string email url min_text between_text size_text regex";
    for way in WAYS {
        for row in rows() {
            check(&service, way, &json!({row.attribute: null}), valid);
        }
        for attribute in texts.split(' ') {
            check(&service, way, &json!({attribute: ""}), valid);
        }
        check(&service, way, &json!({"nullable": "  "}), valid);
        let integer = ["integer: The integer field must be an integer."];
        check(&service, way, &json!({"integer": ""}), &integer);
    }
}
