//! Records on their way into tables and back.

use formwork::prelude::*;
use formwork::resource::repository;

use crate::service::{admin, count, find};
use crate::tables::{Media, Menu, Order, menu};

async fn stored(ctx: &Context, mut menu: Menu) -> Menu {
    menu.insert(ctx).await.expect("stored");
    menu
}

#[tokio::test]
async fn timestamps_are_kept_by_the_runtime() {
    let ctx = admin().await;
    let mut soup = stored(&ctx, menu("Soup", "4.99")).await;
    assert_eq!([soup.created_at, soup.updated_at], [Some(ctx.now()); 2]);
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
    let set = Menu::unscoped()
        .eq("menu_id", 1_i64)
        .set(&ctx, &price)
        .await;
    assert_eq!(set.expect("set"), 1);
    for (name, expected) in [("Soup", 0), ("Broth", 1)] {
        let statements = ctx.db().statements();
        let mut menu = before.clone();
        menu.menu_name = name.to_owned();
        let is_changed = repository::update(&ctx, &before, &mut menu).await;
        assert_eq!(is_changed.expect("updated"), expected == 1);
        assert_eq!(ctx.db().statements() - statements, expected);
    }
    let found = find(&ctx, 1).await;
    assert_eq!(found.menu_name, "Broth");
    assert_eq!(found.menu_price.to_string(), "5.0000");
}

#[tokio::test]
async fn keys_that_are_uuids_are_generated() {
    let ctx = admin().await;
    let mut image = Media {
        attachment_type: "menus".to_owned(),
        ..Media::default()
    };
    image.insert(&ctx).await.expect("stored");
    assert_eq!(image.id.get_version_num(), 7);
    let found = Media::unscoped().find(&ctx, image.id).await;
    assert_eq!(found.expect("found"), Some(image));
}

#[tokio::test]
async fn violated_constraints_are_reported_to_the_client() {
    let ctx = admin().await;
    let soup = stored(&ctx, menu("Soup", "1")).await;
    let with_parent = |key, name| Menu {
        parent_id: Some(key),
        ..menu(name, "1")
    };
    let orphan = with_parent(99, "Orphan");
    for (mut menu, message) in [
        (menu("Soup", "1"), "The menu name has already been taken."),
        (orphan, "The selected parent id is invalid."),
    ] {
        let error = menu.insert(&ctx).await.expect_err(message);
        assert_eq!(error.status(), 422);
        assert_eq!(error.to_string(), message);
    }
    let child = stored(&ctx, with_parent(soup.menu_id, "Child")).await;
    let needed = soup.delete(&ctx).await.expect_err("a child depends on it");
    assert_eq!(needed.status(), 409);
    child.delete(&ctx).await.expect("deleted");
    soup.delete(&ctx).await.expect("deleted");
    assert_eq!(count(&ctx).await, 0);
}

/// Returns the keys in a column.
async fn linked(ctx: &Context, table: &str, column: &str) -> Vec<i64> {
    let sql = format!("SELECT {column} FROM {table} ORDER BY 1");
    let rows = ctx.db().rows(sql, []).await.expect("rows");
    let ids = rows.into_iter().flatten();
    ids.map(|id| id.as_int().expect("an id")).collect()
}

async fn sync(ctx: &Context, menu: &Menu, body: Json) -> Result<()> {
    let body = body.as_object().expect("an object");
    repository::sync_relations(ctx, menu, body, &|_| true).await
}

#[tokio::test]
async fn relations_are_synchronised_and_detached() {
    let ctx = admin().await;
    let soup = stored(&ctx, menu("Soup", "1")).await;
    for sql in [
        "INSERT INTO categories (name) VALUES ('a'), ('b'), ('c')",
        "INSERT INTO places (code) VALUES ('x'), ('y')",
        // A row of another kind, which stays.
        "INSERT INTO placeables VALUES (1, 'categories', 1)",
    ] {
        ctx.db().execute(sql, []).await.expect(sql);
    }
    let categories = async || linked(&ctx, "menu_categories", "category_id").await;
    let places = async || linked(&ctx, "placeables", "place_id").await;
    let body = json!({"categories": [3, "1", 3], "places": [2]});
    sync(&ctx, &soup, body).await.expect("synchronised");
    assert_eq!(
        (categories().await, places().await),
        (vec![1, 3], vec![1, 2])
    );
    let body = json!({"categories": [2, 3], "places": null});
    sync(&ctx, &soup, body).await.expect("synchronised");
    assert_eq!((categories().await, places().await), (vec![2, 3], vec![1]));
    for ids in [json!([9]), json!(["x"]), json!(1), json!([1.5])] {
        let error = sync(&ctx, &soup, json!({"categories": ids})).await;
        let Err(Error::Validation(errors)) = error else {
            panic!("{error:?}")
        };
        assert!(errors.has("categories"), "{errors:?}");
    }
    assert_eq!(categories().await, [2, 3]);
    soup.delete(&ctx).await.expect("deleted");
    assert_eq!(categories().await, [0; 0]);
}

#[test]
fn bodies_fill_records() {
    let fill = |record: &mut Menu, body: Json, is_writable: &dyn Fn(&str) -> bool| {
        let body = body.as_object().expect("an object");
        formwork::data::model::fill(record, body, &|name| is_writable(name))
    };
    let body = json!({
        "menu_id": 9, "menu_name": "Soup", "menu_price": 4.99, "menu_status": null,
        "extra": null, "created_at": "2020-01-01", "secret": 1, "parent_id": "3",
    });
    let mut record = Menu {
        menu_status: false,
        extra: Some(json!(1)),
        ..Menu::default()
    };
    let is_writable = |name: &str| !["parent_id", "menu_id"].contains(&name);
    fill(&mut record, body, &is_writable).expect("filled");
    // Keys, timestamps and attributes that are not writable stay.
    assert_eq!(record, menu("Soup", "4.99"));
    let body = json!({"menu_price": "cheap", "menu_status": 7});
    let error = fill(&mut record, body, &|_| true);
    let Err(Error::Validation(errors)) = error else {
        panic!("{error:?}")
    };
    assert_eq!(errors.iter().count(), 2, "all at once");
}

#[test]
fn owners_are_set() {
    let mut order = Order::default();
    formwork_data::model::set_owner(&mut order, "customer_id", 5).expect("set");
    assert_eq!(order.customer_id, 5);
    assert!(formwork_data::model::set_owner(&mut order, "nobody", 5).is_err());
}
