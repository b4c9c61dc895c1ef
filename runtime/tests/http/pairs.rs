//! Two requests that link the same pair, each from its own side.

use std::thread;

use formwork::{prelude::*, rules::*, testing::Service};
use serde::Serialize;

/// How often the two sides meet.
const ROUNDS: i64 = 25;

struct Library;

impl Extension for Library {
    fn name(&self) -> &'static str {
        "pairs"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let resource = |key, controller| ApiResource {
            key,
            name: key,
            description: "One side of a pair",
            controller,
            actions: actions!["show", "update"],
        };
        vec![
            resource("books", Box::new(Books)),
            resource("labels", Box::new(Labels)),
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
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        struct $model {
            id: i64,
            title: Option<String>,
        }

        impl Model for $model {
            type Key = i64;

            const TABLE: &'static str = $table;
            const KEY: &'static str = "id";

            fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
                to.key("id", &mut self.id)?;
                to.column("title", &mut self.title)
            }

            fn relations(to: &mut Relations<Self>) {
                let between = pivot("book_labels", $own, $other);
                to.belongs_to_many($others, $others, between)
                    .include()
                    .sync();
            }
        }

        impl Repository for $model {
            type Model = Self;
        }

        impl ResourceRequest for $model {
            type Model = Self;

            const ATTRIBUTES: &'static [Attribute] = &[
                attribute("title", &[nullable(), string()]),
                attribute($others, &[array()]),
            ];
        }

        impl Transformer for $model {
            type Model = Self;

            fn transform<'a>(record: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
                record.record()
            }

            fn shape(to: &mut Shape) {
                to.flatten::<Self>();
            }
        }

        struct $controller;

        impl RestController for $controller {
            type Model = $model;
            type Repository = $model;
            type Request = $model;
            type Transformer = $model;

            const ACTIONS: &'static [ActionConfig] = &[show(), update()];
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
