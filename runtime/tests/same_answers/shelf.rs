//! The service under test: books, whose texts are compared in each way.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

use crate::samples;

/// An extension without a line that a generator wrote.
pub struct Shelf;

impl Extension for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let books = ApiResource {
            key: "books",
            name: "Books",
            description: "What is read",
            controller: Box::new(Books),
            actions: actions!["index", "show", "store:admin"],
        };
        vec![books, samples::resource()]
    }

    fn migrations(&self) -> &'static [Migration] {
        const BOOKS: &str = r#"CREATE TABLE "books" (
            "book_id" COUNTED_KEY,
            "title" TEXT_KEY NOT NULL UNIQUE,
            "note" TEXT,
            "rank" INTEGER,
            "price" DECIMAL(18, 2),
            "tags" JSON
        );
        CREATE TABLE "labels" (
            "label_id" COUNTED_KEY,
            "word" TEXT_KEY NOT NULL UNIQUE
        );"#;
        let sql = format!("{BOOKS}{}", samples::TABLE);
        crate::databases::migration(20260501000000, "create_books", &sql)
    }
}

/// Something to read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Book {
    #[serde(rename = "id")]
    pub book_id: i64,
    pub title: String,
    pub note: Option<String>,
    pub rank: Option<i32>,
    pub price: Option<Decimal<2>>,
    pub tags: Option<Json>,
}

impl Model for Book {
    type Key = i64;

    const TABLE: &'static str = "books";
    const KEY: &'static str = "book_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("book_id", &mut self.book_id)?;
        to.column("title", &mut self.title)?;
        to.column("note", &mut self.note)?;
        to.column("rank", &mut self.rank)?;
        to.column("price", &mut self.price)?;
        to.column("tags", &mut self.tags)
    }
}

impl Repository for Book {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "note", "rank", "price"];
    const FILTER: &'static [&'static str] = &["title", "note", "rank", "price"];

    fn filters(to: &mut Filters<Self>) {
        to.custom("tag", |query, value, _ctx| {
            query.json_contains("tags", value.text());
            Ok(())
        });
        to.custom("tag_or_none", |query, value, _ctx| {
            query.json_contains_or_null("tags", value.text());
            Ok(())
        });
        to.custom("number", |query, value, _ctx| {
            query.json_contains("tags", value.integer()?);
            Ok(())
        });
    }
}

impl ResourceRequest for Book {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("title", &[required(), string(), unique()]),
        attribute("note", &[nullable(), string()]),
        attribute("rank", &[nullable(), integer()]),
        attribute("price", &[nullable(), numeric()]),
        attribute("tags", &[nullable(), json()]),
    ];
}

impl Transformer for Book {
    type Model = Self;

    fn transform<'a>(book: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        book.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Self>();
    }
}

/// A word that is on some book.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Label {
    pub label_id: i64,
    pub word: String,
}

impl Model for Label {
    type Key = i64;

    const TABLE: &'static str = "labels";
    const KEY: &'static str = "label_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("label_id", &mut self.label_id)?;
        to.column("word", &mut self.word)
    }
}

/// Serves books.
pub struct Books;

impl RestController for Books {
    type Model = Book;
    type Repository = Book;
    type Request = Book;
    type Transformer = Book;

    const ACTIONS: &'static [ActionConfig] = &[index().max_page_limit(50), store(), show()];

    /// A note that begins with `#` is a label. Another book may have it by now. That of a note with
    /// `!` is stored by SQL of the project's own, and must be a new one.
    async fn write_relations(&self, ctx: &Context, book: &Book) -> Result<()> {
        let note = book.note.as_deref().unwrap_or_default();
        if let Some(word) = note.strip_prefix('!') {
            let sql = r#"INSERT INTO "labels" ("word") VALUES (?)"#;
            return ctx.db().execute(sql, [word.into()]).await.map(drop);
        }
        let Some(word) = note.strip_prefix('#') else {
            return Ok(());
        };
        let mut label = Label {
            word: word.to_owned(),
            ..Label::default()
        };
        match label.insert(ctx).await {
            Err(error) if error.status() == 422 => {
                // The transaction goes on.
                let again = Label::unscoped().eq("word", word);
                let found = again
                    .set(ctx, &[("word", word.to_uppercase().into())])
                    .await?;
                assert_eq!(found, 1, "the label of the other book");
                Ok(())
            }
            inserted => inserted,
        }
    }
}
