//! Hooks after the commit, if a route calls actions in a transaction of its own.

use std::{future::Future, pin::Pin};

use formwork::{http::route::Route, prelude::*, resource::action::Allow, testing::Service};
use serde::Serialize;

use super::support::{check, column, count};

/// Entries, and the events that their hooks write.
struct Diary;

impl Extension for Diary {
    fn name(&self) -> &'static str {
        "diary"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![resource! { "entries" "Entries" "What happened" (Entries)
        ["index" "store" "update" "destroy"] }]
    }

    fn routes(&self) -> Vec<Route> {
        vec![
            Route::post("/bulk", Allow::All, bulk).resource("entries"),
            Route::post("/each", Allow::All, each).resource("entries"),
            Route::post("/rewrite/{id}", Allow::All, rewrite).resource("entries"),
            Route::post("/unregistered", Allow::All, unregistered).resource("entries"),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE entries (id COUNTED_KEY, title TEXT_KEY NOT NULL UNIQUE);
                   CREATE TABLE events (id COUNTED_KEY, what TEXT NOT NULL)";
        crate::databases::migration(20260301000000, "create_diary", sql)
    }
}

model! {
    Entry "entries" {
        key id: i64,
        column title: String,
    }
}

parts! { Entry [attribute("title", &[formwork::rules::required()])] }

/// Writes an event after each commit; `before_save` stores a second entry if the title names it.
struct Entries;

impl RestController for Entries {
    parts_of!(Entry);

    async fn before_save(&self, ctx: &Context, entry: &mut Entry) -> Result<()> {
        match entry.title.strip_prefix("around ") {
            Some(inner) => store(ctx, inner).await,
            None => Ok(()),
        }
    }

    async fn after_save(&self, ctx: &Context, entry: &Entry) -> Result<()> {
        event(ctx, format!("saved {}", entry.title)).await
    }

    async fn after_create(&self, ctx: &Context, entry: &Entry) -> Result<()> {
        event(ctx, format!("created {}", entry.title)).await
    }

    async fn after_update(&self, ctx: &Context, entry: &Entry) -> Result<()> {
        event(ctx, format!("updated {}", entry.title)).await?;
        Err(Error::conflict("the error of a hook after the commit"))
    }

    async fn after_delete(&self, ctx: &Context, entry: &Entry) -> Result<()> {
        event(ctx, format!("deleted {}", entry.title)).await
    }
}

async fn event(ctx: &Context, what: String) -> Result<()> {
    // In a transaction of its own: the one of the change has ended.
    let transaction = ctx.db().begin().await?;
    let sql = "INSERT INTO events (what) VALUES (?)";
    transaction.db().execute(sql, [Value::from(what)]).await?;
    transaction.commit().await
}

const EVENTS: &str = "SELECT what FROM events ORDER BY id";

fn titles(ctx: &Context) -> Vec<String> {
    let titles = ctx.input().members()["titles"].clone();
    serde_json::from_value(titles).expect("titles")
}

/// Boxed: `before_save` calls it.
fn store<'a>(
    ctx: &'a Context,
    title: &'a str,
) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
    Box::pin(async move {
        let input = Input::new(serde_json::Map::new()).with("title", title);
        let stored = default::store(&Entries, &ctx.with_input(input)).await;
        stored.map(drop)
    })
}

/// Stores all entries or none; returns the number of events before the commit.
async fn bulk(ctx: Context) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    for title in titles(&ctx) {
        store(&inside, &title).await?;
    }
    let before = inside.db().rows(EVENTS, []).await?.len();
    transaction.commit().await?;
    Response::json(&json!({"before": before}))
}

/// Stores each entry that can be stored.
async fn each(ctx: Context) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    let mut rejected = Vec::new();
    for title in titles(&ctx) {
        let one = inside.db().savepoint().await?;
        match store(&ctx.with_db(one.db().clone()), &title).await {
            Ok(()) if title != "never" => one.commit().await?,
            Ok(()) | Err(_) => rejected.push(title),
        }
    }
    transaction.commit().await?;
    Response::json(&json!({"rejected": rejected}))
}

/// Updates an entry, and deletes it.
async fn rewrite(ctx: Context) -> Result<Response> {
    let id = ctx.path_key("id")?;
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    default::update(&Entries, &inside, id).await?;
    default::destroy(&Entries, &inside, id).await?;
    transaction.commit().await?;
    Ok(Response::no_content())
}

/// A controller that no resource has.
struct Hidden;

impl RestController for Hidden {
    parts_of!(Entry);
}

async fn unregistered(ctx: Context) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    default::store(&Hidden, &inside).await?;
    transaction.commit().await?;
    Ok(Response::no_content())
}

/// Checks the responses to these requests, the events after them, and how many entries are stored.
#[track_caller]
fn check_events(lines: &str, events: &str, stored: i64) {
    let service = Service::start(vec![Box::new(Diary)]);
    check(&service, lines);
    let written = column(&service, EVENTS);
    let written: Vec<String> = written.iter().map(ToString::to_string).collect();
    assert_eq!(written.join(", "), events);
    assert_eq!(count(&service, "entries"), stored);
}

#[test]
fn hooks_follow_the_commit_of_the_routes_transaction_in_order() {
    let lines = r#"guest POST /api/bulk {"titles": ["a", "b"]} => 200 /before 0"#;
    check_events(lines, "saved a, created a, saved b, created b", 2);
}

#[test]
fn hooks_never_follow_a_rollback() {
    let lines = r#"
        guest POST /api/bulk {"titles": ["a", ""]} => 422
        guest POST /api/unregistered {"title": "a"} => 500"#;
    check_events(lines, "", 0);
}

#[test]
fn hooks_of_a_savepoint_that_was_rolled_back_never_run() {
    let lines = r#"guest POST /api/each {"titles": ["a", "", "never", "around never", "b"]}
        => 200 /rejected ["", "never"]"#;
    // The second `never` was committed.
    let events = "saved a, created a, saved never, created never, saved around never, \
                  created around never, saved b, created b";
    check_events(&lines.replace('\n', " "), events, 4);
}

#[test]
fn an_action_within_a_hook_has_its_hooks_after_the_outer_commit() {
    let lines = r#"guest POST /api/entries {"title": "around a"} => 201"#;
    check_events(
        lines,
        "saved a, created a, saved around a, created around a",
        2,
    );
}

#[test]
fn updates_and_deletions_wait_too_and_an_error_is_only_logged() {
    let lines = r#"
        guest POST /api/entries   {"title": "a"} => 201
        guest POST /api/rewrite/1 {"title": "b"} => 204"#;
    check_events(
        lines,
        "saved a, created a, saved b, updated b, deleted b",
        0,
    );
}
