//! `sort`, in all its forms, on every type.

use formwork::data::database::Dialect;

use super::{ids, list_all, museum, rejection};

#[test]
fn every_type_has_an_order() {
    let service = museum();
    let sorts = "
        title -title floor -floor visits weight -weight price -price native -made_on -shown_at
        -found_at -code open -id thing_id -thing_id floor,-price floor,price price%20desc price+DESC
        price%20asc floor%20desc,price%20asc -floor,price,-floor,price";
    let sorted = list_all(&service, sorts.split_whitespace(), |sort| {
        format!("/api/things?sort={sort}")
    });
    insta::assert_snapshot!(sorted);
    assert_eq!(ids(&service, "sort="), [1, 3, 4, 5]);
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
    let created = service.block_on(db.execute(by_floor, []));
    created.expect("an index");
    // The index leads from floor to floor: 4, 1, 3, 5.
    for (sort, expected) in [
        ("open", [1, 3, 4, 5]),
        ("-open", [5, 4, 3, 1]),
        ("-open,-floor", [5, 3, 1, 4]),
        ("floor,-open", [4, 1, 3, 5]),
        ("-open,id", [1, 3, 4, 5]),
        ("", [1, 3, 4, 5]),
        ("open,-id", [5, 4, 3, 1]),
    ] {
        let page = |query: &str| {
            ids(
                &service,
                &format!("filter[floor][gte]=-5&sort={sort}{query}"),
            )
        };
        assert_eq!(page(""), expected, "{sort}");
        let pages = [page("&pageLimit=2"), page("&pageLimit=2&page=2")];
        assert_eq!(pages.concat(), expected, "{sort}, page by page");
        for cursor in ["after", "before"] {
            let all = page(&format!("&page[{cursor}]=&pageLimit=4"));
            assert_eq!(all, expected, "{sort}, by cursor");
        }
    }
}

#[test]
fn invalid_sort_orders_are_refused() {
    let service = museum();
    let sorts =
        "colour --price - -price%20desc price%20down price%20asc%20desc Price price;title 1";
    for sort in sorts.split(' ') {
        rejection(&service, &format!("sort={sort}"));
    }
    let message = rejection(&service, "sort=-prize");
    assert!(message.contains("Did you mean `price`?"), "{message}");
    rejection(&service, "sort=price&sort=title");
    // A list that is too long for the databases' ORDER BY is harmless here.
    let long = vec!["price"; 3000].join(",");
    assert_eq!(ids(&service, &format!("sort={long}")), [3, 5, 1, 4]);
}
