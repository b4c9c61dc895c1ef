//! The service under test: articles, people, comments on both, labels.

#[macro_use]
#[path = "../databases/model.rs"]
mod model;
#[macro_use]
#[path = "../databases/parts.rs"]
mod parts;

use formwork::{prelude::*, rules::*};
use serde::Serialize;

/// An extension that is written by hand.
pub struct Magazine;

impl Extension for Magazine {
    fn name(&self) -> &'static str {
        "magazine"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        macro_rules! record {
            ($key:literal $controller:ident) => {
                resource! { $key $key "" ($controller)
                ["index" "show" "create:admin" "edit:admin" "store:admin" "update:admin" "destroy:admin"] }
            };
        }
        vec![
            record!("articles" Articles),
            record!("people" People),
            record!("comments" Comments),
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Label>("labels"),
            SupportingModel::of::<Section>("sections"),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = include_str!("magazine.sql");
        crate::databases::migration(20260301000000, "create_magazine", sql)
    }
}

model! {
    /// An article.
    Article "articles" {
        #[serde(rename = "id")] key article_id: i64,
        column title: String,
        column r#type: String,
        column author_id: Option<i64>,
        column editor_id: Option<i64>,
        column section: Option<String>,
        column rank: i32,
        #[serde(skip)] column secret: Option<String>,
    }

    const HIDDEN: &'static [&'static str] = &["secret"];

    fn defaults() -> Self {
        let (r#type, rank) = ("news".to_owned(), 1);
        Self { r#type, rank, ..Self::default() }
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("author", "people", "author_id").include();
        let editor = to.belongs_to_one("editor", "people", "editor_id");
        editor.json_type("editors").include();
        let part = to.belongs_to_one("part", "sections", "section");
        part.target_key("code").json_type("parts").include();
        let pivot = pivot("article_labels", "article_id", "label_id");
        to.belongs_to_many("labels", "labels", pivot)
            .include()
            .sync();
        let comments = to.has_many("comments", "comments", "subject_id");
        comments.condition("subject_type", "articles").include();
    }
}

impl Repository for Article {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "rank", "type"];
    const FILTER: &'static [&'static str] = &["type", "rank"];

    fn filters(to: &mut Filters<Self>) {
        to.column("ranked", "rank").default("1");
    }
}

impl ResourceRequest for Article {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("title", &[required(), string(), between(2, 64)]),
        attribute("type", &[one_of(&["news", "essay"])]),
        attribute(
            "author_id",
            &[nullable(), integer(), exists("people", "person_id")],
        ),
        attribute("rank", &[integer()]),
        attribute("labels", &[nullable(), array()]),
        attribute("labels.*", &[string()]),
    ];
}

#[derive(Serialize)]
struct ArticleData<'a> {
    headline: String,
    links: Links,
    #[serde(flatten)]
    attributes: &'a Article,
}

impl Transformer for Article {
    type Model = Self;

    fn transform<'a>(article: &'a Loaded<Self>, ctx: &'a Context) -> impl Serialize + 'a {
        ArticleData {
            headline: article.title.to_uppercase(),
            links: ctx.links("articles", article.article_id),
            attributes: article,
        }
    }

    fn shape(to: &mut Shape) {
        to.field::<String>("headline");
        to.field::<Links>("links");
        to.flatten::<Self>();
    }
}

/// Serves articles.
pub struct Articles;

impl RestController for Articles {
    parts_of!(Article);

    const PAGE_LIMIT: u32 = 3;
}

model! {
    /// A person.
    Person "people" {
        #[serde(rename = "id")] key person_id: i64,
        column name: String,
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("articles", "articles", "author_id").include();
        to.has_one("reply", "comments", "author_id").json_type("sections").include();
    }
}

parts! { Person [attribute("name", &[required(), string()])] }

/// Serves people.
pub struct People;

impl RestController for People {
    parts_of!(Person);

    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Store,
        Action::Show,
        Action::Update,
        Action::Destroy,
    ];
}

model! {
    /// A comment on an article or on a person.
    Comment "comments" {
        #[serde(rename = "id")] key comment_id: i64,
        column text: String,
        column subject_type: Option<String>,
        column subject_id: Option<i64>,
        column author_id: i64,
    }

    fn relations(to: &mut Relations<Self>) {
        let kinds = [("articles", "articles"), ("people", "people")];
        to.morph_to_one("subject", &kinds, "subject_type", "subject_id").include();
        to.belongs_to_one("author", "people", "author_id").include_default();
    }
}

impl Repository for Comment {
    type Model = Self;
}

impl ResourceRequest for Comment {
    type Model = Self;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("text", &[required(), string()]),
        attribute("subject_type", &[nullable(), string()]),
        attribute("subject_id", &[nullable(), integer()]),
        attribute("author_id", &[required(), integer()]),
    ];
}

#[derive(Serialize)]
struct CommentData<'a> {
    initial: char,
    #[serde(flatten)]
    attributes: &'a Comment,
}

/// Shapes comments without declaring their shape; it counts on a text in each of them.
impl Transformer for Comment {
    type Model = Self;

    fn transform<'a>(comment: &'a Loaded<Self>, _ctx: &'a Context) -> impl Serialize + 'a {
        CommentData {
            initial: comment.text.chars().next().expect("a text"),
            attributes: comment,
        }
    }
}

/// Serves comments.
pub struct Comments;

impl RestController for Comments {
    parts_of!(Comment);

    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Store,
        Action::Show,
        Action::Update,
        Action::Destroy,
    ];
}

model! {
    /// A word for articles; its key is a word too.
    Label "labels" {
        #[serde(rename = "id")] key label_id: String,
        column r#type: String,
    }
}

model! {
    /// A part of the magazine, which articles refer to by its code.
    Section "sections" {
        #[serde(rename = "id")] key section_id: i64,
        column code: String,
    }
}
