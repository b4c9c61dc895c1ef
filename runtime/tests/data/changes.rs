//! Records on their way into tables and back.

use formwork::prelude::*;
use formwork::resource::repository;

use crate::service::admin;
use crate::tables::{Media, Menu, Order, Place, menu, odd_moment};

async fn stored(ctx: &Context, mut menu: Menu) -> Menu {
    menu.insert(ctx).await.expect("stored");
    menu
}

#[tokio::test]
async fn every_kind_of_value_survives() {
    let ctx = admin().await;
    let parent = stored(&ctx, menu("Parent", "0")).await;
    let written = Menu {
        menu_price: "99999999999999.9999".parse().expect("a price"),
        weight: Some("0.125".parse().expect("a weight")),
        parent_id: Some(parent.menu_id),
        place_code: Some("O'Hare \"1\"".to_owned()),
        extra: Some(json!({"a": [1, null, "ü"]})),
        created_at: Some(odd_moment()),
        ..menu("Müsli", "0")
    };
    let written = stored(&ctx, written).await;
    assert_eq!(written.menu_id, 2);
    assert_eq!(written.created_at, Some(odd_moment()));
    assert_eq!(
        Menu::unscoped().find(&ctx, 2).await.expect("found"),
        Some(written)
    );
    assert_eq!(Menu::unscoped().find(&ctx, 3).await.expect("none"), None);
}

#[tokio::test]
async fn timestamps_are_kept_by_the_runtime() {
    let ctx = admin().await;
    let mut soup = stored(&ctx, menu("Soup", "4.99")).await;
    assert_eq!(
        (soup.created_at, soup.updated_at),
        (Some(ctx.now()), Some(ctx.now()))
    );
    soup.updated_at = None;
    soup.update(&ctx).await.expect("updated");
    assert_eq!(soup.updated_at, Some(ctx.now()));
}

#[tokio::test]
async fn only_changed_columns_are_written() {
    let ctx = admin().await;
    let before = stored(&ctx, menu("Soup", "4.99")).await;
    // Another request changes another column meanwhile.
    let price = [("menu_price", Value::from(5_i64))];
    assert_eq!(
        Menu::unscoped()
            .eq("menu_id", 1_i64)
            .set(&ctx, &price)
            .await
            .expect("set"),
        1
    );
    let statements = ctx.db().statements();
    let mut same = before.clone();
    assert!(
        !repository::update(&ctx, &before, &mut same)
            .await
            .expect("nothing")
    );
    assert_eq!(ctx.db().statements(), statements);
    let mut renamed = Menu {
        menu_name: "Broth".to_owned(),
        ..before.clone()
    };
    assert!(
        repository::update(&ctx, &before, &mut renamed)
            .await
            .expect("changed")
    );
    assert_eq!(ctx.db().statements(), statements + 1);
    let found = Menu::unscoped()
        .find(&ctx, 1)
        .await
        .expect("found")
        .expect("a menu");
    assert_eq!(
        (
            found.menu_name.as_str(),
            found.menu_price.to_string().as_str()
        ),
        ("Broth", "5.0000")
    );
}

#[tokio::test]
async fn keys_are_counted_generated_or_sent() {
    let ctx = admin().await;
    let mut image = Media {
        attachment_type: "menus".to_owned(),
        ..Media::default()
    };
    image.insert(&ctx).await.expect("stored");
    assert_eq!(image.id.get_version_num(), 7);
    assert_eq!(
        Media::unscoped().find(&ctx, image.id).await.expect("found"),
        Some(image)
    );
    let brought = stored(
        &ctx,
        Menu {
            menu_id: 77,
            ..menu("Soup", "1")
        },
    )
    .await;
    // PostgreSQL counts on from the last key that it counted itself.
    let next = stored(&ctx, menu("Next", "1")).await;
    assert!(next.menu_id > 0 && next.menu_id != brought.menu_id);
}

#[tokio::test]
async fn violated_constraints_are_reported_to_the_client() {
    let ctx = admin().await;
    let soup = stored(&ctx, menu("Soup", "1")).await;
    let twice = menu("Soup", "1").insert(&ctx).await.expect_err("taken");
    assert_eq!(
        (twice.status().as_u16(), twice.to_string().as_str()),
        (422, "The menu name has already been taken.")
    );
    let mut orphan = Menu {
        parent_id: Some(99),
        ..menu("Orphan", "1")
    };
    let missing = orphan.insert(&ctx).await.expect_err("no parent");
    assert_eq!(
        (missing.status().as_u16(), missing.to_string().as_str()),
        (422, "The selected parent id is invalid.")
    );
    let child = stored(
        &ctx,
        Menu {
            parent_id: Some(soup.menu_id),
            ..menu("Child", "1")
        },
    )
    .await;
    let needed = soup.delete(&ctx).await.expect_err("a child depends on it");
    assert_eq!(needed.status().as_u16(), 409);
    child.delete(&ctx).await.expect("deleted");
    soup.delete(&ctx).await.expect("deleted");
    assert_eq!(Menu::unscoped().count(&ctx).await.expect("counted"), 0);
}

#[tokio::test]
async fn relations_are_synchronised_and_detached() {
    let ctx = admin().await;
    let soup = stored(&ctx, menu("Soup", "1")).await;
    let rows = "INSERT INTO categories (name) VALUES ('a'), ('b'), ('c')";
    ctx.db().execute(rows, []).await.expect("categories");
    for code in ["x", "y"] {
        Place {
            code: code.to_owned(),
            ..Place::default()
        }
        .insert(&ctx)
        .await
        .expect("place");
    }
    let foreign = "INSERT INTO placeables VALUES (1, 'categories', 1)";
    ctx.db()
        .execute(foreign, [])
        .await
        .expect("another kind's row");
    let linked = |table: &'static str, column: &'static str| {
        let db = ctx.db().clone();
        async move {
            let sql = format!("SELECT {column} FROM {table} ORDER BY 1");
            let rows = db.rows(sql, []).await.expect("rows").into_iter().flatten();
            rows.map(|id| id.as_int().expect("an id"))
                .collect::<Vec<_>>()
        }
    };
    let sync = |body: Json| {
        let (ctx, soup) = (ctx.clone(), soup.clone());
        async move {
            let body = body.as_object().expect("an object");
            repository::sync_relations(&ctx, &soup, body, &|_| true).await
        }
    };
    sync(json!({"categories": [3, "1", 3], "places": [2]}))
        .await
        .expect("synchronised");
    assert_eq!(linked("menu_categories", "category_id").await, [1, 3]);
    assert_eq!(linked("placeables", "place_id").await, [1, 2]);
    sync(json!({"categories": [2, 3], "places": null}))
        .await
        .expect("synchronised");
    assert_eq!(linked("menu_categories", "category_id").await, [2, 3]);
    assert_eq!(
        linked("placeables", "place_id").await,
        [1],
        "the other kind's row stays"
    );
    for wrong in [json!([9]), json!(["x"]), json!(1), json!([1.5])] {
        let error = sync(json!({"categories": wrong}))
            .await
            .expect_err("no such category");
        assert!(
            matches!(&error, Error::Validation(errors) if errors.has("categories")),
            "{error}"
        );
    }
    assert_eq!(linked("menu_categories", "category_id").await, [2, 3]);
    soup.delete(&ctx).await.expect("deleted");
    assert!(linked("menu_categories", "category_id").await.is_empty());
}

#[tokio::test]
async fn bodies_fill_records() {
    let body = json!({
        "menu_id": 9, "menu_name": "Soup", "menu_price": 4.99, "menu_status": null,
        "extra": null, "created_at": "2020-01-01", "secret": 1, "parent_id": "3",
    });
    let body = body.as_object().expect("an object");
    let mut record = Menu {
        menu_status: false,
        extra: Some(json!(1)),
        ..Menu::default()
    };
    formwork::data::model::fill(&mut record, body, &|name| {
        !["parent_id", "menu_id"].contains(&name)
    })
    .expect("filled");
    let expected = Menu {
        menu_status: true,
        ..menu("Soup", "4.99")
    };
    assert_eq!(
        record, expected,
        "keys, timestamps and what is not writable stay"
    );
    let wrong = json!({"menu_price": "cheap", "menu_status": 7});
    let error =
        formwork::data::model::fill(&mut record, wrong.as_object().expect("an object"), &|_| {
            true
        });
    let Err(Error::Validation(errors)) = error else {
        panic!("{error:?}")
    };
    assert_eq!(errors.iter().count(), 2, "all at once");
}

#[tokio::test]
async fn owners_are_set() {
    let mut order = Order::default();
    formwork_data::model::set_owner(&mut order, "customer_id", 5).expect("set");
    assert_eq!(order.customer_id, 5);
    assert!(formwork_data::model::set_owner(&mut order, "nobody", 5).is_err());
}
