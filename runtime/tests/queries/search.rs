//! `search`: every word in one of the columns, not necessarily the same one.

use super::{ids, list_all, museum, rejection};

#[test]
fn every_word_occurs_in_one_of_the_columns() {
    let service = museum();
    let searches = "
        amphora AMPHORA+small small%20%20amphora hora %25 50%25 _ %C3%A4nnchen %C3%84NNCHEN 99.99
        9000000000 0400-05 amphora+9000000000 9000000000+AMPHORA amphora+nothing nothing
        %27%22%3B-- !";
    let [found, filtered] = ["search", "filter[search]"].map(|name| {
        let path = |search: &str| format!("/api/things?{name}={search}&sort=id");
        list_all(&service, searches.split_whitespace(), path)
    });
    insta::assert_snapshot!(found);
    assert_eq!(filtered, found);
    for name in ["search", "filter[search]"] {
        assert_eq!(ids(&service, &format!("{name}=&sort=id")), [1, 3, 4, 5]);
    }
}

#[test]
fn a_search_has_bounds() {
    let service = museum();
    let words = |count| format!("search={}", "a+".repeat(count));
    assert_eq!(ids(&service, &words(10)).len(), 2);
    rejection(&service, &words(11));
    rejection(&service, &format!("search={}", "a".repeat(1001)));
    rejection(&service, "search=a&filter[search]=a");
    rejection(&service, "search=a&search=a");
}
