//! SQL of a project's own: rows as types, streams, chunks, and sqlx's own connection.

use std::time::{Duration, Instant};

use formwork::data::database::{DatabaseOptions, Dialect};
use formwork::data::value::parse_datetime;
use formwork::data::{database::Row, query_as::FromRow};
use formwork::prelude::*;
use formwork::sqlx;

use crate::service::{count, find, in_file, with_database, with_menus, with_one_connection};
use crate::tables::{Menu, Note, menu};

/// Counts for ever.
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
                       SELECT i FROM n";

/// The prices of menus.
#[derive(Debug, PartialEq)]
struct Costs {
    active: bool,
    total: Decimal<4>,
    first: Option<DateTime>,
    weight: Option<Decimal<3>>,
}

impl FromRow for Costs {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            active: row.get("menu_status")?,
            total: row.get("total")?,
            first: row.get("first")?,
            weight: row.get_native("weight")?,
        })
    }
}

#[tokio::test]
async fn rows_are_read_as_the_types_of_a_project() {
    let ctx = with_menus(&["Soup", "Stew"]).await;
    let sql = "SELECT SUM(menu_price) AS total, menu_status, MIN(created_at) AS first, \
               SUM(weight) AS weight FROM menus WHERE menu_name <> ? GROUP BY menu_status";
    let costs = ctx.db().query_as::<Costs>(sql, ["Bread".into()]);
    let expected = Costs {
        active: true,
        total: "5".parse().expect("a price"),
        first: Some(ctx.now()),
        weight: None,
    };
    assert_eq!(costs.fetch_one().await.expect("a row"), expected);

    let sql = "SELECT menu_name, menu_price FROM menus ORDER BY menu_name";
    let pairs = ctx.db().query_as::<(String, Decimal<4>)>(sql, []);
    let pairs = pairs.fetch_all().await.expect("rows");
    let names: Vec<_> = pairs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Soup", "Stew"]);
    assert_eq!(pairs[0].1.to_string(), "2.5000");

    // A model is read by the names of its columns, whatever their order is.
    let sql = "SELECT updated_at, created_at, extra, parent_id, place_code, menu_status, weight, \
               menu_price, menu_name, menu_id, 1 AS more FROM menus WHERE menu_id = ?";
    let soup = ctx.db().query_as::<Menu>(sql, [Value::from(1)]);
    let soup = soup.fetch_optional().await.expect("rows");
    assert_eq!(soup, Some(find(&ctx, 1).await));
}

#[tokio::test]
async fn a_row_that_is_missing_or_of_another_type_is_an_error() {
    let ctx = with_menus(&["Soup"]).await;
    let db = ctx.db();
    let none = || db.query_as::<(i64,)>("SELECT menu_id FROM menus WHERE menu_id = 9", []);
    assert_eq!(none().fetch_one().await.expect_err("none").status(), 404);
    assert_eq!(none().fetch_optional().await.expect("rows"), None);
    let wrong = db.query_as::<(i64,)>("SELECT menu_name FROM menus", []);
    let wrong = wrong.fetch_all().await.expect_err("a text");
    let message = wrong.to_string();
    assert!(message.contains("`menu_name` does not hold"), "{message}");
    let missing = db.query_as::<Menu>("SELECT menu_id FROM menus", []);
    let missing = missing.fetch_all().await.expect_err("no name");
    let message = missing.to_string();
    assert!(message.contains("no column `menu_name`"), "{message}");
}

#[tokio::test]
async fn a_stream_reads_row_by_row_and_gives_its_connection_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_one_connection(&folder).await;
    let ctx = app.context();
    let mut rows = ctx.db().query_as::<(i64,)>(ENDLESS, []).fetch();
    for expected in 1..=1000 {
        assert_eq!(rows.try_next().await.expect("a row"), Some((expected,)));
    }
    let busy = Menu::unscoped()
        .count(&ctx)
        .await
        .expect_err("no connection");
    assert_eq!(busy.status(), 503, "the stream has the only one");
    drop(rows);
    assert_eq!(count(&ctx).await, 0);

    let sql = "SELECT 1 UNION ALL SELECT 'two' UNION ALL SELECT 3";
    let mut rows = ctx.db().query_as::<(i64,)>(sql, []).fetch();
    assert_eq!(rows.try_next().await.expect("a row"), Some((1,)));
    rows.try_next().await.expect_err("a text");
    assert_eq!(rows.try_next().await.expect("its end"), None);
    let mut rows = ctx.db().query_as::<(i64,)>("SELECT nothing", []).fetch();
    rows.try_next().await.expect_err("no such column");
    assert_eq!(rows.try_next().await.expect("its end"), None);
    assert_eq!(count(&ctx).await, 0);
    app.db().close().await;
}

#[tokio::test]
async fn a_transaction_refuses_statements_while_its_rows_are_streamed() {
    let ctx = with_menus(&["Soup", "Stew"]).await;
    let transaction = ctx.db().begin().await.expect("begun");
    let tx = ctx.with_db(transaction.db().clone());
    let sql = "SELECT menu_name FROM menus ORDER BY menu_id";
    let mut rows = tx.db().query_as::<(String,)>(sql, []).fetch();
    assert!(rows.try_next().await.expect("a row").is_some());
    let refused = Menu::unscoped().count(&tx).await;
    let refused = refused.expect_err("it would wait for itself");
    assert!(refused.to_string().contains("in use"), "{refused}");
    drop(rows);
    assert_eq!(count(&tx).await, 2);
    let mut rows = tx.db().query_as::<(String,)>(sql, []).fetch();
    while rows.try_next().await.expect("rows").is_some() {}
    assert_eq!(count(&tx).await, 2);
    drop(rows);
    transaction.commit().await.expect("committed");
}

#[tokio::test]
async fn chunks_read_everything_once_and_have_no_connection_between_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_one_connection(&folder).await;
    let ctx = app.context();
    let sql = "INSERT INTO notes (menu_id, text, priority) WITH RECURSIVE n(i) AS (SELECT 1 UNION \
               ALL SELECT i + 1 FROM n LIMIT 1200) SELECT i % 2, 'note ' || i, i FROM n";
    ctx.db().execute(sql, []).await.expect("notes");

    let before = ctx.db().statements();
    let mut notes = Note::unscoped().eq("menu_id", 1).in_chunks(&ctx);
    let mut read = Vec::new();
    while let Some(note) = notes.try_next().await.expect("a note") {
        read.push(note.priority);
    }
    assert_eq!(read, (1..=1200).step_by(2).collect::<Vec<_>>());
    assert_eq!(ctx.db().statements() - before, 2);

    let sql = "SELECT n.note_id AS id, n.text FROM notes n WHERE n.note_id > ? -- all but ten";
    let own = ctx.db().query_as::<(i64, String)>(sql, [Value::from(10)]);
    let mut rows = own.in_chunks("id");
    let mut read = 0;
    while let Some((id, text)) = rows.try_next().await.expect("a row") {
        read += 1;
        assert_eq!((id, text), (read + 10, format!("note {}", read + 10)));
        // There is one connection: between rows it is free.
        assert_eq!(Note::unscoped().count(&ctx).await.expect("counted"), 1200);
    }
    assert_eq!(read, 1190);
    let mut sorted = Note::unscoped().order_by("-priority").in_chunks(&ctx);
    sorted.try_next().await.expect_err("an order of its own");
    app.db().close().await;
}

#[tokio::test]
async fn a_stream_in_chunks_can_be_a_body() {
    let ctx = with_menus(&["Soup", "Stew"]).await;
    // The bounds of axum's bodies: a stream that borrows nothing.
    fn body<S: futures_core::Stream + Send + 'static>(_stream: S) {}
    body(Menu::unscoped().in_chunks(&ctx));
    let sql = "SELECT menu_id FROM menus";
    body(ctx.db().query_as::<(i64,)>(sql, []).in_chunks("menu_id"));
}

#[tokio::test]
async fn a_statement_that_writes_waits_for_its_turn_however_it_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_database(DatabaseOptions {
        max: 2,
        acquire_timeout: Duration::from_millis(200),
        ..in_file(&folder)
    })
    .await;
    let ctx = app.context();
    let sql = "INSERT INTO places (code) VALUES (?) RETURNING place_id";
    let transaction = ctx.db().begin().await.expect("begun");
    let began = Instant::now();
    // It waits without a connection: a reader gets the other one.
    let write = ctx.db().rows(sql, [Value::from("a")]);
    let (refused, _) = tokio::join!(write, count(&ctx));
    assert_eq!(refused.expect_err("not its turn").status(), 503);
    let write = ctx.db().query_as::<(i64,)>(sql, ["a".into()]);
    let refused = write.fetch_one().await.expect_err("not its turn");
    assert_eq!(refused.status(), 503);
    // SQLite itself waits for five seconds.
    assert!(began.elapsed() < Duration::from_secs(4));
    assert!(!ctx.db().progress().has_committed());
    drop(transaction);
    let rows = ctx.db().rows(sql, [Value::from("a")]).await;
    assert_eq!(rows.expect("stored"), [[Value::Int(1)]]);
    assert!(
        ctx.db().progress().has_committed(),
        "it is a change of the request"
    );
    app.db().close().await;
}

/// Sends statements on a connection of sqlx.
async fn execute_all(connection: &mut sqlx::SqliteConnection, statements: &[&'static str]) {
    for sql in statements {
        let done = sqlx::query(*sql).execute(&mut *connection).await;
        done.expect(sql);
    }
}

async fn pragma(ctx: &Context, name: &str) -> String {
    let row = ctx.db().rows(format!("PRAGMA {name}"), []).await;
    row.expect("a setting")[0][0].to_string()
}

#[tokio::test]
async fn the_connection_of_sqlx_is_lent_and_nothing_of_it_leaks() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_one_connection(&folder).await;
    let ctx = app.context();
    let size = pragma(&ctx, "cache_size").await;
    let mut connection = ctx.db().sqlite().await.expect("a connection");
    let statements = [
        "PRAGMA cache_size = 77",
        "PRAGMA foreign_keys = OFF",
        "INSERT INTO places (code) VALUES ('kept')",
        "BEGIN IMMEDIATE",
        "INSERT INTO places (code) VALUES ('lost')",
    ];
    execute_all(&mut connection, &statements).await;
    let waits = menu("Soup", "1").insert(&ctx).await;
    let waits = waits.expect_err("not its turn");
    assert_eq!(waits.status(), 503, "it holds the turn to write");
    drop(connection);
    assert!(ctx.db().progress().has_committed(), "it may have written");
    let inserted = menu("Soup", "1").insert(&ctx).await;
    inserted.expect("no transaction is open");
    assert_eq!(pragma(&ctx, "cache_size").await, size);
    assert_eq!(pragma(&ctx, "foreign_keys").await, "1");
    let codes = ctx.db().rows("SELECT code FROM places", []).await;
    assert_eq!(codes.expect("codes"), [[Value::from("kept")]]);
    app.db().close().await;
}

#[tokio::test]
async fn in_a_transaction_its_own_connection_is_lent() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = with_one_connection(&folder).await;
    let ctx = app.context();
    let size = pragma(&ctx, "cache_size").await;
    for (commits, expected) in [(false, 0), (true, 1)] {
        let transaction = ctx.db().begin().await.expect("begun");
        let mut connection = transaction.db().sqlite().await.expect("a connection");
        let insert = "INSERT INTO places (code) VALUES ('a')";
        execute_all(&mut connection, &["PRAGMA cache_size = 77", insert]).await;
        let refused = transaction.db().rows("SELECT 1", []).await;
        refused.expect_err("it would wait for itself");
        drop(connection);
        let rows = transaction.db().rows("SELECT 1", []).await;
        rows.expect("it goes on");
        if commits {
            transaction.commit().await.expect("committed");
        } else {
            drop(transaction);
        }
        let count = ctx.db().rows("SELECT COUNT(*) FROM places", []).await;
        assert_eq!(count.expect("a count"), [[Value::Int(expected)]]);
        assert_eq!(pragma(&ctx, "cache_size").await, size);
    }
    app.db().close().await;
}

#[tokio::test]
async fn an_upsert_inserts_or_updates_and_returns_the_row() {
    let ctx = with_menus(&["Soup"]).await;
    let first = find(&ctx, 1).await;
    let before = ctx.db().statements();
    let mut soup = Menu {
        created_at: None,
        updated_at: parse_datetime("2001-01-01T00:00:00Z"),
        ..menu("Soup", "7")
    };
    soup.upsert(&ctx, &["menu_name"]).await.expect("updated");
    // The index, the row, and a savepoint around them (docs/adr/0013-databases.md).
    let statements = match ctx.db().dialect() {
        Dialect::Mysql => 4,
        _ => 1,
    };
    assert_eq!(ctx.db().statements() - before, statements);
    assert_eq!((soup.menu_id, soup.created_at), (1, first.created_at));
    assert_eq!(soup.menu_price.to_string(), "7.0000");
    assert_eq!(soup.updated_at, Some(ctx.now()));
    assert_eq!(find(&ctx, 1).await, soup);
    let mut stew = menu("Stew", "3");
    stew.upsert(&ctx, &["menu_name"]).await.expect("inserted");
    // PostgreSQL counts the row that became an update too.
    assert!(stew.menu_id > 1 && stew.created_at == Some(ctx.now()));
    assert_eq!(count(&ctx).await, 2);

    let mut orphan = Menu {
        parent_id: Some(99),
        ..menu("Bread", "1")
    };
    let refused = orphan.upsert(&ctx, &["menu_name"]).await;
    assert_eq!(refused.expect_err("no such menu").status(), 422);
    let refused = stew.upsert(&ctx, &["menu_price"]).await;
    assert_eq!(refused.expect_err("not unique").status(), 500);
}
