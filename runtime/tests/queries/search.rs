//! `search`: every word in one of the columns, not necessarily the same one.

use super::{ids, museum, refused};

#[test]
fn every_word_occurs_in_one_of_the_columns() {
    let service = museum();
    for (search, expected) in [
        ("amphora", &[1, 5][..]),
        ("AMPHORA+small", &[5]),
        ("small%20%20amphora", &[5]),
        ("hora", &[1, 5]),
        ("%25", &[3]),
        ("50%25", &[3]),
        ("_", &[4]),
        ("%C3%A4nnchen", &[4]),
        ("%C3%84NNCHEN", &[4]),
        ("99.99", &[4]),
        ("9000000000", &[1]),
        ("0400-05", &[1]),
        ("amphora+9000000000", &[1]),
        ("9000000000+AMPHORA", &[1]),
        ("amphora+nothing", &[]),
        ("nothing", &[]),
        ("", &[1, 3, 4, 5]),
        ("%27%22%3B--", &[]),
        ("!", &[]),
    ] {
        for name in ["search", "filter[search]"] {
            let query = format!("{name}={search}&sort=id");
            assert_eq!(ids(&service, &query), expected, "{query}");
        }
    }
}

#[test]
fn a_search_has_bounds() {
    let service = museum();
    assert_eq!(
        ids(&service, &format!("search={}", "a+".repeat(20))).len(),
        2
    );
    refused(&service, &format!("search={}", "a+".repeat(21)));
    refused(&service, &format!("search={}", "a".repeat(1001)));
    refused(&service, "search=a&filter[search]=a");
    refused(&service, "search=a&search=a");
}
