//! Actions that a hook calls on other records: the query string and the headers of the request do not
//! count for them.

use std::{future::Future, pin::Pin};

use formwork::{
    prelude::*,
    rules::{required, string},
    testing::Service,
};
use serde::Serialize;

use super::support::check;

/// Notes about cases; a hook writes the case of a note.
struct Office;

impl Extension for Office {
    fn name(&self) -> &'static str {
        "office"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let notes = resource! { "notes" "Notes" "What is said about cases" (Notes)
        ["store" "show" "update" "destroy"] };
        let cases = resource! { "cases" "Cases" "What is to be done" (Cases)
        ["store" "show" "update"] };
        vec![notes, cases]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = "CREATE TABLE cases (id COUNTED_KEY, title TEXT NOT NULL, state TEXT NOT NULL);
            CREATE TABLE notes (id COUNTED_KEY, case_id BIGINT NOT NULL, text TEXT NOT NULL)";
        crate::databases::migration(20260302000000, "create_office", sql)
    }
}

model! {
    Case "cases" {
        key id: i64,
        column title: String,
        column state: String,
    }
}

parts! {
    Case [
        attribute("title", &[required(), string()]),
        attribute("state", &[required(), string()]),
    ]
}

struct Cases;

impl RestController for Cases {
    parts_of!(Case);
}

model! {
    Note "notes" {
        key id: i64,
        column case_id: i64,
        column text: String,
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("case", "cases", "case_id").include();
    }
}

parts! {
    Note [
        attribute("case_id", &[required()]),
        attribute("text", &[required(), string()]),
    ]
}

/// A note's text becomes its case's state, in the transaction of the change or after it. `first …` is
/// written to the first note too.
struct Notes;

impl RestController for Notes {
    parts_of!(Note);

    async fn before_save(&self, ctx: &Context, note: &mut Note) -> Result<()> {
        set_state(ctx, note, "inside ").await?;
        match note.text.strip_prefix("first ") {
            Some(text) => rewrite_first(ctx, text).await,
            None => Ok(()),
        }
    }

    async fn after_save(&self, ctx: &Context, note: &Note) -> Result<()> {
        set_state(ctx, note, "after ").await
    }
}

/// Updates the case of a note that begins with this word.
async fn set_state(ctx: &Context, note: &Note, word: &str) -> Result<()> {
    if note.text.starts_with(word) {
        default::update(&Cases, &with(ctx, "state", &note.text), note.case_id).await?;
    }
    Ok(())
}

fn with(ctx: &Context, name: &str, value: &str) -> Context {
    ctx.with_input(Input::new(serde_json::Map::new()).with(name, value))
}

/// Boxed: `before_save` calls it.
fn rewrite_first<'a>(
    ctx: &'a Context,
    text: &'a str,
) -> Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>> {
    Box::pin(async move {
        let updated = default::update(&Notes, &with(ctx, "text", text), 1).await;
        updated.map(drop)
    })
}

/// A case with two notes.
fn office() -> Service {
    let service = Service::start(vec![Box::new(Office)]);
    let lines = r#"
        guest POST /api/cases {"title": "a", "state": "new"} => 201
        guest POST /api/notes {"case_id": 1, "text": "x"}    => 201
        guest POST /api/notes {"case_id": 1, "text": "x"}    => 201"#;
    check(&service, lines);
    service
}

#[test]
fn the_query_string_is_about_the_clients_own_record() {
    let lines = r#"
        guest PATCH /api/notes/2?include=case&fields[notes]=text {"text": "inside one"} => 200
        guest GET   /api/cases/1 => 200 /data/state "inside one"
        guest PATCH /api/notes/2?include=case&fields[notes]=text {"text": "after two"}  => 200
        guest GET   /api/cases/1 => 200 /data/state "after two""#;
    check(&office(), lines);
}

#[test]
fn preconditions_are_about_the_clients_own_record() {
    let service = office();
    for text in ["inside one", "after two", "first three"] {
        let current = service.guest().get("/api/notes/2");
        let tag = current.header("etag").expect("a tag");
        let lines = r#"
            guest PATCH /api/notes/2 @If-Match=TAG {"text": "TEXT"}  => 200
            guest PATCH /api/notes/2 @If-Match=TAG {"text": "stale"} => 412"#;
        check(&service, &lines.replace("TAG", tag).replace("TEXT", text));
    }
    let lines = r#"
        guest GET /api/cases/1 => 200 /data/state "after two"
        guest GET /api/notes/1 => 200 /data/text "three""#;
    check(&service, lines);
}

#[test]
fn an_update_within_a_store_or_a_put_requires_only_its_own_attributes() {
    let lines = r#"
        guest POST  /api/notes   {"case_id": 1, "text": "TEXT"} => 201
        guest GET   /api/cases/1                                => 200 /data/state "TEXT"
        guest PATCH /api/cases/1 {"state": "new"}               => 200
        guest PUT   /api/notes/1 {"case_id": 1, "text": "TEXT"} => 200
        guest GET   /api/cases/1                                => 200 /data/state "TEXT""#;
    let service = office();
    for text in ["inside one", "after two"] {
        check(&service, &lines.replace("TEXT", text));
    }
}
