//! The service under test: articles, people, comments on both, labels.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

/// An extension without a line that a generator wrote.
pub struct Magazine;

impl Extension for Magazine {
    fn name(&self) -> &'static str {
        "magazine"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let record = |key, controller| ApiResource {
            key,
            name: key,
            description: "",
            controller,
            actions: actions![
                "index",
                "show",
                "create:admin",
                "edit:admin",
                "store:admin",
                "update:admin",
                "destroy:admin"
            ],
        };
        vec![
            record("articles", Box::new(Articles)),
            record("people", Box::new(People)),
            record("comments", Box::new(Comments)),
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Label>("labels"),
            SupportingModel::of::<Section>("sections"),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260301000000,
            "create_magazine",
            include_str!("magazine.sql"),
        )
    }
}

/// An article.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Article {
    #[serde(rename = "id")]
    pub article_id: i64,
    pub title: String,
    pub r#type: String,
    pub author_id: Option<i64>,
    pub editor_id: Option<i64>,
    pub section: Option<String>,
    pub rank: i32,
    #[serde(skip)]
    pub secret: Option<String>,
}

impl Model for Article {
    type Key = i64;

    const TABLE: &'static str = "articles";
    const KEY: &'static str = "article_id";
    const HIDDEN: &'static [&'static str] = &["secret"];

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("article_id", &mut self.article_id)?;
        to.column("title", &mut self.title)?;
        to.column("type", &mut self.r#type)?;
        to.column("author_id", &mut self.author_id)?;
        to.column("editor_id", &mut self.editor_id)?;
        to.column("section", &mut self.section)?;
        to.column("rank", &mut self.rank)?;
        to.column("secret", &mut self.secret)
    }

    fn defaults() -> Self {
        Self {
            r#type: "news".to_owned(),
            rank: 1,
            ..Self::default()
        }
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("author", "people", "author_id").include();
        to.belongs_to_one("editor", "people", "editor_id")
            .json_type("editors")
            .include();
        to.belongs_to_one("part", "sections", "section")
            .target_key("code")
            .json_type("parts")
            .include();
        to.belongs_to_many(
            "labels",
            "labels",
            pivot("article_labels", "article_id", "label_id"),
        )
        .include()
        .sync();
        to.has_many("comments", "comments", "subject_id")
            .condition("subject_type", "articles")
            .include();
    }
}

/// Finds articles.
pub struct ArticleRepository;

impl Repository for ArticleRepository {
    type Model = Article;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "rank", "type"];
    const FILTER: &'static [&'static str] = &["type", "rank"];

    fn filters(to: &mut Filters<Article>) {
        to.column("ranked", "rank").default("1");
    }
}

/// Validates articles.
pub struct ArticleRequest;

impl ResourceRequest for ArticleRequest {
    type Model = Article;

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

/// Shapes articles.
pub struct ArticleTransformer;

#[derive(Serialize)]
struct ArticleData<'a> {
    headline: String,
    links: Links,
    #[serde(flatten)]
    attributes: &'a Article,
}

impl Transformer for ArticleTransformer {
    type Model = Article;

    fn transform<'a>(article: &'a Loaded<Article>, ctx: &'a Context) -> impl Serialize + 'a {
        ArticleData {
            headline: article.title.to_uppercase(),
            links: ctx.links("articles", article.article_id),
            attributes: article,
        }
    }

    fn shape(to: &mut Shape) {
        to.field::<String>("headline");
        to.field::<Links>("links");
        to.flatten::<Article>();
    }
}

/// Serves articles.
pub struct Articles;

impl RestController for Articles {
    type Model = Article;
    type Repository = ArticleRepository;
    type Request = ArticleRequest;
    type Transformer = ArticleTransformer;

    const ACTIONS: &'static [ActionConfig] = &[
        index().page_limit(3),
        create(),
        store(),
        show(),
        edit(),
        update(),
        destroy(),
    ];
}

/// Somebody.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Person {
    #[serde(rename = "id")]
    pub person_id: i64,
    pub name: String,
}

impl Model for Person {
    type Key = i64;

    const TABLE: &'static str = "people";
    const KEY: &'static str = "person_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("person_id", &mut self.person_id)?;
        to.column("name", &mut self.name)
    }

    fn relations(to: &mut Relations<Self>) {
        to.has_many("articles", "articles", "author_id").include();
        to.has_one("reply", "comments", "author_id")
            .json_type("sections")
            .include();
    }
}

/// A comment on an article or on a person.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Comment {
    #[serde(rename = "id")]
    pub comment_id: i64,
    pub text: String,
    pub subject_type: Option<String>,
    pub subject_id: Option<i64>,
    pub author_id: i64,
}

impl Model for Comment {
    type Key = i64;

    const TABLE: &'static str = "comments";
    const KEY: &'static str = "comment_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("comment_id", &mut self.comment_id)?;
        to.column("text", &mut self.text)?;
        to.column("subject_type", &mut self.subject_type)?;
        to.column("subject_id", &mut self.subject_id)?;
        to.column("author_id", &mut self.author_id)
    }

    fn relations(to: &mut Relations<Self>) {
        to.morph_to_one(
            "subject",
            &[("articles", "articles"), ("people", "people")],
            "subject_type",
            "subject_id",
        )
        .include();
        to.belongs_to_one("author", "people", "author_id")
            .include_default();
    }
}

/// A word for articles; its key is a word too.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Label {
    #[serde(rename = "id")]
    pub label_id: String,
    pub r#type: String,
}

impl Model for Label {
    type Key = String;

    const TABLE: &'static str = "labels";
    const KEY: &'static str = "label_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("label_id", &mut self.label_id)?;
        to.column("type", &mut self.r#type)
    }
}

/// A part of the magazine, which articles name by its code.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Section {
    #[serde(rename = "id")]
    pub section_id: i64,
    pub code: String,
}

impl Model for Section {
    type Key = i64;

    const TABLE: &'static str = "sections";
    const KEY: &'static str = "section_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("section_id", &mut self.section_id)?;
        to.column("code", &mut self.code)
    }
}

/// Finds people.
pub struct PersonRepository;

impl Repository for PersonRepository {
    type Model = Person;
}

/// Validates people.
pub struct PersonRequest;

impl ResourceRequest for PersonRequest {
    type Model = Person;

    const ATTRIBUTES: &'static [Attribute] = &[attribute("name", &[required(), string()])];
}

/// Shapes people: all their attributes.
pub struct PersonTransformer;

impl Transformer for PersonTransformer {
    type Model = Person;

    fn transform<'a>(person: &'a Loaded<Person>, _ctx: &'a Context) -> impl Serialize + 'a {
        person.record()
    }

    fn shape(to: &mut Shape) {
        to.flatten::<Person>();
    }
}

/// Serves people.
pub struct People;

impl RestController for People {
    type Model = Person;
    type Repository = PersonRepository;
    type Request = PersonRequest;
    type Transformer = PersonTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), store(), show(), update(), destroy()];
}

/// Finds comments.
pub struct CommentRepository;

impl Repository for CommentRepository {
    type Model = Comment;
}

/// Validates comments.
pub struct CommentRequest;

impl ResourceRequest for CommentRequest {
    type Model = Comment;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("text", &[required(), string()]),
        attribute("subject_type", &[nullable(), string()]),
        attribute("subject_id", &[nullable(), integer()]),
        attribute("author_id", &[required(), integer()]),
    ];
}

/// Shapes comments, and does not declare what it shows; it counts on their having a text.
pub struct CommentTransformer;

#[derive(Serialize)]
struct CommentData<'a> {
    initial: char,
    #[serde(flatten)]
    attributes: &'a Comment,
}

impl Transformer for CommentTransformer {
    type Model = Comment;

    fn transform<'a>(comment: &'a Loaded<Comment>, _ctx: &'a Context) -> impl Serialize + 'a {
        CommentData {
            initial: comment.text.chars().next().expect("a text"),
            attributes: comment,
        }
    }
}

/// Serves comments.
pub struct Comments;

impl RestController for Comments {
    type Model = Comment;
    type Repository = CommentRepository;
    type Request = CommentRequest;
    type Transformer = CommentTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), store(), show(), update(), destroy()];
}
