//! `filter[attribute]`, `filter[attribute][op]`, and filters with a name of their own.

use super::{ids, museum, refused};

/// Every operator, on every type it is for. The bust (2) is closed, and not shown here.
#[test]
fn every_operator_compares_as_its_type_does() {
    let service = museum();
    for (filter, expected) in [
        ("[id]=3", &[3][..]),
        ("[thing_id]=3", &[3]),
        ("[id][eq]=3", &[3]),
        ("[id][ne]=3", &[1, 4, 5]),
        ("[id][in]=1,4,99", &[1, 4]),
        ("[id][in]=%201%20,%204,", &[1, 4]),
        ("[title]=Amphora", &[1]),
        ("[title][ne]=Amphora", &[3, 4, 5]),
        ("[title][lt]=B", &[1]),
        ("[title][like]=AMPH%25", &[1, 5]),
        ("[title][like]=%25_0!%25", &[]),
        ("[title][like]=coin%2050_", &[3]),
        ("[title][in]=Amphora,Coin%2050%25", &[1, 3]),
        ("[floor][gte]=1", &[1, 3, 5]),
        ("[floor]=-1", &[4]),
        ("[visits][gt]=4294967296", &[1]),
        ("[weight][lte]=2.5", &[1, 3]),
        ("[weight][null]=true", &[4, 5]),
        ("[weight][null]=0", &[1, 3]),
        ("[weight][ne]=2.5", &[3, 4, 5]),
        ("[price]=10.5", &[1]),
        ("[price]=10.500", &[1]),
        ("[price][lt]=3.01", &[3, 5]),
        ("[price][in]=0.05,3", &[3, 5]),
        ("[native]=1.25", &[1]),
        ("[native][lt]=0.01", &[3]),
        ("[native][in]=1.250,7", &[1]),
        ("[open]=1", &[1, 3, 4, 5]),
        ("[open]=false", &[]),
        ("[open][ne]=0", &[1, 3, 4, 5]),
        ("[made_on]=0400-05-01", &[1]),
        ("[made_on][lt]=0400-05-01", &[3]),
        ("[shown_at]=09:30", &[1]),
        ("[shown_at][gt]=09:30:00", &[3]),
        ("[found_at]=1954-03-01T12:00:00Z", &[1]),
        ("[found_at]=1954-03-01T13:00:00%2B01:00", &[1]),
        ("[found_at][gte]=2000-01-01", &[3]),
        ("[found_at][lt]=1960-01-01%2000:00:00", &[1]),
        ("[code]=0192f0c1-2b3c-7d4e-8f50-000000000003", &[3]),
        ("[code]=0192F0C1-2B3C-7D4E-8F50-000000000003", &[3]),
        ("[floor]=2147483647", &[]),
        ("[floor][gt]=-2147483648", &[1, 3, 4, 5]),
        ("[state]=whole", &[1, 3, 4, 5]),
        ("[state][ne]=broken", &[1, 3, 4, 5]),
        ("[state][in]=broken,%20whole", &[1, 3, 4, 5]),
        ("[state][gt]=b", &[1, 3, 4, 5]),
        ("[state][like]=who%25", &[1, 3, 4, 5]),
        ("[height][null]=1", &[1, 3, 4, 5]),
        ("[height][lt]=999.99", &[]),
        ("[height]=-0001.500", &[]),
        ("[price]=9999999999999999.99", &[]),
        ("[extra][null]=false", &[1]),
        ("[extra][null]=1", &[3, 4, 5]),
    ] {
        assert_eq!(
            ids(&service, &format!("filter{filter}&sort=id")),
            expected,
            "{filter}"
        );
    }
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
    for filter in [
        "[id]=abc",
        "[id]=",
        "[id]=1.5",
        "[id]=99999999999999999999",
        "[id][in]=",
        "[id][in]=1,x",
        "[id][in]=1,,2",
        "[id][in]=,1",
        "[title][in]=a,%20,b",
        "[id][like]=1",
        "[floor]=high",
        "[weight]=NaN",
        "[weight]=inf",
        "[weight]=heavy",
        "[price]=cheap",
        "[price]=0.001",
        "[price]=99999999999999999999",
        "[native]=1e",
        "[floor]=2147483648",
        "[floor][lt]=99999999999",
        "[floor][ne]=-2147483649",
        "[floor][in]=1,2147483648",
        "[visits]=9223372036854775808",
        "[price]=10000000000000000.00",
        "[price][gt]=90000000000000000",
        "[native]=1000000000000000",
        "[height]=1000",
        "[height][gte]=-1000",
        "[height][in]=1,1000.00",
        "[height]=0.001",
        "[state]=lost",
        "[state]=",
        "[state]=Whole",
        "[state][ne]=lost",
        "[state][in]=whole,lost",
        "[open]=maybe",
        "[open][null]=maybe",
        "[made_on]=2026-02-30",
        "[made_on]=yesterday",
        "[made_on][like]=2026",
        "[shown_at]=25:00",
        "[found_at]=soon",
        "[code]=1",
        "[extra]=x",
        "[extra][gt]=1",
        "[title][about]=x",
        "[title][EQ]=x",
        "[title][]=x",
        "[title][eq][eq]=x",
        "[colour]=red",
        "[Title]=x",
        "[]=x",
        "=x",
    ] {
        refused(&service, &format!("filter{filter}"));
    }
    let hint = refused(&service, "filter[titel]=x");
    assert!(hint.contains("Did you mean `title`?"), "{hint}");
    let words = refused(&service, "filter[state]=lost");
    assert!(words.contains("must be one of: whole, broken"), "{words}");
    for (word, own) in [("gteq", "gte"), ("le", "lte"), ("ge", "gte"), ("neq", "ne")] {
        let hint = refused(&service, &format!("filter[price][{word}]=1"));
        assert!(hint.contains(&format!("Did you mean `{own}`?")), "{hint}");
    }
    refused(&service, "filter[id]=1&filter[id]=2");
    let long = vec!["1"; 1001].join(",");
    refused(&service, &format!("filter[id][in]={long}"));
    let long = "%25a".repeat(1000);
    refused(&service, &format!("filter[title][like]={long}"));
}

#[test]
fn filters_have_names_of_their_own() {
    let service = museum();
    for query in [
        "level=1",
        "filter[level]=1",
        "level=1,9",
        "level[]=1",
        "level[]=1&level[]=9",
        "level[0]=1&level[1]=9",
        "level[7]=9&level[]=1",
        "filter[level][]=1&filter[level][]=9",
        "filter[level][0]=9&filter[level][1]=1",
        "level%5B%5D=1&level%5B%5D=1,9",
    ] {
        assert_eq!(
            ids(&service, &format!("{query}&sort=id")),
            [1, 3],
            "{query}"
        );
    }
    assert_eq!(ids(&service, "lighter=1"), [3]);
    assert_eq!(
        ids(&service, "condition=whole,broken&sort=id"),
        [1, 3, 4, 5]
    );
    assert_eq!(ids(&service, "tall=999.99"), [0; 0]);
    // The default hides the second, on a page that all of them would fit on.
    for query in ["", "level=all", "shown=true", "filter[shown]=1"] {
        let whole = format!("{query}&pageLimit=50&sort=id");
        assert_eq!(ids(&service, &whole), [1, 3, 4, 5], "{query}");
    }
    for query in [
        "level=",
        "level=x",
        "level=2147483648",
        "level[]=2147483648",
        "condition=lost",
        "condition=whole,lost",
        "condition[]=lost",
        "tall=1000",
        "lighter=x",
        "level=1&filter[level]=1",
        "level[]=1&level=1",
        "level=1&level[]=1",
        "level[]=1&filter[level]=1",
        "level[0]=1&level[0]=2",
        "level[]=x",
        "level[][]=1",
        "level[1=1",
        "levels[]=1",
        "title[]=Amphora",
        "level[eq]=1",
        "filter[level][gt]=1",
        "shown=false",
        "shown=all",
        "shown=maybe",
    ] {
        refused(&service, query);
    }
    let closed = service.admin().get("/api/things?shown=false");
    assert_eq!(closed.json["data"][0]["id"], 2, "{closed}");
    let all = service.admin().get("/api/things?shown=all");
    assert_eq!(all.json["meta"]["pagination"]["total"], 5, "{all}");
}

/// As PHP's clients write lists: an item a parameter. They count with all others, and links keep them.
#[test]
fn lists_may_come_one_item_at_a_time() {
    let service = museum();
    let both = "level[]=1&level[]=2&sort=id";
    assert_eq!(ids(&service, both), [1, 3, 5]);
    let (list, json_api) = (format!("{both}&pageLimit=2"), "application/vnd.api+json");
    for accept in ["application/json", json_api] {
        let client = service.guest().header("Accept", accept);
        let first = client.get(&format!("/api/things?{list}"));
        assert_eq!(first.json["meta"]["pagination"]["total"], 3, "{first}");
        let next = first.json["links"]["next"].as_str().expect("a second page");
        assert_eq!(
            next,
            "/api/things?level%5B%5D=1&level%5B%5D=2&sort=id&pageLimit=2&page=2"
        );
        let second = client.get(next);
        let last = &second.json["data"][0]["id"];
        assert_eq!(last.to_string().trim_matches('"'), "5", "{second}");
    }
    // A filter of the repository's own takes them too; one that takes a single value, no second one.
    assert_eq!(ids(&service, "lighter[]=1"), [3]);
    refused(&service, "lighter[]=1&lighter[]=2");
    let many = "&level[]=1".repeat(1001);
    let told = refused(&service, &many[1..]);
    assert!(told.contains("`level[]`"), "{told}");
    let half = vec!["1"; 5001].join(",");
    let told = refused(&service, &format!("level[]={half}&level[]={half}"));
    assert!(told.contains("All filters together"), "{told}");
}
