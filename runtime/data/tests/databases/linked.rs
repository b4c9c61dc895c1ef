//! Rows that tables between link, by keys of each type.

use formwork_data::{
    column::Columns,
    database::PivotLink,
    error::Result,
    model::Model,
    query::Query,
    relations::{Relations, pivot},
    value::Value,
};

use crate::{of, on_each};

/// A dish, with tags that have UUIDs, and menus that are counted.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
struct Dish {
    id: i64,
}

impl Model for Dish {
    type Key = i64;

    const TABLE: &'static str = "dishes";
    const KEY: &'static str = "id";

    fn columns<C: Columns>(&mut self, to: &mut C) -> Result<()> {
        to.key("id", &mut self.id)
    }

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
    on_each(|house, dialect| async move {
        for sql in [
            DISHES,
            MENUS,
            of(dialect, TAGS),
            "INSERT INTO dishes VALUES (1), (2), (3)",
            "INSERT INTO dish_menu VALUES (1, 7), (2, 8)",
        ] {
            house.db.execute(sql, []).await.expect(sql);
        }
        let tag: Value = TAG
            .parse::<formwork_data::value::Uuid>()
            .expect("a UUID")
            .into();
        let link = "INSERT INTO dish_tag VALUES (1, ?)";
        house.db.execute(link, [tag.clone()]).await.expect("linked");
        let text = |text: &str| Value::from(text);
        for (relation, keys, linked, or_none) in [
            ("menus", vec![Value::Int(7)], vec![1], vec![1, 3]),
            ("menus", vec![text("7")], vec![1], vec![1, 3]),
            (
                "menus",
                vec![Value::Int(7), text("8")],
                vec![1, 2],
                vec![1, 2, 3],
            ),
            ("menus", vec![text("7x"), text("")], vec![], vec![3]),
            ("menus", vec![Value::Null], vec![], vec![3]),
            ("menus", vec![], vec![], vec![3]),
            ("tags", vec![tag.clone()], vec![1], vec![1, 2, 3]),
            ("tags", vec![text(TAG)], vec![1], vec![1, 2, 3]),
            (
                "tags",
                vec![text("red"), tag.clone()],
                vec![1],
                vec![1, 2, 3],
            ),
            ("tags", vec![text("red")], vec![], vec![2, 3]),
        ] {
            let mut query = Query::<Dish>::new().order_by("id");
            query.linked(relation, keys.clone()).expect("a relation");
            let mut wider = Query::<Dish>::new().order_by("id");
            wider
                .linked_or_none(relation, keys.clone())
                .expect("a relation");
            for (query, expected) in [(query, linked), (wider, or_none)] {
                let found = query.all(&house).await;
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
    on_each(|house, dialect| async move {
        if dialect == "sqlite" {
            // It has one writer at a time.
            return;
        }
        let table = "CREATE TABLE dish_menu (dish_id BIGINT, menu_id BIGINT, \
                     PRIMARY KEY (dish_id, menu_id))";
        house.db.execute(table, []).await.expect("a table");
        let (one, other) = (house.db.begin().await, house.db.begin().await);
        let (one, other) = (one.expect("begun"), other.expect("begun"));
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
            // Until the other side waits for the pair.
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            one.commit().await.expect("committed");
        };
        let (late, ()) = tokio::join!(late, commits);
        late.expect("the link exists");
        let rows = other.db().rows("SELECT menu_id FROM dish_menu", []).await;
        assert_eq!(rows.expect(dialect), [[Value::Int(7)]]);
    })
    .await;
}
