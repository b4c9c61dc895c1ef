//! Actions that a hook calls on other records: what the client asked of its own record, by query string
//! and headers, does not count for them.

use std::{future::Future, pin::Pin};

use formwork::{
    prelude::*,
    rules::{required, string},
    testing::Service,
};
use serde::Serialize;

/// Notes about cases; a hook writes the case of a note.
struct Office;

impl Extension for Office {
    fn name(&self) -> &'static str {
        "office"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            ApiResource {
                key: "notes",
                name: "Notes",
                description: "What is said about cases",
                controller: Box::new(Notes),
                actions: actions!["store", "show", "update", "destroy"],
            },
            ApiResource {
                key: "cases",
                name: "Cases",
                description: "What is to be done",
                controller: Box::new(Cases),
                actions: actions!["store", "show", "update"],
            },
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260302000000,
            "create_office",
            "CREATE TABLE cases (id COUNTED_KEY, title TEXT NOT NULL, state TEXT NOT NULL);
                 CREATE TABLE notes (id COUNTED_KEY, case_id BIGINT NOT NULL, text TEXT NOT NULL)",
        )
    }
}

#[derive(Debug, Clone, Default, Serialize)]
struct Case {
    id: i64,
    title: String,
    state: String,
}

impl Model for Case {
    type Key = i64;

    const TABLE: &'static str = "cases";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("title", &mut self.title)?;
        to.column("state", &mut self.state)
    }
}

struct CaseRepository;

impl Repository for CaseRepository {
    type Model = Case;
}

struct CaseRequest;

impl ResourceRequest for CaseRequest {
    type Model = Case;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("title", &[required(), string()]),
        attribute("state", &[required(), string()]),
    ];
}

struct CaseTransformer;

impl Transformer for CaseTransformer {
    type Model = Case;

    fn transform<'a>(case: &'a Loaded<Case>, _ctx: &'a Context) -> impl Serialize + 'a {
        case.record()
    }
}

struct Cases;

impl RestController for Cases {
    type Model = Case;
    type Repository = CaseRepository;
    type Request = CaseRequest;
    type Transformer = CaseTransformer;
}

#[derive(Debug, Clone, Default, Serialize)]
struct Note {
    id: i64,
    case_id: i64,
    text: String,
}

impl Model for Note {
    type Key = i64;

    const TABLE: &'static str = "notes";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("case_id", &mut self.case_id)?;
        to.column("text", &mut self.text)
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("case", "cases", "case_id").include();
    }
}

struct NoteRepository;

impl Repository for NoteRepository {
    type Model = Note;
}

struct NoteRequest;

impl ResourceRequest for NoteRequest {
    type Model = Note;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("case_id", &[required()]),
        attribute("text", &[required(), string()]),
    ];
}

struct NoteTransformer;

impl Transformer for NoteTransformer {
    type Model = Note;

    fn transform<'a>(note: &'a Loaded<Note>, _ctx: &'a Context) -> impl Serialize + 'a {
        note.record()
    }
}

/// A note's text becomes its case's state, within the change or after it. `first …` is written to the
/// first note too.
struct Notes;

impl RestController for Notes {
    type Model = Note;
    type Repository = NoteRepository;
    type Request = NoteRequest;
    type Transformer = NoteTransformer;

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

/// A note that begins with this word changes its case.
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
    let guest = service.guest();
    let case = json!({"title": "a", "state": "new"});
    assert_eq!(guest.post("/api/cases", case).status, 201);
    for _ in 0..2 {
        let note = json!({"case_id": 1, "text": "x"});
        assert_eq!(guest.post("/api/notes", note).status, 201);
    }
    service
}

fn state(service: &Service) -> Json {
    service.guest().get("/api/cases/1").json["data"]["state"].clone()
}

#[test]
fn the_query_string_is_about_the_clients_own_record() {
    let service = office();
    for text in ["inside one", "after two"] {
        let path = "/api/notes/2?include=case&fields[notes]=text";
        let answer = service.guest().patch(path, json!({"text": text}));
        assert_eq!(answer.status, 200, "{answer}");
        assert_eq!(state(&service), text);
    }
}

#[test]
fn preconditions_are_about_the_clients_own_record() {
    let service = office();
    for text in ["inside one", "after two", "first three"] {
        let seen = service.guest().get("/api/notes/2");
        let tag = seen.header("etag").expect("a tag").to_owned();
        let client = service.guest().header("If-Match", &tag);
        let answer = client.patch("/api/notes/2", json!({"text": text}));
        assert_eq!(answer.status, 200, "{answer}");
        let stale = client.patch("/api/notes/2", json!({"text": "stale"}));
        assert_eq!(stale.status, 412, "{stale}");
    }
    assert_eq!(state(&service), "after two");
    let first = service.guest().get("/api/notes/1");
    assert_eq!(first.json["data"]["text"], "three", "{first}");
}

#[test]
fn an_update_within_a_store_or_a_put_requires_only_its_own_attributes() {
    let service = office();
    for text in ["inside one", "after two"] {
        let note = json!({"case_id": 1, "text": text});
        let stored = service.guest().post("/api/notes", note.clone());
        assert_eq!(stored.status, 201, "{stored}");
        assert_eq!(state(&service), text);
        service
            .guest()
            .patch("/api/cases/1", json!({"state": "new"}));
        let put = service.guest().put("/api/notes/1", note);
        assert_eq!(put.status, 200, "{put}");
        assert_eq!(state(&service), text);
    }
}
