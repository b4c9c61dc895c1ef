//! Messages about refused statements, and none where nothing is wrong.

use std::sync::{Arc, Mutex};

use formwork_data::migration::{self, Migration};
use tracing::{
    Event, Metadata, Subscriber,
    span::{Attributes, Id, Record},
};

use crate::{each, on, on_each};

/// Its second migration makes an index that the rows of the first forbid.
const DUPLICATES: &[Migration] = &[
    Migration {
        version: 1,
        name: "fill",
        sql: &each(
            "CREATE TABLE dishes (title VARCHAR(40), menu INT);\n\
             INSERT INTO dishes VALUES ('Ramen', 1), ('Goulash', 1), ('Goulash', 1), (NULL, 1), (NULL, 1);",
        ),
    },
    Migration {
        version: 2,
        name: "index",
        sql: &each("CREATE UNIQUE INDEX dishes_title ON dishes (title, menu);"),
    },
];

#[tokio::test]
async fn a_unique_index_that_rows_forbid_names_the_values() {
    on_each(|house, _| async move {
        let error = migration::run(&house.db, &[("cart", DUPLICATES)]).await;
        let error = error.expect_err("two dishes have one title").to_string();
        assert!(
            error.contains("Goulash") && !error.contains("Ramen"),
            "{error}"
        );
        assert!(!error.contains("at line"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn an_exclusion_constraint_is_named_and_no_value_is_taken() {
    on(&["postgres"], |house, _| async move {
        let sql = "CREATE TABLE stays (during INT4RANGE, CONSTRAINT no_overlap EXCLUDE USING gist (during WITH &&))";
        house.db.execute(sql, []).await.expect("a table");
        let insert = "INSERT INTO stays VALUES ('[1,5)')";
        house.db.execute(insert, []).await.expect("the first stay");
        let error = house.db.execute(insert, []).await;
        let error = error.expect_err("it overlaps").to_string();
        assert!(error.contains("constraint no_overlap"), "{error}");
        assert!(!error.contains("taken"), "{error}");
    })
    .await;
}

/// Records the targets of events.
#[derive(Clone, Default)]
struct Targets(Arc<Mutex<Vec<String>>>);

impl Subscriber for Targets {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let target = event.metadata().target().to_owned();
        self.0.lock().expect("the targets").push(target);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn migrating_again_prints_no_notice() {
    on(&["postgres"], |house, _| async move {
        let targets = Targets::default();
        let guard = tracing::subscriber::set_default(targets.clone());
        let again = "CREATE TABLE IF NOT EXISTS formwork_migrations (version INT)";
        house.db.execute(again, []).await.expect("it exists");
        let notices = || {
            let targets = targets.0.lock().expect("the targets");
            let notices = targets.iter().filter(|one| one.contains("notice"));
            notices.count()
        };
        assert_eq!(notices(), 1, "a notice is seen here");
        migration::run(&house.db, &[]).await.expect("migrated");
        assert_eq!(notices(), 1, "no further notice");
        drop(guard);
    })
    .await;
}
