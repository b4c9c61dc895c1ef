//! A caller has half of the pool's connections; a statement has a limited time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use formwork_data::{
    DataContext,
    database::{DatabaseOptions, Db, Share, create_temporary, remove_temporary},
    error::{Error, Result},
    value::{DateTime, Uuid, Value},
};

use crate::{of, servers};

/// One request of a caller.
struct Request(Db);

impl DataContext for Request {
    fn db(&self) -> &Db {
        &self.0
    }

    fn now(&self) -> DateTime {
        formwork_data::literal::datetime("2026-01-31T12:00:00Z")
    }
}

/// Runs a test on an empty database of each server, with these options.
async fn on_each<F: Future<Output = ()>>(
    set: impl Fn(&mut DatabaseOptions),
    test: impl Fn(Db) -> F,
) {
    for server in servers() {
        let name = format!("house_{}", Uuid::now_v7().simple());
        let url = create_temporary(&server, &name).await.expect("a database");
        let mut options = DatabaseOptions::new(url);
        options.max = 4;
        set(&mut options);
        let db = Db::connect(&options).await.expect("connected");
        test(db.clone()).await;
        db.close().await;
        remove_temporary(&server, &name).await.expect("removed");
    }
}

fn request(db: &Db, share: &Arc<Share>) -> Request {
    Request(db.for_request().with_share(Arc::clone(share)))
}

async fn number(request: &Request) -> Result<i64> {
    let rows = request.0.rows("SELECT 7", []).await?;
    Ok(rows[0][0].as_int().expect("a number"))
}

const NUMBERS: &str = "WITH RECURSIVE numbers (n) AS \
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 900) SELECT n FROM numbers";

#[tokio::test]
async fn a_caller_has_half_of_the_connections() {
    let soon = |options: &mut DatabaseOptions| options.acquire_timeout = Duration::from_millis(400);
    on_each(soon, async |db| {
        let share = Arc::new(db.new_share());
        let requests = [(); 3].map(|()| request(&db, &share));
        let [first, second, third] = &requests;
        let mut rows = first.0.query_as::<(i64,)>(NUMBERS, []).fetch();
        let mut others = second.0.query_as::<(i64,)>(NUMBERS, []).fetch();
        rows.try_next().await.expect("a row");
        others.try_next().await.expect("a row");
        let refused = number(third).await;
        assert!(matches!(refused, Err(Error::Unavailable(_))), "{refused:?}");
        // A request that holds a connection does not wait for itself.
        assert_eq!(number(first).await.expect("a number"), 7);
        let another = request(&db, &Arc::new(db.new_share()));
        assert_eq!(number(&another).await.expect("a number"), 7);
        drop(rows);
        assert_eq!(number(third).await.expect("a number"), 7);
        drop(others);
    })
    .await;
}

/// Counts for a minute.
fn slow(dialect: &str) -> &'static str {
    of(
        dialect,
        [
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000) \
             SELECT count(*) FROM n",
            "SELECT 1 FROM pg_sleep(60)",
            "SELECT 1 FROM (SELECT SLEEP(60) AS s) t WHERE s = 0",
        ],
    )
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_cancelled_with_its_transaction() {
    let short = |options: &mut DatabaseOptions| {
        options.statement_timeout = Some(Duration::from_millis(500));
    };
    on_each(short, async |db| {
        let slow = slow(db.dialect().name());
        let began = Instant::now();
        let cancelled = db.rows(slow, []).await;
        assert!(began.elapsed() < Duration::from_secs(30));
        assert!(
            matches!(cancelled, Err(Error::Unavailable(_))),
            "{cancelled:?}"
        );
        let table = "CREATE TABLE seats (id BIGINT)";
        db.execute(table, []).await.expect("the connection goes on");
        let transaction = db.begin().await.expect("begun");
        let insert = "INSERT INTO seats VALUES (?)";
        let within = transaction.db();
        within
            .execute(insert, [Value::Int(1)])
            .await
            .expect("a row");
        let fill = format!(
            "INSERT INTO seats {}",
            slow.replacen("WITH", "SELECT * FROM (WITH", 1)
        );
        let fill = match db.dialect().name() {
            "sqlite" => format!("{fill})"),
            _ => fill,
        };
        let cancelled = within.execute(fill, []).await;
        assert!(
            matches!(cancelled, Err(Error::Unavailable(_))),
            "{cancelled:?}"
        );
        // On MariaDB the statement alone is rolled back.
        if db.dialect().name() != "mysql" {
            let late = within.execute(insert, [Value::Int(2)]).await;
            assert!(late.is_err(), "{late:?}");
            assert!(transaction.commit().await.is_err());
            let rows = db
                .rows("SELECT count(*) FROM seats", [])
                .await
                .expect("a count");
            assert_eq!(rows[0][0].as_int(), Some(0));
        }
    })
    .await;
}
