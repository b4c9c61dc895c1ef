//! Hooks after the commit, where a route calls actions in a transaction of its own.

use std::{future::Future, pin::Pin};

use formwork::{http::route::Route, prelude::*, resource::action::Allow, testing::Service};
use serde::Serialize;

/// Entries, and the events that their hooks write.
struct Diary;

impl Extension for Diary {
    fn name(&self) -> &'static str {
        "diary"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "entries",
            name: "Entries",
            description: "What happened",
            controller: Box::new(Entries),
            actions: actions!["index", "store", "update", "destroy"],
        }]
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
        crate::databases::migration(
            20260301000000,
            "create_diary",
            "CREATE TABLE entries (id COUNTED_KEY, title TEXT_KEY NOT NULL UNIQUE);
                 CREATE TABLE events (id COUNTED_KEY, what TEXT NOT NULL)",
        )
    }
}

#[derive(Debug, Clone, Default, Serialize)]
struct Entry {
    id: i64,
    title: String,
}

impl Model for Entry {
    type Key = i64;

    const TABLE: &'static str = "entries";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("title", &mut self.title)
    }
}

struct EntryRepository;

impl Repository for EntryRepository {
    type Model = Entry;
}

struct EntryRequest;

impl ResourceRequest for EntryRequest {
    type Model = Entry;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("title", &[formwork::rules::required()])];
}

struct EntryTransformer;

impl Transformer for EntryTransformer {
    type Model = Entry;

    fn transform<'a>(entry: &'a Loaded<Entry>, _ctx: &'a Context) -> impl Serialize + 'a {
        entry.record()
    }
}

/// Writes an event after each commit; `before_save` stores a second entry where the title says so.
struct Entries;

impl RestController for Entries {
    type Model = Entry;
    type Repository = EntryRepository;
    type Request = EntryRequest;
    type Transformer = EntryTransformer;

    async fn before_save(&self, ctx: &Context, entry: &mut Entry) -> Result<()> {
        let Some(inner) = entry.title.strip_prefix("around ") else {
            return Ok(());
        };
        store(ctx, inner).await
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

async fn events(ctx: &Context) -> Result<Vec<String>> {
    let rows = ctx
        .db()
        .rows("SELECT what FROM events ORDER BY id", [])
        .await?;
    Ok(rows.iter().map(|row| row[0].to_string()).collect())
}

fn titles(ctx: &Context) -> Vec<String> {
    let titles = ctx.input().members()["titles"].as_array().expect("titles");
    titles
        .iter()
        .map(|title| title.as_str().expect("a title").to_owned())
        .collect()
}

/// Boxed: `before_save` calls it.
fn store<'a>(
    ctx: &'a Context,
    title: &'a str,
) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
    Box::pin(async move {
        let Json::Object(body) = json!({"title": title}) else {
            unreachable!()
        };
        let ctx = ctx.with_input(Input::new(body));
        default::store(&Entries, &ctx).await.map(drop)
    })
}

/// Stores all entries or none; answers with the events before the commit.
async fn bulk(ctx: Context) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    for title in titles(&ctx) {
        store(&inside, &title).await?;
    }
    let before = events(&inside).await?;
    transaction.commit().await?;
    Response::json(&json!({"before": before, "after": events(&ctx).await?}))
}

/// Stores each entry that can be stored.
async fn each(ctx: Context) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    let mut refused = Vec::new();
    for title in titles(&ctx) {
        let one = inside.db().savepoint().await?;
        match store(&ctx.with_db(one.db().clone()), &title).await {
            Ok(()) if title != "never" => one.commit().await?,
            Ok(()) | Err(_) => refused.push(title),
        }
    }
    transaction.commit().await?;
    Response::json(&json!({"refused": refused}))
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
    type Model = Entry;
    type Repository = EntryRepository;
    type Request = EntryRequest;
    type Transformer = EntryTransformer;
}

async fn unregistered(ctx: Context) -> Result<Response> {
    let transaction = ctx.db().begin().await?;
    let inside = ctx.with_db(transaction.db().clone());
    default::store(&Hidden, &inside).await?;
    transaction.commit().await?;
    Ok(Response::no_content())
}

fn diary() -> Service {
    Service::start(vec![Box::new(Diary)])
}

fn told(service: &Service) -> Vec<String> {
    let events = service.block_on(async { events(&service.context()).await });
    events.expect("events")
}

fn stored(service: &Service) -> u64 {
    let count = service.block_on(async { Entry::unscoped().count(&service.context()).await });
    count.expect("counted")
}

#[test]
fn hooks_follow_the_commit_of_the_routes_transaction_in_order() {
    let service = diary();
    let answer = service
        .guest()
        .post("/api/bulk", json!({"titles": ["a", "b"]}));
    assert_eq!(answer.status, 200, "{answer}");
    let after = ["saved a", "created a", "saved b", "created b"];
    assert_eq!(answer.json, json!({"before": [], "after": after}));
}

#[test]
fn hooks_never_follow_a_rollback() {
    let service = diary();
    let answer = service
        .guest()
        .post("/api/bulk", json!({"titles": ["a", ""]}));
    assert_eq!(answer.status, 422, "{answer}");
    assert_eq!(stored(&service), 0);
    assert_eq!(told(&service), [""; 0]);
}

#[test]
fn hooks_of_a_savepoint_that_was_rolled_back_never_run() {
    let service = diary();
    let body = json!({"titles": ["a", "", "never", "around never", "b"]});
    let answer = service.guest().post("/api/each", body);
    assert_eq!(answer.json, json!({"refused": ["", "never"]}), "{answer}");
    let expected = [
        "saved a",
        "created a",
        "saved never",
        "created never",
        "saved around never",
        "created around never",
        "saved b",
        "created b",
    ];
    assert_eq!(told(&service), expected, "the second `never` was kept");
    assert_eq!(stored(&service), 4);
}

#[test]
fn an_action_within_a_hook_has_its_hooks_after_the_outer_commit() {
    let service = diary();
    let answer = service
        .guest()
        .post("/api/entries", json!({"title": "around a"}));
    assert_eq!(answer.status, 201, "{answer}");
    let expected = ["saved a", "created a", "saved around a", "created around a"];
    assert_eq!(told(&service), expected);
}

#[test]
fn updates_and_deletions_wait_too_and_an_error_is_only_logged() {
    let service = diary();
    let guest = service.guest();
    assert_eq!(
        guest.post("/api/entries", json!({"title": "a"})).status,
        201
    );
    let answer = guest.post("/api/rewrite/1", json!({"title": "b"}));
    assert_eq!(answer.status, 204, "{answer}");
    let expected = ["saved a", "created a", "saved b", "updated b", "deleted b"];
    assert_eq!(told(&service), expected);
}

#[test]
fn a_controller_that_is_not_registered_is_refused_within_a_transaction() {
    let service = diary();
    let answer = service
        .guest()
        .post("/api/unregistered", json!({"title": "a"}));
    assert_eq!(answer.status, 500, "{answer}");
    assert_eq!(stored(&service), 0);
}
