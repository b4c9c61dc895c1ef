//! `sort`, in all its forms, on every type.

use formwork::data::database::Dialect;

use super::{ids, museum, refused};

#[test]
fn every_type_has_an_order() {
    let service = museum();
    for (sort, expected) in [
        ("title", [1, 3, 4, 5]),
        ("-title", [5, 4, 3, 1]),
        ("floor", [4, 1, 3, 5]),
        ("-floor", [5, 3, 1, 4]),
        ("visits", [4, 3, 5, 1]),
        ("weight", [4, 5, 3, 1]),
        ("-weight", [1, 3, 5, 4]),
        ("price", [3, 5, 1, 4]),
        ("-price", [4, 1, 5, 3]),
        ("native", [4, 5, 3, 1]),
        ("-made_on", [1, 3, 5, 4]),
        ("-shown_at", [3, 1, 5, 4]),
        ("-found_at", [3, 1, 5, 4]),
        ("-code", [3, 1, 5, 4]),
        ("open", [1, 3, 4, 5]),
        ("-id", [5, 4, 3, 1]),
        ("thing_id", [1, 3, 4, 5]),
        ("-thing_id", [5, 4, 3, 1]),
        ("floor,-price", [4, 1, 3, 5]),
        ("floor,price", [4, 3, 1, 5]),
        ("price%20desc", [4, 1, 5, 3]),
        ("price+DESC", [4, 1, 5, 3]),
        ("price%20asc", [3, 5, 1, 4]),
        ("floor%20desc,price%20asc", [5, 3, 1, 4]),
        ("-floor,price,-floor,price", [5, 3, 1, 4]),
        ("", [1, 3, 4, 5]),
    ] {
        assert_eq!(ids(&service, &format!("sort={sort}")), expected, "{sort}");
    }
    let several = "sort[]=-floor&sort%5B%5D=price";
    assert_eq!(ids(&service, several), [5, 3, 1, 4]);
}

/// "The key breaks ties, in the direction of the first sort key": whatever order the database finds
/// the rows in.
#[test]
fn the_key_breaks_ties() {
    let service = museum();
    // MariaDB's indexes hold a part of a text.
    let by_floor = match service.app().db().dialect() {
        Dialect::Mysql => "CREATE INDEX things_by_floor ON things (floor, title(100))",
        _ => "CREATE INDEX things_by_floor ON things (floor, title)",
    };
    let db = service.context().db().clone();
    service
        .block_on(db.execute(by_floor, []))
        .expect("an index");
    // The index leads from floor to floor: 4, 1, 3, 5.
    let all = "filter[floor][gte]=-5";
    for (sort, expected) in [
        ("open", [1, 3, 4, 5]),
        ("-open", [5, 4, 3, 1]),
        ("-open,-floor", [5, 3, 1, 4]),
        ("floor,-open", [4, 1, 3, 5]),
        ("-open,id", [1, 3, 4, 5]),
        ("", [1, 3, 4, 5]),
        ("open,-id", [5, 4, 3, 1]),
    ] {
        let query = format!("{all}&sort={sort}");
        assert_eq!(ids(&service, &query), expected, "{sort}");
        let first = ids(&service, &format!("{query}&pageLimit=2"));
        let second = ids(&service, &format!("{query}&pageLimit=2&page=2"));
        assert_eq!([first, second].concat(), expected, "{sort}, page by page");
        let first = ids(&service, &format!("{query}&page[after]=&pageLimit=4"));
        let last = ids(&service, &format!("{query}&page[before]=&pageLimit=4"));
        assert_eq!([first, last], [expected; 2], "{sort}, by cursor");
    }
}

#[test]
fn invalid_sort_orders_are_refused() {
    let service = museum();
    for sort in [
        "colour",
        "--price",
        "-",
        "-price%20desc",
        "price%20down",
        "price%20asc%20desc",
        "Price",
        "price;title",
        "1",
    ] {
        refused(&service, &format!("sort={sort}"));
    }
    let hint = refused(&service, "sort=-prize");
    assert!(hint.contains("Did you mean `price`?"), "{hint}");
    refused(&service, "sort=price&sort=title");
    // A list that is too long for the databases' ORDER BY is harmless here.
    let long = vec!["price"; 3000].join(",");
    assert_eq!(ids(&service, &format!("sort={long}")), [3, 5, 1, 4]);
}
