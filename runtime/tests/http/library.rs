//! A service written by hand: books for everyone, loans for members, who are its customers.

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
        let books = resource! { "books" "Books" "What the library lends" (Books)
        ["index" "show" "store:admin" "update:admin" "destroy:admin"] };
        let loans = resource! { "loans" "Loans" "Who has which book" (Loans)
        ["index:users" "show:users" "store:users" "destroy:admin"] };
        let members = resource! { "members" "Members" "Who may borrow" (Members)
        ["index:admin" "show:guest" "update:customer"] };
        vec![books, loans, members]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Shelf>("shelves")]
    }

    fn migrations(&self) -> &'static [Migration] {
        let sql = include_str!("library.sql");
        crate::databases::migration(20260201000000, "create_library", sql)
    }

    fn seed<'a>(&'a self, ctx: &'a Context) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            // Before its shelf: the seed's foreign keys are checked at its end.
            let mut book = Book {
                title: "Odes".to_owned(),
                shelf_id: Some(1),
                ..Book::default()
            };
            book.insert(ctx).await?;
            let mut shelf = Shelf::default();
            shelf.insert(ctx).await
        })
    }
}

model! {
    /// Where books stand.
    Shelf "shelves" {
        #[serde(rename = "id")] key shelf_id: i64,
        column name: String,
    }
}

model! {
    /// A book.
    Book "books" {
        key id: i64,
        column title: String,
        column price: Decimal<2>,
        column shelf_id: Option<i64>,
        #[serde(skip)] column supplier: Option<String>,
        created_at created_at: Option<DateTime>,
        updated_at updated_at: Option<DateTime>,
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("shelf", "shelves", "shelf_id").include();
        to.has_many("loans", "loans", "book_id").include();
    }
}

impl Repository for Book {
    type Model = Self;

    const SEARCH: &'static [&'static str] = &["title"];
    const SORT: &'static [&'static str] = &["title", "price"];
    const FILTER: &'static [&'static str] = &["price"];
}

impl ResourceRequest for Book {
    type Model = Self;

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

/// All attributes of a book, and a link.
#[derive(Serialize)]
struct Linked<'a> {
    links: Links,
    #[serde(flatten)]
    attributes: &'a Book,
}

impl Transformer for Book {
    type Model = Self;

    fn transform<'a>(book: &'a Loaded<Book>, ctx: &'a Context) -> impl Serialize + 'a {
        Linked {
            links: ctx.links("books", book.id),
            attributes: book.record(),
        }
    }
}

struct Books;

impl RestController for Books {
    parts_of!(Book);

    const PAGE_LIMIT: u32 = 2;
    const ACTIONS: &'static [Action] = &[
        Action::Index,
        Action::Show,
        Action::Store,
        Action::Update,
        Action::Destroy,
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["books:*"];

    async fn before_save(&self, _ctx: &Context, book: &mut Book) -> Result<()> {
        match book.title.ends_with('.') {
            true => Err(Error::validation("title", "A title has no full stop.")),
            false => Ok(()),
        }
    }
}

model! {
    /// A loan of a member.
    Loan "loans" {
        key id: i64,
        column book_id: i64,
        column member_id: i64,
    }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_one("book", "books", "book_id").include();
        to.belongs_to_one("member", "members", "member_id").include();
    }
}

parts! {
    Loan [
        attribute("book_id", &[required(), integer()]),
        attribute("member_id", &[required(), integer()]).admin(),
    ]

    const OWNER: Option<&'static str> = Some("member_id");
}

struct Loans;

impl RestController for Loans {
    parts_of!(Loan);

    const ACTIONS: &'static [Action] =
        &[Action::Index, Action::Show, Action::Store, Action::Destroy];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["loans:*"];
}

model! {
    /// A member: a customer of this service.
    Member "members" {
        key id: i64,
        column first_name: String,
        column last_name: String,
        column email: String,
        #[serde(skip)] column password: Option<String>,
        column status: bool,
    }
}

parts! {
    Member [
        attribute("first_name", &[required(), string()]),
        attribute("email", &[required(), email(), unique()]),
        attribute("status", &[required(), boolean()]).admin(),
    ]

    const OWNER: Option<&'static str> = Some("id");
}

struct Members;

impl RestController for Members {
    parts_of!(Member);

    const ACTIONS: &'static [Action] = &[Action::Index, Action::Show, Action::Update];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["members:*"];
}
