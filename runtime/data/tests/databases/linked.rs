//! Rows that tables between link, by keys of each type.

use formwork_data::{
    column::Columns,
    database::PivotLink,
    error::Result,
    model::Model,
    record::ModelExt,
    relations::{Relations, pivot},
    value::{Uuid, Value},
};

use crate::{execute_all, of, on_each, on_servers, wait_for_lock};

model! {
    /// A dish, with tags that have UUIDs, and menus that are counted.
    Dish "dishes" { key id: i64 }

    fn relations(to: &mut Relations<Self>) {
        to.belongs_to_many("tags", "tags", pivot("dish_tag", "dish_id", "tag_id"));
        to.belongs_to_many("menus", "menus", pivot("dish_menu", "dish_id", "menu_id"));
    }
}

const DISHES: &str = "CREATE TABLE dishes (id BIGINT PRIMARY KEY)";

const MENUS: &str = "CREATE TABLE dish_menu (dish_id BIGINT, menu_id BIGINT)";

const TAGS: [&str; 3] = [
    "CREATE TABLE dish_tag (dish_id INTEGER, tag_id TEXT)",
    "CREATE TABLE dish_tag (dish_id BIGINT, tag_id UUID)",
    "CREATE TABLE dish_tag (dish_id BIGINT, tag_id UUID)",
];

const TAG: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

#[tokio::test]
async fn keys_of_each_type_find_linked_rows() {
    on_each(|ctx, dialect| async move {
        let statements = [
            DISHES,
            MENUS,
            of(dialect, TAGS),
            "INSERT INTO dishes VALUES (1), (2), (3)",
            "INSERT INTO dish_menu VALUES (1, 7), (2, 8)",
        ];
        execute_all(&ctx.db, statements).await;
        let tag: Uuid = TAG.parse().expect("a UUID");
        let tag = Value::from(tag);
        let link = "INSERT INTO dish_tag VALUES (1, ?)";
        ctx.db.execute(link, [tag.clone()]).await.expect("linked");
        let text = |text: &str| Value::from(text);
        let (seven, red) = (Value::Int(7), text("red"));
        for (relation, keys, linked, or_none) in [
            ("menus", vec![seven.clone()], &[1][..], &[1, 3][..]),
            ("menus", vec![text("7")], &[1], &[1, 3]),
            ("menus", vec![seven, text("8")], &[1, 2], &[1, 2, 3]),
            ("menus", vec![text("7x"), text("")], &[], &[3]),
            ("menus", vec![Value::Null], &[], &[3]),
            ("menus", vec![], &[], &[3]),
            ("tags", vec![tag.clone()], &[1], &[1, 2, 3]),
            ("tags", vec![text(TAG)], &[1], &[1, 2, 3]),
            ("tags", vec![red.clone(), tag], &[1], &[1, 2, 3]),
            ("tags", vec![red], &[], &[2, 3]),
        ] {
            let mut query = Dish::unscoped().order_by("id");
            query.linked(relation, keys.clone()).expect("a relation");
            let mut wider = Dish::unscoped().order_by("id");
            let linked_or_none = wider.linked_or_none(relation, keys.clone());
            linked_or_none.expect("a relation");
            for (query, expected) in [(query, linked), (wider, or_none)] {
                let found = query.all(&ctx).await;
                let found = found.unwrap_or_else(|error| panic!("{keys:?} on {dialect}: {error}"));
                let ids: Vec<i64> = found.into_iter().map(|dish| dish.id).collect();
                assert_eq!(ids, expected, "{relation} {keys:?} on {dialect}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_pair_that_both_sides_link_at_once_is_linked_once() {
    on_servers(|ctx, dialect| async move {
        let table = "CREATE TABLE dish_menu (dish_id BIGINT, menu_id BIGINT, \
                     PRIMARY KEY (dish_id, menu_id))";
        ctx.db.execute(table, []).await.expect("a table");
        let ((one, _), (other, _)) = (ctx.begin().await, ctx.begin().await);
        let side = |own, other, key| PivotLink {
            pivot: pivot("dish_menu", own, other),
            morph: None,
            own: Value::Int(key),
        };
        let menu = side("menu_id", "dish_id", 7);
        let written = one.db().write_links(&menu, [Value::Int(1)]).await;
        written.expect("linked");
        let dish = side("dish_id", "menu_id", 1);
        let late = other.db().write_links(&dish, [Value::Int(7)]);
        let commits = async {
            // The other side waits for the pair.
            wait_for_lock(&ctx.db).await;
            one.commit().await.expect("committed");
        };
        let (late, ()) = tokio::join!(late, commits);
        late.expect("the link exists");
        let rows = other.db().rows("SELECT menu_id FROM dish_menu", []).await;
        assert_eq!(rows.expect(dialect), [[Value::Int(7)]]);
    })
    .await;
}
