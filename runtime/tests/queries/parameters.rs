//! Unknown parameters, and the bounds of known ones.

use super::{MEDIA, ids, museum, reject_all, rejection};

#[test]
fn pages_have_bounds() {
    let service = museum();
    reject_all(
        &service,
        "page=0 page=-1 page=1.0 page=one page= page=-18446744073709551616
        page=99999999999999999999.5 page=00000000000000000000000 page[number]=0 pageLimit=0
        pageLimit=51 pageLimit=-1 pageLimit=many page[size]=51 page=1&page=1 page=1&page[number]=1
        pageLimit=1&page[size]=1 page[offset]=1 page[]=1",
    );
    assert_eq!(ids(&service, "pageLimit=50").len(), 4);
    assert_eq!(ids(&service, "page=2&pageLimit=3&sort=id"), [5]);
    for past in [4_294_967_296, i64::MAX.unsigned_abs(), u64::MAX] {
        let query = format!("page={past}&pageLimit=50");
        assert_eq!(ids(&service, &query), [0_i64; 0], "{query}");
    }
    // Digits that no integer holds are past the end as well.
    let many = "9".repeat(100);
    for past in ["18446744073709551616", "99999999999999999999999", &many] {
        for query in [format!("page={past}"), format!("page[number]={past}")] {
            for accept in MEDIA {
                let client = service.guest().header("Accept", accept);
                let page = client.get(&format!("/api/things?{query}"));
                assert_eq!(page.status, 200, "{query}: {page}");
                assert_eq!(page.json["data"], serde_json::json!([]), "{query}");
                assert_eq!(page.json["meta"]["pagination"]["total"], 4, "{query}");
                for link in ["self", "prev", "last"] {
                    let link = page.json["links"][link].as_str().expect("a link");
                    assert_eq!(client.get(link).status, 200, "{query}: {link}");
                }
            }
        }
    }
}

/// A page begins at one cursor, and what is no text is no value.
#[test]
fn contradictory_and_badly_encoded_parameters_are_rejected() {
    let service = museum();
    reject_all(&service, "search=%ff search=%zz search=100% search=%C3");
    let both = rejection(&service, "page[after]=&page[before]=");
    assert!(both.contains("one cursor only"), "{both}");
    let dot = rejection(&service, "include=any.");
    assert!(dot.contains("a name is missing"), "{dot}");
}

#[test]
fn unknown_parameters_are_refused_by_name() {
    let service = museum();
    for (query, hint) in [
        ("pagelimit=5", "Did you mean `pageLimit`?"),
        ("page_limit=5", "Did you mean `pageLimit`?"),
        ("limit=5", ""),
        ("serach=x", "Did you mean `search`?"),
        ("sorts=x", "Did you mean `sort`?"),
        ("SEARCH=x", ""),
        ("includes=x", "Did you mean `include`?"),
        ("levl=1", "Did you mean `level`?"),
        ("=1", ""),
        ("%00=1", ""),
        ("title=Amphora", ""),
        ("include=maker", ""),
        ("exclude=maker", ""),
        ("include=a.b.c.d", ""),
        ("include=a..b", ""),
        ("fields[things]=titel", "Did you mean `title`?"),
        ("fields[thing]=title", "Did you mean `things`?"),
        ("fields=title", "`fields[<resource>]`"),
        ("filter=1", "`filter[<attribute>]`"),
        ("sort=-", "`-` has no attribute to sort by"),
        ("search=%00", "U+0000"),
        ("search=a%00b", "U+0000"),
        ("filter[title]=%00", "U+0000"),
    ] {
        let message = rejection(&service, query);
        assert!(message.contains(hint), "{query}: {message}");
    }
    for query in "page=1 sort=id search=x filter[id]=1 level=1 page[after]=".split(' ') {
        let answer = service.guest().get(&format!("/api/things/1?{query}"));
        assert_eq!(answer.status, 400, "one record has no {query}: {answer}");
    }
    assert_eq!(ids(&service, "&&").len(), 4, "nothing is not unknown");
}

#[test]
fn links_keep_the_other_parameters() {
    let service = museum();
    let list = service
        .guest()
        .get("/api/things?filter[floor][gte]=-5&pageLimit=1&sort=-price&search=a&page=1");
    let next = list.json["links"]["next"].as_str().expect("a next page");
    assert_eq!(
        next,
        "/api/things?filter%5Bfloor%5D%5Bgte%5D=-5&pageLimit=1&sort=-price&search=a&page=2"
    );
    assert_eq!(service.guest().get(next).status, 200);
}

/// Every list says the same of an item that is not there; a comma at the end begins none.
#[test]
fn a_list_has_no_empty_items() {
    let service = museum();
    let empty = "
        level= level=%20 level=, level=1,,2 level=,1 level=1,%20,2 level[]= level[]=1&level[]=
        level[]=1,&level[]=2 filter[level]= filter[level][0]= shown= lighter= lighter[x]=
        filter[id][in]= filter[id][in]=1,,2 sort=id,,title sort=,id sort[]=id&sort[]=, include=,
        include=a,,b exclude=a,,b fields[things]=title,,id fields[things]=,title";
    for query in empty.split_whitespace() {
        let message = rejection(&service, query);
        assert!(message.contains("has an empty item"), "{query}: {message}");
    }
    let valid = "level=1, sort=title, fields[things]=title, sort= search= include= exclude=
        fields[things]=";
    for query in valid.split_whitespace() {
        ids(&service, query);
    }
    for query in ["include=,", "fields[things]=title,,id"] {
        let one = service.guest().get(&format!("/api/things/1?{query}"));
        assert_eq!(one.status, 400, "{query}: {one}");
    }
}
