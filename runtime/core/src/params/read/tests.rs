//! What query strings mean.

use super::*;
use crate::params::{PageParams, SortKey};

const LIST: QueryRules = QueryRules {
    page_sizes: Some((20, 100)),
    resource: None,
};

fn grammar() -> Grammar {
    Grammar {
        key: "menu_id",
        sort: &["menu_name", "menu_price"],
        filter: &["menu_price", "menu_status", "type"],
        named: vec!["enabled", "position"],
        search: true,
        type_attribute: Some("menu_type".to_owned()),
    }
}

fn good(query: &str) -> Params {
    read(query, &LIST, &grammar()).unwrap()
}

fn bad(query: &str) -> String {
    match read(query, &LIST, &grammar()) {
        Err(Error::BadParameter { parameter, message }) => format!("{parameter}: {message}"),
        other => panic!("{query}: {other:?}"),
    }
}

#[test]
fn both_families_of_paging() {
    assert_eq!(
        good("page=3&pageLimit=5").page(),
        PageParams { number: 3, size: 5 }
    );
    assert_eq!(
        good("page[number]=3&page[size]=5").page(),
        PageParams { number: 3, size: 5 }
    );
    assert_eq!(
        good("include=a").page(),
        PageParams {
            number: 1,
            size: 20
        }
    );
    for wrong in [
        "page=0",
        "page=-1",
        "page=x",
        "page=",
        "pageLimit=0",
        "pageLimit=101",
    ] {
        bad(wrong);
    }
    bad("page=1&page[number]=2");
}

#[test]
fn sort_in_all_forms() {
    let price = |descending| SortKey {
        column: "menu_price",
        descending,
    };
    assert_eq!(good("sort=menu_price").sort(), [price(false)]);
    assert_eq!(good("sort=-menu_price,id").sort()[0], price(true));
    assert_eq!(good("sort=-menu_price,id").sort()[1].column, "menu_id");
    assert_eq!(good("sort=menu_price+desc").sort(), [price(true)]);
    assert_eq!(
        good(
            "sort[]=menu_price asc&sort[]=menu_name"
                .replace(' ', "%20")
                .as_str()
        )
        .sort()
        .len(),
        2
    );
    assert_eq!(
        bad("sort=menu_pric"),
        "sort: `menu_pric` cannot be sorted by. Did you mean `menu_price`?"
    );
    bad("sort=menu_price+up");
}

#[test]
fn filters_of_columns_and_names() {
    let params = good("filter[menu_price][gte]=5&filter[id][in]=1,2&filter[enabled]=all");
    assert_eq!(params.filters()[0].op, FilterOp::Gte);
    assert_eq!(params.filters()[1].column, "menu_id");
    assert_eq!(params.named_value("enabled"), Some("all"));
    assert_eq!(good("enabled=false").named_value("enabled"), Some("false"));
    assert_eq!(good("filter[menu_type]=x").filters()[0].column, "type");
    bad("sort=menu_type");
    bad("filter[password]=x");
    bad("filter[menu_price][about]=5");
    bad("enabled=1&filter[enabled]=0");
    assert_eq!(good("filter[search]=a+b").search(), ["a", "b"]);
}

#[test]
fn fieldsets_are_lists_by_type() {
    let params = good("fields[menus]=menu_name, menu_price&fields[tags]=");
    assert_eq!(params.fields()[0].kind, "menus");
    assert_eq!(params.fields()[0].names, ["menu_name", "menu_price"]);
    assert_eq!(params.fields()[1].names, [""; 0]);
    assert!(!params.asks_includes() && good("include=").asks_includes());
    bad("fields[menus]=a&fields[menus]=b");
}

#[test]
fn what_is_unknown_is_named() {
    assert_eq!(
        bad("pagelimit=5"),
        "pagelimit: The parameter `pagelimit` is unknown. Did you mean `pageLimit`?"
    );
    bad("fields[menus][x]=id");
    bad("fields=id");
    bad("filter=x");
    let record = QueryRules::record();
    assert!(read("page=1", &record, &grammar()).is_err());
    assert_eq!(
        read("include=a.b", &record, &grammar())
            .unwrap()
            .include()
            .len(),
        1
    );
}

#[test]
fn named_filters_have_members() {
    for query in [
        "position[latitude]=51.5&position[longitude]=-0.1",
        "filter[position][latitude]=51.5&filter[position][longitude]=-0.1",
    ] {
        let params = good(query);
        assert_eq!(params.named_member("position", "latitude"), Some("51.5"));
        assert_eq!(params.named_member("position", "longitude"), Some("-0.1"));
        assert_eq!(params.named_value("position"), None);
    }
    bad("position[latitude]=1&filter[position][latitude]=2");
    bad("position[latitude][x]=1");
    bad("place[latitude]=1");
}

#[test]
fn all_filters_together_have_so_many_values() {
    let list = |count: usize| vec!["1"; count].join(",");
    let query = |count: usize| {
        let list = list(count);
        format!("filter[menu_price][in]={list}&enabled={list}")
    };
    assert_eq!(good(&query(5_000)).filters().len(), 1);
    let told = bad(&query(5_001));
    assert!(told.starts_with("enabled: All filters together"), "{told}");
    assert!(bad(&format!("filter[menu_price][in]={}", list(10_001))).starts_with("filter[menu"));
    good(&format!("filter[menu_status]={}", list(10_001)));
}
