//! A column of each type that can be searched, and searches for what clients see of them.

use formwork::prelude::*;
use serde::Serialize;

use super::{encoded, keys, list_all, parts::resource, texts::shelf};

/// The table of [`Sample`].
pub const TABLE: &str = r#"CREATE TABLE "samples" (
    "sample_id" COUNTED_KEY,
    "word" TEXT,
    "large" INTEGER,
    "price" DECIMAL(18, 2),
    "share" DECIMAL(18, 18),
    "count" DECIMAL(18, 0),
    "is_hot" BOOLEAN,
    "day" DATE,
    "opens" TIME,
    "moment" DATETIME,
    "code" UUID
);"#;

model! {
    /// A value of each type.
    Sample "samples" {
        #[serde(rename = "id")] key sample_id: i64,
        column word: Option<String>,
        column large: Option<i64>,
        column price: Option<Decimal<2>>,
        column share: Option<Decimal<18>>,
        column count: Option<Decimal<0>>,
        column is_hot: Option<bool>,
        column day: Option<Date>,
        column opens: Option<Time>,
        column moment: Option<DateTime>,
        column code: Option<Uuid>,
    }
}

parts! {
    Sample []

    const SEARCH: &'static [&'static str] = &[
        "word", "large", "price", "share", "count", "is_hot", "day", "opens", "moment", "code",
    ];
    const SORT: &'static [&'static str] = &["opens"];
    const FILTER: &'static [&'static str] = &["opens", "moment"];
}

/// Serves samples.
struct Samples;

impl RestController for Samples {
    parts_of!(Sample);

    const MAX_PAGE_LIMIT: u32 = 50;
    const ACTIONS: &'static [Action] = &[Action::Index];
}

/// The resource.
pub fn samples_resource() -> ApiResource {
    resource("samples", Samples, actions!["index"])
}

fn moment(text: &str) -> Option<DateTime> {
    text.parse().ok()
}

fn samples() -> Vec<Sample> {
    let first = Sample {
        word: Some("Soup".to_owned()),
        large: Some(i64::MAX),
        price: "1234567890123456.78".parse().ok(),
        share: "0.123456789012345678".parse().ok(),
        count: "987654321987654321".parse().ok(),
        is_hot: Some(true),
        day: "2026-01-31".parse().ok(),
        // Clients send whole seconds, but a hook may set this.
        opens: Time::from_hms_milli_opt(23, 59, 59, 600),
        moment: moment("2026-01-31T12:00:00Z"),
        code: "67e55044-10b1-426f-9247-bb680e5fe0c8".parse().ok(),
        ..Sample::default()
    };
    let second = Sample {
        large: Some(-1),
        price: "-0.05".parse().ok(),
        share: "-0.000000000000000001".parse().ok(),
        count: "0".parse().ok(),
        is_hot: Some(false),
        day: "0999-12-31".parse().ok(),
        opens: Time::from_hms_opt(12, 30, 0),
        moment: moment("0999-12-31T23:59:59.500Z"),
        ..Sample::default()
    };
    let third = Sample {
        price: "0.50".parse().ok(),
        moment: moment("2026-01-31T12:00:00.123456Z"),
        ..Sample::default()
    };
    let fourth = Sample {
        moment: moment("2026-01-31T12:00:10.100020Z"),
        ..Sample::default()
    };
    vec![first, second, third, fourth, Sample::default()]
}

#[test]
fn searches_find_values_in_the_form_that_clients_see() {
    let service = shelf();
    for mut sample in samples() {
        let stored = service.block_on(sample.insert(&service.context()));
        stored.expect("stored");
    }
    let searches = "
        soup 9223372036854775807 -1 1234567890123456.78 -0.05 -0.0 0.50 0.500 0.123456789012345678
        -0.000000000000000001 987654321987654321 987654321987654321. true false als 31 2026-01-31
        0999-12-31 23:59:59 23:59:59.6 12:30:00 12:30:00.0 2026-01-31T12:00:00Z 2026-01-31t12:00:00
        12:00:00.0 59.500Z 59.500000Z .123456Z .100020Z +00 67e55044-10b1 67E55044";
    let found = list_all(&service, searches.split_whitespace(), |search| {
        format!("/api/samples?sort=id&search={}", encoded(search))
    });
    insta::assert_snapshot!(found);
    for (query, expected) in [
        ("sort=id&filter[opens]=12:30:00.5", &[2][..]),
        ("sort=id&filter[opens]=12:30", &[2]),
        ("sort=id&filter[opens][gt]=12:30:00.9", &[1]),
        ("sort=id&filter[opens]=23:59:59", &[1]),
        ("sort=id&filter[moment]=2026-01-31T13:00:00%2B01:00", &[1]),
        // A time that was rounded up would be the first of the next day.
        ("sort=-opens&pageLimit=2", &[1, 2]),
    ] {
        let list = service.guest().get(&format!("/api/samples?{query}"));
        assert_eq!(keys(&list), expected, "{query}");
    }
}
