//! SQL of a project's own on PostgreSQL: docs/guide/own-sql.md.

use formwork::data::{
    database::{Db, Row, Transaction},
    query_as::FromRow,
};
use formwork::prelude::*;
use formwork::sqlx;
use formwork::testing::Service;
use kitchen::api_resources::dishes::Dish;

/// A service on a database of its own, on the server that `DATABASE_URL` names.
fn start() -> Service {
    let service = Service::start(bistro::extensions());
    assert_eq!(service.app().db().dialect().name(), "postgres");
    service
}

fn dish(slug: &str, price: &str) -> Dish {
    Dish {
        slug: slug.to_owned(),
        price: price.parse().expect("a price"),
        ..Dish::default()
    }
}

async fn slugs(ctx: &Context) -> Vec<String> {
    let dishes = Dish::unscoped().order_by("id").all(ctx).await;
    dishes
        .expect("dishes")
        .into_iter()
        .map(|dish| dish.slug)
        .collect()
}

/// What dishes cost.
#[derive(Debug, PartialEq)]
struct Costs {
    is_hot: bool,
    total: Decimal<4>,
    average: Decimal<2>,
    code: Uuid,
}

impl FromRow for Costs {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            is_hot: row.get("is_hot")?,
            total: row.get("total")?,
            average: row.get_native("average")?,
            code: row.get("code")?,
        })
    }
}

#[test]
fn rows_are_read_as_the_types_of_a_project() {
    let service = start();
    service.block_on(async {
        let ctx = service.context();
        for (slug, price) in [("soup", "2.5"), ("stew", "4")] {
            dish(slug, price).insert(&ctx).await.expect("stored");
        }
        let sql = "SELECT SUM(price) AS total, AVG(price) AS average, is_hot, code FROM dishes \
                   WHERE slug <> ? AND price > ? GROUP BY is_hot, code";
        let values = [
            "bread".into(),
            "1".parse::<Decimal<4>>().expect("a price").into(),
        ];
        let costs = ctx.db().query_as::<Costs>(sql, values).fetch_one().await;
        let expected = Costs {
            is_hot: false,
            total: "6.5".parse().expect("a price"),
            average: "3.25".parse().expect("a price"),
            code: Uuid::nil(),
        };
        assert_eq!(costs.expect("a row"), expected);
        let sql = "SELECT updated_at, dishes.* FROM dishes WHERE slug = ?";
        let soup = ctx
            .db()
            .query_as::<Dish>(sql, ["soup".into()])
            .fetch_one()
            .await;
        let found = Dish::unscoped().eq("slug", "soup").first(&ctx).await;
        assert_eq!(
            soup.ok().map(|dish| dish.slug),
            found.expect("found").map(|dish| dish.slug)
        );
        let sql = "UPDATE dishes SET price = price * 2 RETURNING slug, price";
        let doubled = ctx
            .db()
            .query_as::<(String, Decimal<4>)>(sql, [])
            .fetch_all()
            .await;
        assert_eq!(doubled.expect("rows").len(), 2);
        assert!(ctx.db().progress().has_committed(), "it is a change of the request");
    });
}

#[test]
fn rows_are_streamed_and_read_in_chunks() {
    let service = start();
    service.block_on(async {
        let ctx = service.context();
        let sql = "SELECT i FROM generate_series(?, 1000000) AS i";
        let mut rows = ctx.db().query_as::<(i64,)>(sql, [1_i64.into()]).fetch();
        for expected in 1..=1000 {
            assert_eq!(rows.try_next().await.expect("a row"), Some((expected,)));
        }
        drop(rows);
        let sql = "INSERT INTO dishes (slug, price, is_hot, portions, code) SELECT 'dish ' || i, i, \
                   i % 2 = 0, 1, gen_random_uuid() FROM generate_series(1, 1200) AS i";
        ctx.db().execute(sql, []).await.expect("dishes");
        let mut dishes = Dish::unscoped().eq("is_hot", true).in_chunks(&ctx);
        let mut read = 0;
        while let Some(dish) = dishes.try_next().await.expect("a dish") {
            read += 1;
            assert_eq!(dish.slug, format!("dish {}", 2 * read));
        }
        assert_eq!(read, 600);
        let sql = "SELECT id, slug, code FROM dishes WHERE is_hot = ?";
        let by_code = ctx.db().query_as::<(i64, String, Uuid)>(sql, [true.into()]);
        let mut by_code = by_code.in_chunks("code");
        let mut codes = Vec::new();
        while let Some((_, _, code)) = by_code.try_next().await.expect("a row") {
            codes.push(code);
        }
        assert!(codes.is_sorted() && codes.len() == 600);
    });
}

async fn inserted(ctx: &Context, db: &Db, slug: &str) -> Transaction {
    let savepoint = db.savepoint().await.expect("set");
    let inside = ctx.with_db(savepoint.db().clone());
    dish(slug, "1").insert(&inside).await.expect("stored");
    savepoint
}

#[test]
fn a_savepoint_is_rolled_back_alone_also_after_a_statement_that_failed() {
    let service = start();
    service.block_on(async {
        let ctx = service.context();
        let outer = ctx.db().begin().await.expect("begun");
        let kept = inserted(&ctx, outer.db(), "soup").await;
        kept.commit().await.expect("kept");
        drop(inserted(&ctx, outer.db(), "stew").await);
        let failing = inserted(&ctx, outer.db(), "bread").await;
        let failed = failing.db().execute("SELECT 1 / 0", []).await;
        failed.expect_err("a division by zero");
        // PostgreSQL refuses every further statement until a rollback.
        failing
            .db()
            .rows("SELECT 1", [])
            .await
            .expect_err("aborted");
        failing.commit().await.expect_err("it cannot be kept");
        let around = inserted(&ctx, outer.db(), "tea").await;
        drop(inserted(&ctx, around.db(), "milk").await);
        around.commit().await.expect("kept");
        outer.commit().await.expect("committed");
        assert_eq!(slugs(&ctx).await, ["soup", "tea"]);
    });
}

#[test]
fn an_upsert_inserts_or_updates_and_a_refused_one_leaves_the_transaction_open() {
    let service = start();
    service.block_on(async {
        let ctx = service.context();
        dish("soup", "1").insert(&ctx).await.expect("stored");
        let transaction = ctx.db().begin().await.expect("begun");
        let inside = ctx.with_db(transaction.db().clone());
        let mut orphan = Dish {
            menu_id: Some(99),
            ..dish("soup", "2")
        };
        let refused = orphan.upsert(&inside, &["slug"]).await;
        assert_eq!(refused.expect_err("no such menu").status(), 422);
        let mut soup = dish("soup", "3");
        soup.upsert(&inside, &["slug"]).await.expect("updated");
        let mut stew = dish("stew", "4");
        stew.upsert(&inside, &["slug"]).await.expect("inserted");
        transaction.commit().await.expect("committed");
        assert_eq!((soup.id, soup.price.to_string()), (1, "3.0000".to_owned()));
        assert_eq!(slugs(&ctx).await, ["soup", "stew"]);
    });
}

/// A setting of the session, and whether anybody has the advisory lock 7.
async fn session(db: &Db) -> (String, i64) {
    let sql = "SELECT current_setting('work_mem'), \
               (SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7)";
    let row = db.query_as::<(String, i64)>(sql, []).fetch_one().await;
    row.expect("a session")
}

#[test]
fn the_connection_of_sqlx_is_lent_and_nothing_of_it_leaks() {
    let service = start();
    service.block_on(async {
        let ctx = service.context();
        let before = session(ctx.db()).await;
        let change =
            "SET work_mem = '77kB'; SELECT pg_advisory_lock(7); CREATE TEMP TABLE t (a INT)";
        let mut connection = ctx.db().postgres().await.expect("a connection");
        let changed = sqlx::raw_sql(change).execute(&mut *connection).await;
        changed.expect("changed");
        sqlx::raw_sql("BEGIN")
            .execute(&mut *connection)
            .await
            .expect("begun");
        drop(connection);
        for end in ["commit", "rollback"] {
            let transaction = ctx.db().begin().await.expect("begun");
            let mut connection = transaction.db().postgres().await.expect("a connection");
            let changed = sqlx::raw_sql(change).execute(&mut *connection).await;
            changed.expect("changed");
            let sql = "INSERT INTO menus (title) VALUES ('a')";
            sqlx::query(sql)
                .execute(&mut *connection)
                .await
                .expect("stored");
            drop(connection);
            if end == "commit" {
                transaction.commit().await.expect("committed");
            } else {
                drop(transaction);
            }
        }
        // Until the connections are reset and closed.
        let waited = ctx.db().rows("SELECT 1 FROM pg_sleep(0.3)", []).await;
        waited.expect("waited");
        let mut transactions = Vec::new();
        // More connections than there are, one after another.
        for _ in 0..4 {
            let transaction = ctx.db().begin().await.expect("begun");
            assert_eq!(session(transaction.db()).await, before);
            transactions.push(transaction);
        }
        let count = ctx.db().rows("SELECT COUNT(*) FROM menus", []).await;
        assert_eq!(count.expect("a count"), [[Value::Int(1)]]);
    });
}

#[test]
fn rows_that_are_read_for_update_are_locked() {
    let service = start();
    service.block_on(async {
        let ctx = service.context();
        dish("soup", "1").insert(&ctx).await.expect("stored");
        let held = ctx.db().begin().await.expect("begun");
        let inside = ctx.with_db(held.db().clone());
        let locked = Dish::unscoped()
            .eq("slug", "soup")
            .for_update()
            .first(&inside)
            .await;
        assert!(locked.expect("a dish").is_some());
        let other = ctx.db().begin().await.expect("begun");
        other
            .db()
            .execute("SET LOCAL lock_timeout = '100ms'", [])
            .await
            .expect("set");
        let waits = ctx.with_db(other.db().clone());
        let busy = Dish::unscoped()
            .eq("slug", "soup")
            .for_update()
            .first(&waits)
            .await;
        assert_eq!(busy.expect_err("it is locked").status(), 503);
    });
}

#[test]
fn marks_in_texts_of_ones_own_sql_are_no_values() {
    let service = start();
    service.block_on(async {
        let sql = "SELECT 'it''s ?', ?, '{}'::jsonb ?? 'a' /* ? */ -- ?";
        let rows = service.context().db().rows(sql, [Value::Int(7)]).await;
        let expected = [Value::from("it's ?"), Value::Int(7), Value::from(false)];
        assert_eq!(rows.expect("a row"), [expected]);
    });
}
