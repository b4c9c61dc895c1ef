//! A column of each type that can be searched, and searches for what clients see of them.

use formwork::prelude::*;
use serde::Serialize;

use crate::{Request, compare, keys, services};

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

/// A value of each type.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sample {
    #[serde(rename = "id")]
    pub sample_id: i64,
    pub word: Option<String>,
    pub large: Option<i64>,
    pub price: Option<Decimal<2>>,
    pub share: Option<Decimal<18>>,
    pub count: Option<Decimal<0>>,
    pub is_hot: Option<bool>,
    pub day: Option<Date>,
    pub opens: Option<Time>,
    pub moment: Option<DateTime>,
    pub code: Option<Uuid>,
}

impl Model for Sample {
    type Key = i64;

    const TABLE: &'static str = "samples";
    const KEY: &'static str = "sample_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("sample_id", &mut self.sample_id)?;
        to.column("word", &mut self.word)?;
        to.column("large", &mut self.large)?;
        to.column("price", &mut self.price)?;
        to.column("share", &mut self.share)?;
        to.column("count", &mut self.count)?;
        to.column("is_hot", &mut self.is_hot)?;
        to.column("day", &mut self.day)?;
        to.column("opens", &mut self.opens)?;
        to.column("moment", &mut self.moment)?;
        to.column("code", &mut self.code)
    }
}

impl Repository for Sample {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &[
        "word", "large", "price", "share", "count", "is_hot", "day", "opens", "moment", "code",
    ];
    const SORT: &'static [&'static str] = &["opens"];
    const FILTER: &'static [&'static str] = &["opens", "moment"];
}

impl ResourceRequest for Sample {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[];
}

impl Transformer for Sample {
    type Model = Self;

    fn transform<'a>(sample: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        sample.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

/// Serves samples.
struct Samples;

impl RestController for Samples {
    type Model = Sample;
    type Repository = Sample;
    type Request = Sample;
    type Transformer = Sample;

    const ACTIONS: &'static [ActionConfig] = &[index().max_page_limit(50)];
}

/// The resource.
pub fn resource() -> ApiResource {
    ApiResource {
        key: "samples",
        name: "Samples",
        description: "Values of each type",
        controller: Box::new(Samples),
        actions: actions!["index"],
    }
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
        // A hook's; clients send whole seconds.
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

/// Words, and the rows that they find.
const SEARCHES: [(&str, &[i64]); 32] = [
    ("soup", &[1]),
    ("9223372036854775807", &[1]),
    ("-1", &[1, 2]),
    ("1234567890123456.78", &[1]),
    ("-0.05", &[2]),
    ("-0.0", &[2]),
    ("0.50", &[3]),
    ("0.500", &[]),
    ("0.123456789012345678", &[1]),
    ("-0.000000000000000001", &[2]),
    ("987654321987654321", &[1]),
    ("987654321987654321.", &[]),
    ("true", &[1]),
    ("false", &[2]),
    ("als", &[2]),
    ("31", &[1, 2, 3, 4]),
    ("2026-01-31", &[1, 3, 4]),
    ("0999-12-31", &[2]),
    ("23:59:59", &[1, 2]),
    ("23:59:59.6", &[]),
    ("12:30:00", &[2]),
    ("12:30:00.0", &[]),
    ("2026-01-31T12:00:00Z", &[1]),
    ("2026-01-31t12:00:00", &[1, 3]),
    ("12:00:00.0", &[]),
    ("59.500Z", &[2]),
    ("59.500000Z", &[]),
    (".123456Z", &[3]),
    (".100020Z", &[4]),
    ("+00", &[]),
    ("67e55044-10b1", &[1]),
    ("67E55044", &[1]),
];

#[test]
fn searches_find_values_in_the_form_that_clients_see() {
    let services = services();
    for (kind, service) in &services {
        for mut sample in samples() {
            let stored = service.block_on(sample.insert(&service.context()));
            stored.unwrap_or_else(|error| panic!("{kind}: {error}"));
        }
    }
    let searches = SEARCHES.iter();
    let searches: Vec<_> = searches.map(|(word, _)| search(word)).collect();
    let answers = compare(&services, &searches);
    for ((word, expected), answer) in SEARCHES.iter().zip(&answers) {
        assert_eq!(keys(answer), *expected, "{word}");
    }
    for (filter, expected) in [
        ("filter[opens]=12:30:00.5", &[2][..]),
        ("filter[opens]=12:30", &[2]),
        ("filter[opens][gt]=12:30:00.9", &[1]),
        ("filter[opens]=23:59:59", &[1]),
        ("filter[moment]=2026-01-31T13:00:00%2B01:00", &[1]),
    ] {
        let path = format!("/api/samples?sort=id&{filter}");
        let answers = compare(&services, &[Request::Get(path)]);
        assert_eq!(keys(&answers[0]), expected, "{filter}");
    }
    let sorted = compare(
        &services,
        &[Request::Get("/api/samples?sort=-opens".to_owned())],
    );
    assert_eq!(keys(&sorted[0])[..2], [1, 2], "no time became the next day");
}

fn search(word: &str) -> Request {
    let word = crate::encoded(word);
    Request::Get(format!("/api/samples?sort=id&search={word}"))
}
