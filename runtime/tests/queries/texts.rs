//! Texts that databases compare and sort differently, unless they are told how.

use formwork::{prelude::*, testing::Service};

use super::{
    encoded, keys, list_all,
    shelf::{Book, Label, Shelf},
};

const TITLES: &str = "apple|Apple|APPLE|apple | apple|äpfel|Äpfel|ÄPFEL|Äpfelöl|apfel|a\u{308}pfel|\
    Zebra|zebra|_x|%y|back\\slash|1|10|2|москва|Москва|東京|🍏|🍎 pie";

pub fn shelf() -> Service {
    Service::start(vec![Box::new(Shelf)])
}

/// The shelf, with a book of each title.
fn filled() -> Service {
    let service = shelf();
    for (index, title) in TITLES.split('|').enumerate() {
        assert_eq!(store(&service, book(index, title)), 201, "{title:?}");
    }
    service
}

fn book(index: usize, title: &str) -> Book {
    let number = index % 3;
    let notes = [None, Some(String::new()), Some(title.to_owned())];
    // Items of an inner list are no items of the outer one.
    let inner = json!([["A", 1, title], {"tag": "A"}]);
    let tags = [
        index.is_multiple_of(2).then_some(inner),
        Some(json!([title, number])),
        Some(json!(["A", "a ", 1, true])),
    ];
    Book {
        title: title.to_owned(),
        note: notes[number].clone(),
        rank: [None, Some(1), Some(2), Some(3)][index % 4],
        price: format!("{number}.50").parse().ok(),
        tags: tags[number].clone(),
        ..Book::default()
    }
}

/// Stores a book as it is: texts of a body lose the spaces around them. Returns the status that a
/// request would get.
fn store(service: &Service, mut book: Book) -> u16 {
    let stored = service.block_on(book.insert(&service.context()));
    stored.map_or_else(|error| error.status().into(), |()| 201)
}

/// The queries with each title and with other texts, all on attributes and filters that compare texts.
fn queries() -> Vec<String> {
    let texts = TITLES
        .split('|')
        .chain("ÄPFELÖL|МОСКВА|ab\u{301}|!|\\|pfel".split('|'));
    let all = texts.flat_map(|text| {
        [
            format!("search={text}"),
            format!("filter[title]={text}"),
            format!("filter[note][ne]={text}"),
            format!("filter[title][in]=zebra,{text}"),
            format!("filter[title][gte]={text}"),
            format!("filter[title][like]={text}"),
            format!("filter[title][like]=%{text}_%"),
            format!("tag={text}"),
            format!("tag_or_none={text}"),
        ]
    });
    let more = "search= filter[title]= filter[title][gte]= filter[title][like]= \
        filter[title][like]=%_% filter[note][ne]= filter[note][null]=true filter[note]= \
        filter[rank][lt]=3 number=1 tag=A";
    all.chain(more.split(' ').map(String::from)).collect()
}

#[test]
fn comparisons_and_searches_find_the_same_rows() {
    let service = filled();
    let found = list_all(&service, queries(), |query| {
        let (name, value) = query.rsplit_once('=').expect("a value");
        format!("/api/books?pageLimit=50&sort=id&{name}={}", encoded(value))
    });
    insta::assert_snapshot!(found);
}

#[test]
fn lists_have_the_same_order_and_pages_follow_it() {
    let service = filled();
    let sorts = "title -title note -note rank -rank note,-rank price,title -rank,note";
    let sorts: Vec<&str> = sorts.split(' ').collect();
    let sorted = list_all(&service, &sorts, |sort| {
        format!("/api/books?pageLimit=50&sort={sort}")
    });
    let paged = list_all(&service, &sorts, |sort| {
        format!("/api/books?page[size]=50&page[after]=&sort={sort}")
    });
    assert_eq!(paged, sorted);
    insta::assert_snapshot!(sorted);
    for (sort, line) in sorts.iter().zip(sorted.lines()) {
        let mut next = Some(format!("/api/books?page[size]=5&page[after]=&sort={sort}"));
        let mut read = Vec::new();
        while let Some(path) = next.filter(|_| read.len() < 100) {
            let page = service.guest().get(&path);
            read.extend(keys(&page));
            next = page.json["links"]["next"].as_str().map(String::from);
        }
        assert_eq!(format!("{sort}: {read:?}"), line);
    }
}

#[test]
fn values_are_unique_by_their_bytes() {
    let service = shelf();
    for expected in [201, 422] {
        for title in TITLES.split('|') {
            assert_eq!(store(&service, book(0, title)), expected, "{title:?}");
        }
    }
}

/// Stores books with this note; returns the statuses, and the last answer that is no 201.
fn post_books(service: &Service, note: &str, titles: [&str; 3]) -> (Vec<u16>, Json) {
    let mut rejected = Json::Null;
    let statuses = titles.map(|title| {
        let body = json!({"title": title, "note": note});
        let answer = service.admin().post("/api/books", body);
        if answer.status != 201 {
            rejected = answer.json;
        }
        answer.status
    });
    (statuses.to_vec(), rejected)
}

#[test]
fn a_hook_goes_on_after_a_value_was_taken() {
    let service = shelf();
    let (statuses, rejected) = post_books(&service, "#new", ["First", "Second", "Third"]);
    assert_eq!(statuses, [201; 3], "{rejected}");
    let labels = Label::unscoped().order_by("word");
    let labels = service.block_on(labels.all(&service.context()));
    let labels = labels.expect("labels").into_iter().map(|label| label.word);
    // The third book has `new` again.
    assert_eq!(labels.collect::<Vec<_>>(), ["NEW", "new"]);
}

#[test]
fn a_value_that_was_taken_is_refused_to_the_sql_of_a_hook() {
    let (statuses, rejected) = post_books(&shelf(), "!new", ["First", "Second", "Third"]);
    assert_eq!(statuses, [201, 422, 422]);
    let message = json!(["The word has already been taken."]);
    assert_eq!(rejected["errors"]["word"], message);
}
