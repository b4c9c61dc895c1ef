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

use crate::{TestContext, execute_all, on_each};

formwork_data::text_enum! {
    /// How a guest feels.
    pub enum Mood {
        Calm = "calm",
        Loud = "loud",
    }
}

model! {
    Guest "guests" {
        key id: i64,
        column name: String,
        native mood: Mood,
        column number: Option<i64>,
        column twice: Option<i64>,
        native words: Json,
    }

    const DEFAULTED: &'static [&'static str] = &["number"];
    const COMPUTED: &'static [&'static str] = &["twice"];
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

async fn guests(ctx: &TestContext, dialect: &str) {
    let index = ["sqlite", "postgres", "mysql"]
        .iter()
        .position(|it| *it == dialect);
    execute_all(&ctx.db, TABLES[index.expect("a dialect")].iter().copied()).await;
}

fn guest(name: &str) -> Guest {
    Guest {
        name: name.to_owned(),
        mood: Mood::Calm,
        words: json!(["a", "b c"]),
        ..Guest::default()
    }
}

async fn stored(ctx: &TestContext, id: i64) -> Guest {
    let found = Guest::unscoped().find(ctx, id).await.expect("read");
    found.expect("a row")
}

#[tokio::test]
async fn the_database_sets_its_columns() {
    on_each(|ctx, dialect| async move {
        guests(&ctx, dialect).await;
        let mut ann = guest("ann");
        ann.insert(&ctx).await.expect("stored");
        let ann = stored(&ctx, ann.id).await;
        assert_eq!((ann.number, ann.twice), (Some(7), Some(14)), "{dialect}");
        let mut bo = Guest {
            number: Some(9),
            twice: Some(1),
            ..guest("bo")
        };
        bo.insert(&ctx).await.expect("stored");
        let before = stored(&ctx, bo.id).await;
        let numbers = (before.number, before.twice);
        assert_eq!(numbers, (Some(9), Some(18)), "{dialect}");
        let mut bo = Guest {
            twice: Some(5),
            ..before.clone()
        };
        let changed = change::update(&ctx, &before, &mut bo).await;
        assert!(!changed.expect("nothing to write"), "{dialect}");
        bo.number = Some(10);
        let changed = change::update(&ctx, &before, &mut bo).await;
        assert!(changed.expect("written"), "{dialect}");
        bo.update(&ctx).await.expect("all columns");
        assert_eq!(stored(&ctx, bo.id).await.twice, Some(20), "{dialect}");
        let mut again = guest("bo");
        again.upsert(&ctx, &["name"]).await.expect("updated");
        assert_eq!((again.id, again.number), (bo.id, Some(10)), "{dialect}");
    })
    .await;
}

#[tokio::test]
async fn labels_and_lists_have_the_types_of_their_columns() {
    on_each(|ctx, dialect| async move {
        guests(&ctx, dialect).await;
        for (name, mood) in [("ann", Mood::Calm), ("bo", Mood::Loud)] {
            let mut guest = Guest {
                mood,
                ..guest(name)
            };
            guest.insert(&ctx).await.expect("stored");
        }
        let names = async |query: Query<Guest>| {
            let guests = query.all(&ctx).await.expect("guests").into_iter();
            guests.map(|guest| guest.name).collect::<Vec<_>>()
        };
        let query = Guest::unscoped();
        let loud = names(query.clone().eq("mood", Mood::Loud)).await;
        assert_eq!(loud, ["bo"], "{dialect}");
        let all = names(query.order_by("mood")).await;
        assert_eq!(all, ["ann", "bo"], "{dialect}");
        let ann = stored(&ctx, 1).await;
        assert_eq!(ann.words, json!(["a", "b c"]), "{dialect}");
        let mut silent = Guest {
            words: json!([]),
            ..ann.clone()
        };
        let changed = change::update(&ctx, &ann, &mut silent).await;
        changed.expect("written");
        assert_eq!(stored(&ctx, 1).await.words, json!([]), "{dialect}");
    })
    .await;
}

#[tokio::test]
async fn a_violated_check_is_reported_on_its_column() {
    on_each(|ctx, dialect| async move {
        guests(&ctx, dialect).await;
        let mut many = Guest {
            number: Some(100),
            ..guest("many")
        };
        let refused = many.insert(&ctx).await.expect_err("refused");
        assert!(matches!(refused, Error::Validation(_)), "{refused:?}");
        assert_eq!(refused.to_string(), "The number field is invalid.");
        let sql = "INSERT INTO guests (mood) VALUES ('calm')";
        let refused = ctx.db.execute(sql, []).await.expect_err("refused");
        assert_eq!(refused.to_string(), "The name field must have a value.");
    })
    .await;
}
