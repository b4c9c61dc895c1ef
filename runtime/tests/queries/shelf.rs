//! The service under test: books, whose texts are compared in each way.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

use super::{parts::resource, samples};

/// An extension without a line that a generator wrote.
pub struct Shelf;

impl Extension for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let books = resource("books", Books, actions!["index", "show", "store:admin"]);
        vec![books, samples::samples_resource()]
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

model! {
    /// Something to read.
    Book "books" {
        #[serde(rename = "id")] key book_id: i64,
        column title: String,
        column note: Option<String>,
        column rank: Option<i32>,
        column price: Option<Decimal<2>>,
        column tags: Option<Json>,
    }
}

parts! {
    Book [
        attribute("title", &[required(), string(), unique()]),
        attribute("note", &[nullable(), string()]),
        attribute("rank", &[nullable(), integer()]),
        attribute("price", &[nullable(), numeric()]),
        attribute("tags", &[nullable(), json()]),
    ]

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

model! {
    /// A word that is on some book.
    Label "labels" { key label_id: i64, column word: String }
}

/// Serves books.
pub struct Books;

impl RestController for Books {
    parts_of!(Book);

    const MAX_PAGE_LIMIT: u32 = 50;
    const ACTIONS: &'static [Action] = &[Action::Index, Action::Store, Action::Show];

    /// Stores the rest of a note that begins with `#` as a label, which another book may have already,
    /// and the rest of a note that begins with `!` by SQL, as a label that has to be new.
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
