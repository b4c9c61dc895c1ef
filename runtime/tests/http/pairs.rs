//! Two requests that link the same pair, each from its own side.

use std::thread;

use formwork::{prelude::*, rules::*, testing::Service};
use serde::Serialize;

use super::kitchen::parts::resource;

/// How often the two sides meet.
const ROUNDS: i64 = 25;

struct Library;

impl Extension for Library {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let actions = actions!["show", "update"];
        vec![
            resource("books", Books, actions),
            resource("labels", Labels, actions),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260403000000,
            "create_pairs",
            "CREATE TABLE books (id COUNTED_KEY, title TEXT);\n\
             CREATE TABLE labels (id COUNTED_KEY, title TEXT);\n\
             CREATE TABLE book_labels (book_id INTEGER NOT NULL, label_id INTEGER NOT NULL, \
             PRIMARY KEY (book_id, label_id), FOREIGN KEY (book_id) REFERENCES books (id), \
             FOREIGN KEY (label_id) REFERENCES labels (id))",
        )
    }
}

/// One side of the pair.
macro_rules! side {
    ($controller:ident, $model:ident, $table:literal, $own:literal, $others:literal, $other:literal) => {
        model! {
            $model $table { key id: i64, column title: Option<String> }

            fn relations(to: &mut Relations<Self>) {
                let between = pivot("book_labels", $own, $other);
                to.belongs_to_many($others, $others, between)
                    .include()
                    .sync();
            }
        }

        parts! {
            $model [
                attribute("title", &[nullable(), string()]),
                attribute($others, &[array()]),
            ]
        }

        struct $controller;

        impl RestController for $controller {
            parts_of!($model);

            const ACTIONS: &'static [Action] = &[Action::Show, Action::Update];
        }
    };
}

side!(Books, Book, "books", "book_id", "labels", "label_id");
side!(Labels, Label, "labels", "label_id", "books", "book_id");

#[test]
fn a_pair_is_linked_from_both_sides_at_once() {
    let service = Service::start(vec![Box::new(Library)]);
    for id in 1..=ROUNDS {
        for table in ["books", "labels"] {
            let sql = format!("INSERT INTO {table} (id) VALUES ({id})");
            let stored = service.block_on(service.app().db().execute(sql, []));
            assert_eq!(stored.expect("a row"), 1);
        }
        let answers = thread::scope(|scope| {
            let link = |side: &'static str, other: &'static str| {
                let service = &service;
                scope.spawn(move || {
                    let body = json!({"title": "linked", other: [id]});
                    service.guest().patch(&format!("/api/{side}/{id}"), body)
                })
            };
            [link("books", "labels"), link("labels", "books")]
                .map(|sent| sent.join().expect("an answer"))
        });
        for answer in answers {
            assert_eq!(answer.status, 200, "round {id}: {answer}");
        }
        let book = service
            .guest()
            .get(&format!("/api/books/{id}?include=labels"));
        assert_eq!(book.json["data"]["labels"][0]["id"], id, "{book}");
    }
}
