//! Pages: paging, sort, search, filters.

use formwork::data::value::parse_datetime;
use formwork::prelude::*;

use crate::service::{admin, customer, guest, page};
use crate::tables::{Menu, menu};

async fn filled() -> Context {
    let ctx = admin().await;
    for (name, price, on) in [
        ("Tomato soup", "4.99", true),
        ("Noodle Soup", "12.5", true),
        ("50% off_cake", "3", true),
        ("500 off cake", "3", true),
        ("Hidden", "7", false),
    ] {
        let mut menu = Menu {
            menu_status: on,
            ..menu(name, price)
        };
        menu.insert(&ctx).await.expect("stored");
    }
    let sql = "INSERT INTO menu_categories VALUES (1, 1), (2, 1), (2, 2), (3, 12)";
    ctx.db().execute(sql, []).await.expect("linked");
    ctx
}

async fn ids(ctx: &Context, query: &str) -> Vec<i64> {
    let page = page(ctx, query)
        .await
        .unwrap_or_else(|error| panic!("{query}: {error}"));
    page.records.iter().map(|menu| menu.menu_id).collect()
}

#[tokio::test]
async fn a_page_and_its_total_are_one_statement() {
    let ctx = filled().await;
    for (query, found, total, statements) in [
        ("", 3, 4, 1),
        ("page=2", 1, 4, 1),
        ("page=9", 0, 4, 2),
        ("page=99999999&pageLimit=100", 0, 4, 2),
        ("search=nothing", 0, 0, 1),
        ("enabled=all&pageLimit=5", 5, 5, 1),
    ] {
        let before = ctx.db().statements();
        let page = page(&ctx, query).await.expect(query);
        assert_eq!((page.records.len(), page.total), (found, total), "{query}");
        assert_eq!(ctx.db().statements() - before, statements, "{query}");
    }
}

#[tokio::test]
async fn sort_is_numeric_and_without_ties() {
    let ctx = filled().await;
    assert_eq!(ids(&ctx, "sort=menu_price&pageLimit=9").await, [3, 4, 1, 2]);
    assert_eq!(
        ids(&ctx, "sort=-menu_price,-id&pageLimit=9").await,
        [2, 1, 4, 3]
    );
}

#[tokio::test]
async fn search_finds_every_word_in_some_column() {
    let ctx = filled().await;
    assert_eq!(ids(&ctx, "search=SOUP+tom").await, [1]);
    assert_eq!(ids(&ctx, "search=50%25").await, [3]);
    assert_eq!(ids(&ctx, "search=off_cake").await, [3]);
    assert_eq!(
        ids(&ctx, "search=4.99").await,
        [1],
        "decimals as clients see them"
    );
    assert_eq!(ids(&ctx, "search=soup+4.99").await, [1], "two columns");
    assert!(ids(&ctx, "search=soup+5.99").await.is_empty(), "each word");
    for name in ["Äpfel", "MÜSLI"] {
        menu(name, "1").insert(&ctx).await.expect("stored");
    }
    for word in ["äpfel", "ÄPFEL", "Äpfel", "müsli", "Müsli", "MÜSLI"] {
        let query = format!(
            "search={}",
            word.replace('ä', "%C3%A4").replace('Ä', "%C3%84")
        );
        let query = query.replace('ü', "%C3%BC").replace('Ü', "%C3%9C");
        assert_eq!(ids(&ctx, &query).await.len(), 1, "{word}");
    }
}

#[tokio::test]
async fn filters_compare_in_the_columns_kind() {
    let ctx = filled().await;
    for (query, expected) in [
        ("filter[menu_price]=3", vec![3, 4]),
        ("filter[menu_price][gt]=4.989", vec![1, 2]),
        ("filter[menu_price][lte]=4.99&filter[id][ne]=3", vec![1, 4]),
        ("filter[id][in]=4,1", vec![1, 4]),
        ("filter[menu_name][like]=%25SOUP", vec![1, 2]),
        ("filter[weight][null]=1&pageLimit=2", vec![1, 2]),
        ("filter[weight][null]=0", vec![]),
        (
            "filter[menu_status]=1&filter[created_at][lt]=2020-01-01",
            vec![],
        ),
        ("category=1", vec![1, 2]),
        ("category=2", vec![2]),
        ("filter[enabled]=false", vec![5]),
    ] {
        assert_eq!(ids(&ctx, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn unparsable_filter_values_are_refused_by_name() {
    let ctx = filled().await;
    for query in [
        "filter[menu_price]=cheap",
        "filter[menu_price]=1.00001",
        "filter[menu_price]=99999999999999999999",
        "filter[created_at]=never",
        "filter[menu_status]=2",
        "filter[menu_price][like]=4",
        "filter[weight][null]=maybe",
        "enabled=perhaps",
        "category=x",
        "parent=",
    ] {
        let error = page(&ctx, query).await.expect_err(query);
        let named = query.split('=').next().expect("a name");
        assert_eq!(error.status().as_u16(), 400, "{query}");
        assert!(error.to_string().contains(named), "{query}: {error}");
    }
}

#[tokio::test]
async fn only_administrators_list_disabled_rows() {
    let ctx = filled().await;
    for caller in [guest(&ctx), customer(&ctx, 1)] {
        assert_eq!(ids(&caller, "enabled=true&pageLimit=9").await, [1, 2, 3, 4]);
        for query in [
            "enabled=false",
            "enabled=all",
            "enabled=0",
            "filter[enabled]=all",
        ] {
            assert_eq!(
                page(&caller, query)
                    .await
                    .expect_err(query)
                    .status()
                    .as_u16(),
                400
            );
        }
    }
}

#[tokio::test]
async fn hooks_can_run_queries() {
    let ctx = filled().await;
    let query = Menu::unscoped()
        .eq("menu_status", true)
        .order_by("-menu_price")
        .limit(2)
        .offset(1);
    let names = query.all(&ctx).await.expect("menus");
    assert_eq!(
        names.iter().map(|menu| menu.menu_id).collect::<Vec<_>>(),
        [1, 3]
    );
    assert_eq!(
        Menu::unscoped()
            .is_in("menu_id", [1_i64, 5])
            .count(&ctx)
            .await
            .expect("count"),
        2
    );
    assert_eq!(
        Menu::unscoped()
            .eq("place_code", Value::Null)
            .count(&ctx)
            .await
            .expect("count"),
        5
    );
    assert_eq!(
        Menu::unscoped()
            .ne("parent_id", 1_i64)
            .count(&ctx)
            .await
            .expect("count"),
        5
    );
    let none: [i64; 0] = [];
    assert_eq!(
        Menu::unscoped()
            .is_in("menu_id", none)
            .count(&ctx)
            .await
            .expect("count"),
        0
    );
    assert!(
        query.delete_all(&ctx).await.is_err(),
        "a limit must not be lost"
    );
    assert_eq!(
        Menu::unscoped()
            .eq("menu_price", 3)
            .delete_all(&ctx)
            .await
            .expect("deleted"),
        2
    );
}

/// As conditions of manifests write them.
#[tokio::test]
async fn texts_are_values_of_their_column() {
    let ctx = filled().await;
    let moment = parse_datetime("2026-01-31T12:00:00Z");
    let sql = "UPDATE menus SET created_at = ?, weight = 1.5 WHERE menu_id = 1";
    ctx.db()
        .execute(sql, [moment.into()])
        .await
        .expect("a moment");
    for (column, text, found) in [
        ("menu_price", "3", 2),
        ("menu_price", "12.5000", 1),
        ("menu_price", "no number", 0),
        ("weight", "1.5", 1),
        ("menu_status", "0", 1),
        ("created_at", "2026-01-31T13:00:00+01:00", 1),
        ("menu_name", "50% off_cake", 1),
    ] {
        let count = Menu::unscoped().eq(column, text).count(&ctx).await;
        assert_eq!(count.expect(text), found, "{column} {text}");
    }
}

#[tokio::test]
async fn rows_can_have_the_order_of_their_keys_in_a_list() {
    let ctx = filled().await;
    let all = Menu::unscoped().all(&ctx).await.expect("menus");
    let mut keys: Vec<i64> = all.iter().map(|menu| menu.menu_id).collect();
    keys.reverse();
    let last = keys.pop().expect("a menu");
    let ordered = Menu::unscoped().order_by_keys(keys.clone()).all(&ctx).await;
    let ordered = ordered.expect("menus").into_iter().map(|menu| menu.menu_id);
    keys.push(last);
    assert_eq!(ordered.collect::<Vec<_>>(), keys);
    let none = Menu::unscoped().order_by_keys([]).count(&ctx).await;
    assert_eq!(none.expect("counted"), keys.len() as u64);
}
