//! Tables of other programs: columns that the database sets, its own types, its checks.

use formwork_data::{
    column::Columns,
    error::{Error, Result},
    model::{Model, change},
    query::Query,
    record::ModelExt,
    value::Json,
};
use serde_json::json;

use crate::{House, of, on_each};

formwork_data::text_enum! {
    /// How a guest feels.
    pub enum Mood {
        Calm = "calm",
        Loud = "loud",
    }
}

#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
struct Guest {
    id: i64,
    name: String,
    mood: Mood,
    number: Option<i64>,
    twice: Option<i64>,
    words: Json,
}

impl Model for Guest {
    type Key = i64;

    const TABLE: &'static str = "guests";
    const KEY: &'static str = "id";
    const DEFAULTED: &'static [&'static str] = &["number"];
    const COMPUTED: &'static [&'static str] = &["twice"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("name", &mut self.name)?;
        to.native("mood", &mut self.mood)?;
        to.column("number", &mut self.number)?;
        to.column("twice", &mut self.twice)?;
        to.native("words", &mut self.words)
    }
}

/// MariaDB names no check of its own: this one has a name in all of them.
const TABLES: [&[&str]; 3] = [
    &[
        "CREATE TABLE guests (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, mood TEXT, \
        number INTEGER NOT NULL DEFAULT (3 + 4), twice INTEGER AS (number * 2) STORED, words TEXT, \
        CONSTRAINT guests_number_check CHECK (number < 100))",
    ],
    &[
        "CREATE TYPE mood AS ENUM ('calm', 'loud')",
        "CREATE TABLE guests (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL UNIQUE, \
         mood mood, number BIGINT NOT NULL DEFAULT (3 + 4), twice BIGINT GENERATED ALWAYS AS (number * 2) STORED, \
         words varchar(20)[], CONSTRAINT guests_number_check CHECK (number < 100))",
    ],
    &[
        "CREATE TABLE guests (id BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL UNIQUE, \
        mood ENUM('calm', 'loud'), number BIGINT NOT NULL DEFAULT (3 + 4), twice BIGINT AS (number * 2) STORED, \
        words JSON, CONSTRAINT guests_number_check CHECK (number < 100))",
    ],
];

async fn guests(house: &House, dialect: &str) {
    let at = ["sqlite", "postgres", "mysql"]
        .iter()
        .position(|it| *it == dialect);
    for sql in TABLES[at.expect("a dialect")] {
        house.db.execute(*sql, []).await.expect("a table");
    }
}

fn guest(name: &str) -> Guest {
    Guest {
        name: name.to_owned(),
        mood: Mood::Calm,
        words: json!(["a", "b c"]),
        ..Guest::default()
    }
}

async fn stored(house: &House, id: i64) -> Guest {
    let found = Guest::unscoped().find(house, id).await.expect("read");
    found.expect("a row")
}

#[tokio::test]
async fn the_database_sets_its_columns() {
    on_each(|house, dialect| async move {
        guests(&house, dialect).await;
        let mut ann = guest("ann");
        ann.insert(&house).await.expect("stored");
        let ann = stored(&house, ann.id).await;
        assert_eq!((ann.number, ann.twice), (Some(7), Some(14)), "{dialect}");
        let mut bo = Guest {
            number: Some(9),
            twice: Some(1),
            ..guest("bo")
        };
        bo.insert(&house).await.expect("stored");
        let before = stored(&house, bo.id).await;
        assert_eq!(
            (before.number, before.twice),
            (Some(9), Some(18)),
            "{dialect}"
        );
        let mut bo = Guest {
            twice: Some(5),
            ..before.clone()
        };
        let changed = change::update(&house, &before, &mut bo).await;
        assert!(!changed.expect("nothing to write"), "{dialect}");
        bo.number = Some(10);
        assert!(
            change::update(&house, &before, &mut bo)
                .await
                .expect("written")
        );
        bo.update(&house).await.expect("all columns");
        assert_eq!(stored(&house, bo.id).await.twice, Some(20), "{dialect}");
        let mut again = guest("bo");
        again.upsert(&house, &["name"]).await.expect("updated");
        assert_eq!((again.id, again.number), (bo.id, Some(10)), "{dialect}");
    })
    .await;
}

#[tokio::test]
async fn labels_and_lists_have_the_types_of_their_columns() {
    on_each(|house, dialect| async move {
        guests(&house, dialect).await;
        for (name, mood) in [("ann", Mood::Calm), ("bo", Mood::Loud)] {
            let mut guest = Guest {
                mood,
                ..guest(name)
            };
            guest.insert(&house).await.expect("stored");
        }
        let named = |query: Query<Guest>| {
            let house = &house;
            async move {
                let found = query.all(house).await.expect("guests").into_iter();
                found.map(|guest| guest.name).collect::<Vec<_>>()
            }
        };
        let query = Guest::unscoped();
        assert_eq!(
            named(query.clone().eq("mood", Mood::Loud)).await,
            ["bo"],
            "{dialect}"
        );
        let all = named(query.order_by("mood")).await;
        assert_eq!(all, ["ann", "bo"], "{dialect}");
        let ann = stored(&house, 1).await;
        assert_eq!(ann.words, json!(["a", "b c"]), "{dialect}");
        let mut silent = Guest {
            words: json!([]),
            ..ann.clone()
        };
        change::update(&house, &ann, &mut silent)
            .await
            .expect("written");
        assert_eq!(stored(&house, 1).await.words, json!([]), "{dialect}");
    })
    .await;
}

#[tokio::test]
async fn a_violated_check_is_reported_on_its_column() {
    on_each(|house, dialect| async move {
        guests(&house, dialect).await;
        let mut many = Guest {
            number: Some(100),
            ..guest("many")
        };
        let refused = many.insert(&house).await.expect_err("refused");
        assert!(
            matches!(refused, Error::Validation(_)),
            "{dialect}: {refused:?}"
        );
        assert_eq!(
            refused.to_string(),
            "The number field is invalid.",
            "{dialect}"
        );
        let sql = of(dialect, ["INSERT INTO guests (mood) VALUES ('calm')"; 3]);
        let refused = house.db.execute(sql, []).await.expect_err("refused");
        assert_eq!(
            refused.to_string(),
            "The name field must have a value.",
            "{dialect}"
        );
    })
    .await;
}
