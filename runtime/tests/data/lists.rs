//! Queries of hooks.

use formwork::data::value::parse_datetime;
use formwork::prelude::*;

use crate::service::admin;
use crate::tables::{Menu, menu};

async fn filled() -> Context {
    let ctx = admin().await;
    for (name, price, menu_status) in [
        ("Tomato soup", "4.99", true),
        ("Noodle Soup", "12.5", true),
        ("50% off_cake", "3", true),
        ("500 off cake", "3", true),
        ("Hidden", "7", false),
    ] {
        let menu = menu(name, price);
        let inserted = Menu {
            menu_status,
            ..menu
        }
        .insert(&ctx)
        .await;
        inserted.expect("stored");
    }
    ctx
}

#[tokio::test]
async fn hooks_can_run_queries() {
    let ctx = filled().await;
    let query = Menu::unscoped()
        .eq("menu_status", true)
        .order_by("-menu_price")
        .limit(2)
        .offset(1);
    let menus = query.all(&ctx).await.expect("menus");
    let keys: Vec<i64> = menus.iter().map(|menu| menu.menu_id).collect();
    assert_eq!(keys, [1, 3]);
    let none: [i64; 0] = [];
    for (query, expected) in [
        (Menu::unscoped().is_in("menu_id", [1_i64, 5]), 2),
        (Menu::unscoped().eq("place_code", Value::Null), 5),
        (Menu::unscoped().ne("parent_id", 1_i64), 5),
        (Menu::unscoped().is_in("menu_id", none), 0),
    ] {
        assert_eq!(query.count(&ctx).await.expect("count"), expected);
    }
    let refused = query.delete_all(&ctx).await;
    refused.expect_err("the limit would be ignored");
    let deleted = Menu::unscoped().eq("menu_price", 3).delete_all(&ctx).await;
    assert_eq!(deleted.expect("deleted"), 2);
}

/// Conditions of manifests are texts.
#[tokio::test]
async fn texts_are_values_of_their_column() {
    let ctx = filled().await;
    let moment = parse_datetime("2026-01-31T12:00:00Z");
    let sql = "UPDATE menus SET created_at = ?, weight = 1.5 WHERE menu_id = 1";
    let updated = ctx.db().execute(sql, [moment.into()]).await;
    updated.expect("a moment");
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
