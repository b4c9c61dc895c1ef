//! The table: each rule word, values that keep it, values that break it.

use formwork::prelude::*;

use super::words::Row;

fn row(attribute: &'static str, said: &'static str, good: Json, bad: Json) -> Row {
    let list = |values: Json| values.as_array().cloned().unwrap_or_default();
    Row {
        attribute,
        said,
        good: list(good),
        bad: list(bad),
    }
}

/// Every word about one value.
pub fn rows() -> Vec<Row> {
    let mut rows = types();
    rows.extend(texts());
    rows.extend(dates());
    rows.extend(sizes());
    rows.extend(words());
    rows
}

fn types() -> Vec<Row> {
    let uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    vec![
        row(
            "string",
            "must be a string.",
            json!(["x", "5"]),
            json!([5, true, [], {}]),
        ),
        row(
            "integer",
            "must be an integer.",
            json!([5, "5", 5.0, -5, "+5", i64::MAX, "9223372036854775807"]),
            json!([
                5.5,
                "5.5",
                "x",
                true,
                [],
                {},
                1e300,
                "9223372036854775808",
                "5 5",
                "٥"
            ]),
        ),
        row(
            "numeric",
            "must be a number.",
            json!([5, 5.5, "5.5", ".5", "5.", "-1e5", 1e300, "1E-300"]),
            json!([
                "x",
                true,
                [],
                "1_000",
                "1,5",
                "0x1A",
                "NaN",
                "inf",
                "1e",
                "5 5"
            ]),
        ),
        row(
            "decimal",
            "must be a number with at most 4 digits before and 2 after the decimal point.",
            json!(["9999.99", 1.5, "1.500", -9999.99, "1e3", 0]),
            json!(["10000", 0.001, "1.005", "x", true, 1e300, [], "1e-30"]),
        ),
        row(
            "boolean",
            "must be true or false.",
            json!([true, false, 1, 0, "1", "0"]),
            json!(["true", "yes", 2, 0.5, [], {}, -1]),
        ),
        row(
            "array",
            "must be an array.",
            json!([[], [1], {}, {"a": 1}]),
            json!(["x", 5, true, "[]"]),
        ),
        row(
            "date",
            "must be a valid date.",
            json!(["2026-02-28", "2024-02-29", "0001-01-01"]),
            json!([
                "2026-02-29",
                "28.02.2026",
                "2026-2-8",
                20260228,
                [],
                "2026-02-28T00:00:00Z"
            ]),
        ),
        row(
            "time",
            "must be a valid time.",
            json!(["09:30", "23:59:59"]),
            json!(["9:30", "24:00", "09:60", 930, [], "09:30:61", "09:30Z"]),
        ),
        row(
            "datetime",
            "must be a valid date and time.",
            json!([
                "2026-01-31T10:00:00Z",
                "2026-01-31 10:00:00",
                "2026-01-31T10:00:00.5+02:00"
            ]),
            json!(["2026-01-31", "noon", 1767225600, [], "2026-13-01T00:00:00Z"]),
        ),
        row(
            "uuid",
            "must be a valid UUID.",
            json!([uuid, uuid.to_uppercase()]),
            json!([
                uuid.replace('-', ""),
                format!("{{{uuid}}}"),
                5,
                [],
                "67e55044"
            ]),
        ),
    ]
}

fn texts() -> Vec<Row> {
    vec![
        row(
            "email",
            "must be a valid email address.",
            json!([
                "a@example.com",
                "first.last+tag@example.co.uk",
                "x@localhost",
                "ü@müller.de",
                "o'neil@example.com"
            ]),
            json!([
                "a",
                "a@",
                "@b.c",
                "a b@c.d",
                "a@b..c",
                "a@b-.c",
                "a@-b.c",
                "a@b@c d",
                ".a@b.c",
                5,
                []
            ]),
        ),
        row(
            "url",
            "must be a valid URL.",
            json!([
                "https://example.com/a?b=c#d",
                "http://localhost:8000",
                "https://münchen.de/straße?q=ü#ä"
            ]),
            json!([
                "example.com",
                "javascript:alert(1)",
                "ftp://a.b",
                "https://",
                "https://a b",
                "https://a\u{a0}b.de",
                "https:example.com",
                "https:///a",
                "https://a.de/ b",
                5
            ]),
        ),
        row(
            "date_format",
            "must match the format d/m/Y,Y-m-d\\TH:i.",
            json!(["31/01/2026", "2026-01-31T10:00"]),
            json!(["1/1/2026", "31/02/2026", "2026-01-31", 5, [], "31/01/26"]),
        ),
        row(
            "alpha",
            "must only contain letters.",
            json!(["abc", "Käse", "e\u{301}tude", "日本"]),
            json!(["a b", "a1", "a-b", 5, [], "a\u{200b}b"]),
        ),
        row(
            "alpha_dash",
            "must only contain letters, numbers, dashes, and underscores.",
            json!(["a-b_2", "Käse", "2", 12]),
            json!(["a b", "a/b", "a.b", [], {}, true]),
        ),
        row(
            "regex",
            "format is invalid.",
            json!(["a, c", "ab, c", "bb, c"]),
            json!(["c", "abb, c", "a,c", "x, a, c"]),
        ),
    ]
}

fn dates() -> Vec<Row> {
    vec![
        row(
            "after",
            "must be a date after 2026-01-31.",
            json!([
                "2026-02-01",
                "2026-01-31T00:00:01Z",
                "2026-01-31T23:30:00-01:00"
            ]),
            json!([
                "2026-01-31",
                "2025-12-31",
                "2026-01-31T00:30:00+01:00",
                "x",
                5
            ]),
        ),
        row(
            "after_or_equal",
            "must be a date after or equal to today.",
            json!(["2999-01-01", "2999-01-01 09:30:00"]),
            json!(["2000-01-01", "2000-01-01T23:59:59Z"]),
        ),
        row(
            "before",
            "must be a date before now.",
            json!(["2000-01-01", "2000-01-01T00:00:00Z"]),
            json!(["2999-01-01", "2999-01-01T00:00:00Z"]),
        ),
        row(
            "before_or_equal",
            "must be a date before or equal to 2026-01-31.",
            json!(["2026-01-31", "2026-01-31T00:00:00Z", "2026-01-30"]),
            json!(["2026-02-01", "2026-01-31T00:00:01Z"]),
        ),
    ]
}

fn sizes() -> Vec<Row> {
    vec![
        row(
            "min_text",
            "must be at least 3 characters.",
            json!(["abc", "äöü"]),
            json!(["ab", "a"]),
        ),
        row(
            "min_number",
            "must be at least 0.5.",
            json!([0.5, "0.5", 1e300]),
            json!([0.4, "0.49", -1]),
        ),
        row(
            "min_list",
            "must have at least 2 items.",
            json!([[1, 2], {"a": 1, "b": 2}]),
            json!([[1], []]),
        ),
        row(
            "max_text",
            "must not be greater than 3 characters.",
            json!(["abc", "äöü", "5"]),
            json!(["abcd", "äöüß"]),
        ),
        row(
            "max_number",
            "must not be greater than 3.",
            json!([3, "3", -9]),
            json!([4, "4"]),
        ),
        row(
            "max_list",
            "must not have more than 2 items.",
            json!([[], [1, 2]]),
            json!([[1, 2, 3]]),
        ),
        row(
            "between_text",
            "must be between 2 and 4 characters.",
            json!(["ab", "abcd"]),
            json!(["a", "abcde"]),
        ),
        row(
            "between_number",
            "must be between 0.5 and 1.5.",
            json!([0.5, "1.50"]),
            json!([0.49, "1.51"]),
        ),
        row(
            "between_list",
            "must have between 1 and 2 items.",
            json!([[1], [1, 2]]),
            json!([[], [1, 2, 3]]),
        ),
        row(
            "size_text",
            "must be 3 characters.",
            json!(["abc", "äöü"]),
            json!(["ab", "abcd"]),
        ),
        row(
            "size_number",
            "must be 1.5.",
            json!([1.5, "1.50"]),
            json!([1, "1.49"]),
        ),
        row(
            "size_list",
            "must contain 2 items.",
            json!([[1, 2]]),
            json!([[1], [1, 2, 3]]),
        ),
    ]
}

fn words() -> Vec<Row> {
    vec![
        row(
            "in",
            "selected",
            json!(["a,b", "say \"x\""]),
            json!(["f", "a", "b", ""]),
        ),
        row(
            "in_numbers",
            "selected",
            json!([5, "5.0000", 10.0, "1e1"]),
            json!([6, "5.0001"]),
        ),
        row(
            "in_list",
            "selected",
            json!([[], ["mon"], ["tue", "mon"]]),
            json!([["sun"], ["mon", 1]]),
        ),
        row(
            "not_in",
            "selected",
            json!(["Root", "2", ""]),
            json!(["root", "1"]),
        ),
        row(
            "exists",
            "selected",
            json!(["kept", ""]),
            json!(["Kept", "lost"]),
        ),
        row(
            "exists_list",
            "selected",
            json!([[], [1], ["1", 1]]),
            json!([[1, 99], ["x"], [null]]),
        ),
    ]
}
