//! `filter[attribute]`, `filter[attribute][op]`, and filters with a name of their own.

use super::{MEDIA, ids, keys, list_all, museum, reject_all, rejection};

/// Every operator, on every type it is for. The bust (2) is closed, and hidden by `shown`.
#[test]
fn every_operator_compares_as_its_type_does() {
    let service = museum();
    let filters = "
        [id]=3 [thing_id]=3 [id][eq]=3 [id][ne]=3 [id][in]=1,4,99 [id][in]=%201%20,%204,
        [title]=Amphora [title][ne]=Amphora [title][lt]=B [title][like]=AMPH%25
        [title][like]=%25_0!%25 [title][like]=coin%2050_ [title][in]=Amphora,Coin%2050%25
        [floor][gte]=1 [floor]=-1 [floor]=2147483647 [floor][gt]=-2147483648 [visits][gt]=4294967296
        [weight][lte]=2.5 [weight][null]=true [weight][null]=0 [weight][ne]=2.5
        [price]=10.5 [price]=10.500 [price][lt]=3.01 [price][in]=0.05,3 [price]=9999999999999999.99
        [native]=1.25 [native][lt]=0.01 [native][in]=1.250,7
        [open]=1 [open]=false [open][ne]=0
        [made_on]=0400-05-01 [made_on][lt]=0400-05-01 [shown_at]=09:30 [shown_at][gt]=09:30:00
        [found_at]=1954-03-01T12:00:00Z [found_at]=1954-03-01T13:00:00%2B01:00
        [found_at][gte]=2000-01-01 [found_at][lt]=1960-01-01%2000:00:00
        [code]=0192f0c1-2b3c-7d4e-8f50-000000000003 [code]=0192F0C1-2B3C-7D4E-8F50-000000000003
        [state]=whole [state][ne]=broken [state][in]=broken,%20whole [state][gt]=b
        [state][like]=who%25 [height][null]=1 [height][lt]=999.99 [height]=-0001.500
        [extra][null]=false [extra][null]=1";
    let found = list_all(&service, filters.split_whitespace(), |filter| {
        format!("/api/things?filter{filter}&sort=id")
    });
    insta::assert_snapshot!(found);
    let two = "filter[floor]=1&filter[price][lt]=1";
    assert_eq!(ids(&service, two), [3], "filters narrow each other");
    let range = "filter[price][gte]=3&filter[price][lt]=11&sort=id";
    assert_eq!(ids(&service, range), [1, 5]);
    let encoded = "filter%5Bprice%5D%5Blt%5D=1";
    assert_eq!(ids(&service, encoded), [3]);
}

#[test]
fn unparsable_and_out_of_range_filter_values_are_refused() {
    let service = museum();
    let filters = "
        [id]=abc [id]= [id]=1.5 [id]=99999999999999999999 [id][in]= [id][in]=1,x [id][in]=1,,2
        [id][in]=,1 [id][like]=1 [title][in]=a,%20,b
        [floor]=high [floor]=2147483648 [floor][lt]=99999999999 [floor][ne]=-2147483649
        [floor][in]=1,2147483648 [visits]=9223372036854775808 [weight]=NaN [weight]=inf [weight]=heavy
        [price]=cheap [price]=0.001 [price]=99999999999999999999 [price]=10000000000000000.00
        [price][gt]=90000000000000000 [native]=1e [native]=1000000000000000
        [height]=1000 [height][gte]=-1000 [height][in]=1,1000.00 [height]=0.001
        [state]=lost [state]= [state]=Whole [state][ne]=lost [state][in]=whole,lost
        [open]=maybe [open][null]=maybe [made_on]=2026-02-30 [made_on]=yesterday
        [made_on][like]=2026 [shown_at]=25:00 [found_at]=soon [code]=1 [extra]=x [extra][gt]=1
        [title][about]=x [title][EQ]=x [title][]=x [title][eq][eq]=x [colour]=red [Title]=x []=x =x";
    for filter in filters.split_whitespace() {
        rejection(&service, &format!("filter{filter}"));
    }
    for (query, part) in [
        ("filter[titel]=x", "Did you mean `title`?"),
        ("filter[state]=lost", "must be one of: whole, broken"),
        ("filter[price][gteq]=1", "Did you mean `gte`?"),
        ("filter[price][le]=1", "Did you mean `lte`?"),
        ("filter[price][ge]=1", "Did you mean `gte`?"),
        ("filter[price][neq]=1", "Did you mean `ne`?"),
    ] {
        let message = rejection(&service, query);
        assert!(message.contains(part), "{message}");
    }
    rejection(&service, "filter[id]=1&filter[id]=2");
    let long = vec!["1"; 1001].join(",");
    rejection(&service, &format!("filter[id][in]={long}"));
    let long = "%25a".repeat(1000);
    rejection(&service, &format!("filter[title][like]={long}"));
}

#[test]
fn filters_have_names_of_their_own() {
    let service = museum();
    let on_first = "
        level=1 filter[level]=1 level=1,9 level[]=1 level[]=1&level[]=9 level[0]=1&level[1]=9
        level[7]=9&level[]=1 filter[level][]=1&filter[level][]=9
        filter[level][0]=9&filter[level][1]=1 level%5B%5D=1&level%5B%5D=1,9";
    for query in on_first.split_whitespace() {
        assert_eq!(
            ids(&service, &format!("{query}&sort=id")),
            [1, 3],
            "{query}"
        );
    }
    assert_eq!(ids(&service, "lighter=1"), [3]);
    let both = ids(&service, "condition=whole,broken&sort=id");
    assert_eq!(both, [1, 3, 4, 5]);
    assert_eq!(ids(&service, "tall=999.99"), [0; 0]);
    // The default hides the second, on a page that all of them would fit on.
    for query in ["", "level=all", "shown=true", "filter[shown]=1"] {
        let shown = format!("{query}&pageLimit=50&sort=id");
        assert_eq!(ids(&service, &shown), [1, 3, 4, 5], "{query}");
    }
    reject_all(
        &service,
        "level= level=x level=2147483648 level[]=2147483648 condition=lost condition=whole,lost
        condition[]=lost tall=1000 lighter=x level=1&filter[level]=1 level[]=1&level=1
        level=1&level[]=1 level[]=1&filter[level]=1 level[0]=1&level[0]=2 level[]=x level[][]=1
        level[1=1 levels[]=1 title[]=Amphora level[eq]=1 filter[level][gt]=1 shown=false shown=all
        shown=maybe",
    );
    let closed = service.admin().get("/api/things?shown=false");
    assert_eq!(keys(&closed), [2]);
    let all = service.admin().get("/api/things?shown=all");
    assert_eq!(all.json["meta"]["pagination"]["total"], 5, "{all}");
}

/// PHP's clients write lists so: an item a parameter. They count with all others, and links keep them.
#[test]
fn lists_may_come_one_item_at_a_time() {
    let service = museum();
    let both = "level[]=1&level[]=2&sort=id";
    assert_eq!(ids(&service, both), [1, 3, 5]);
    for accept in MEDIA {
        let client = service.guest().header("Accept", accept);
        let first = client.get(&format!("/api/things?{both}&pageLimit=2"));
        assert_eq!(first.json["meta"]["pagination"]["total"], 3, "{first}");
        let next = first.json["links"]["next"].as_str().expect("a second page");
        let expected = "/api/things?level%5B%5D=1&level%5B%5D=2&sort=id&pageLimit=2&page=2";
        assert_eq!(next, expected);
        let second = client.get(next);
        let last = &second.json["data"][0]["id"];
        assert_eq!(last.to_string().trim_matches('"'), "5", "{second}");
    }
    // A filter of the repository's own takes them too, but only one of them if it has a single value.
    assert_eq!(ids(&service, "lighter[]=1"), [3]);
    rejection(&service, "lighter[]=1&lighter[]=2");
    let many = "&level[]=1".repeat(1001);
    let message = rejection(&service, &many[1..]);
    assert!(message.contains("`level[]`"), "{message}");
    let half = vec!["1"; 5001].join(",");
    let message = rejection(&service, &format!("level[]={half}&level[]={half}"));
    assert!(message.contains("All filters together"), "{message}");
}
