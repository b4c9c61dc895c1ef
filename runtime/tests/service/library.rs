//! A service written by hand: books for everybody, loans for members, with what the templates pour
//! and without the generator.

use formwork::{prelude::*, rules::*};
use serde::Serialize;

/// Everything the service is made of.
pub fn extensions() -> Vec<Box<dyn Extension>> {
    vec![Box::new(Library)]
}

struct Library;

impl Extension for Library {
    fn name(&self) -> &'static str {
        "example.library"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            ApiResource {
                key: "books",
                name: "Books",
                description: "What the library lends",
                controller: Box::new(Books),
                actions: actions![
                    "index",
                    "show",
                    "store:admin",
                    "update:admin",
                    "destroy:admin"
                ],
            },
            ApiResource {
                key: "loans",
                name: "Loans",
                description: "Who has which book",
                controller: Box::new(Loans),
                actions: actions!["index:users", "show:users", "store:users", "destroy:admin"],
            },
            ApiResource {
                key: "members",
                name: "Members",
                description: "Who may borrow",
                controller: Box::new(Members),
                actions: actions!["index:admin", "show:guest", "update:customer"],
            },
        ]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Shelf>("shelves")]
    }

    fn migrations(&self) -> &'static [Migration] {
        crate::databases::migration(
            20260201000000,
            "create_library",
            include_str!("library.sql"),
        )
    }

    fn seed<'a>(&'a self, ctx: &'a Context) -> Seeding<'a> {
        Box::pin(async move {
            // Before its shelf: the seed's foreign keys are checked at its end.
            let mut book = Book {
                title: "Odes".to_owned(),
                shelf_id: Some(1),
                ..Book::default()
            };
            book.insert(ctx).await?;
            let mut shelf = Shelf {
                name: "Poetry".to_owned(),
                ..Shelf::default()
            };
            shelf.insert(ctx).await
        })
    }
}

/// Where books stand.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Shelf {
    #[serde(rename = "id")]
    pub shelf_id: i64,
    pub name: String,
}

impl Model for Shelf {
    type Key = i64;

    const TABLE: &'static str = "shelves";
    const KEY: &'static str = "shelf_id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("shelf_id", &mut self.shelf_id)?;
        to.column("name", &mut self.name)
    }
}

/// A book.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Book {
    pub id: i64,
    pub title: String,
    pub price: Decimal<2>,
    pub shelf_id: Option<i64>,
    #[serde(skip)]
    pub supplier: Option<String>,
    pub created_at: Option<DateTime>,
    pub updated_at: Option<DateTime>,
}

impl Model for Book {
    type Key = i64;

    const TABLE: &'static str = "books";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("title", &mut self.title)?;
        to.column("price", &mut self.price)?;
        to.column("shelf_id", &mut self.shelf_id)?;
        to.column("supplier", &mut self.supplier)?;
        to.created_at(&mut self.created_at)?;
        to.updated_at(&mut self.updated_at)
    }

    #[expect(deprecated, reason = "projects that were poured before")]
    fn relations(to: &mut Relations<Self>) {
        to.belongs_to("shelf", "shelves", |book| book.shelf_id)
            .include();
        to.has_many("loans", "loans", "book_id").include();
    }
}

struct BookRepository;

impl Repository for BookRepository {
    type Model = Book;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "price"];
    const FILTER: &'static [&'static str] = &["price"];
}

struct BookRequest;

impl ResourceRequest for BookRequest {
    type Model = Book;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("title", &[required(), string(), between(2, 255)]),
        attribute("price", &[required(), numeric(), min(0)]),
        attribute(
            "shelf_id",
            &[nullable(), integer(), exists("shelves", "shelf_id")],
        ),
        attribute("supplier", &[nullable(), string()]),
    ];
}

/// All attributes of a model, and a link: what a transformer is for most resources.
#[derive(Serialize)]
struct Linked<'a, M> {
    links: Links,
    #[serde(flatten)]
    attributes: &'a M,
}

struct BookTransformer;

impl Transformer for BookTransformer {
    type Model = Book;

    fn transform<'a>(book: &'a Loaded<Book>, ctx: &'a Context) -> impl Serialize + 'a {
        Linked {
            links: ctx.links("books", book.id),
            attributes: book.record(),
        }
    }
}

struct Books;

impl RestController for Books {
    type Model = Book;
    type Repository = BookRepository;
    type Request = BookRequest;
    type Transformer = BookTransformer;

    const ACTIONS: &'static [ActionConfig] =
        &[index().page_limit(2), show(), store(), update(), destroy()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["books:*"];

    async fn before_save(&self, _ctx: &Context, book: &mut Book) -> Result<()> {
        if book.title.ends_with('.') {
            return Err(Error::validation(
                "title",
                "A title ends without a full stop.",
            ));
        }
        Ok(())
    }
}

/// A loan of a member.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Loan {
    pub id: i64,
    pub book_id: i64,
    pub member_id: i64,
}

impl Model for Loan {
    type Key = i64;

    const TABLE: &'static str = "loans";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("book_id", &mut self.book_id)?;
        to.column("member_id", &mut self.member_id)
    }

    #[expect(deprecated, reason = "projects that were poured before")]
    fn relations(to: &mut Relations<Self>) {
        to.belongs_to("book", "books", |loan| loan.book_id)
            .include();
        to.belongs_to("member", "members", |loan| loan.member_id)
            .include();
    }
}

struct LoanRepository;

impl Repository for LoanRepository {
    type Model = Loan;

    const OWNER: Option<&'static str> = Some("member_id");
}

struct LoanRequest;

impl ResourceRequest for LoanRequest {
    type Model = Loan;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("book_id", &[required(), integer()]),
        attribute("member_id", &[required(), integer()]).admin(),
    ];
}

struct LoanTransformer;

impl Transformer for LoanTransformer {
    type Model = Loan;

    fn transform<'a>(loan: &'a Loaded<Loan>, _ctx: &'a Context) -> impl Serialize + 'a {
        loan.record()
    }
}

struct Loans;

impl RestController for Loans {
    type Model = Loan;
    type Repository = LoanRepository;
    type Request = LoanRequest;
    type Transformer = LoanTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), show(), store(), destroy()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["loans:*"];
}

/// A member: a customer of this service.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Member {
    pub id: i64,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    #[serde(skip)]
    pub password: Option<String>,
    pub status: bool,
}

impl Model for Member {
    type Key = i64;

    const TABLE: &'static str = "members";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)?;
        to.column("first_name", &mut self.first_name)?;
        to.column("last_name", &mut self.last_name)?;
        to.column("email", &mut self.email)?;
        to.column("password", &mut self.password)?;
        to.column("status", &mut self.status)
    }
}

struct MemberRepository;

impl Repository for MemberRepository {
    type Model = Member;

    const OWNER: Option<&'static str> = Some("id");
}

struct MemberRequest;

impl ResourceRequest for MemberRequest {
    type Model = Member;

    const ATTRIBUTES: &'static [Attribute] = &[
        attribute("first_name", &[required(), string()]),
        attribute("email", &[required(), email(), unique()]),
        attribute("status", &[required(), boolean()]).admin(),
    ];
}

struct MemberTransformer;

impl Transformer for MemberTransformer {
    type Model = Member;

    fn transform<'a>(member: &'a Loaded<Member>, _ctx: &'a Context) -> impl Serialize + 'a {
        member.record()
    }
}

struct Members;

impl RestController for Members {
    type Model = Member;
    type Repository = MemberRepository;
    type Request = MemberRequest;
    type Transformer = MemberTransformer;

    const ACTIONS: &'static [ActionConfig] = &[index(), show(), update()];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["members:*"];
}
