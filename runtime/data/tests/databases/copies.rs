//! A database that is copied into another one, of any kind.

use formwork_data::{
    copy::{CopiedTable, copy},
    model::{Schema, change},
    record::ModelExt,
    value::Value,
};

use crate::{
    House, made, of, removed,
    round_trips::{TABLE, Thing, things},
    servers,
};

/// Tables that no model describes. `trees` points to itself, and the tables `a_links` and `roots` to each
/// other.
const TABLES: [[&str; 3]; 4] = [
    [
        "CREATE TABLE trees (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES trees (id), \
         is_old INTEGER NOT NULL, planted_at TEXT, price NUMERIC NOT NULL)",
        "CREATE TABLE trees (id BIGINT PRIMARY KEY, parent_id BIGINT REFERENCES trees (id) \
         DEFERRABLE, is_old BOOLEAN NOT NULL, planted_at TIMESTAMPTZ, price NUMERIC(8, 2) NOT NULL)",
        "CREATE TABLE trees (id BIGINT PRIMARY KEY, parent_id BIGINT REFERENCES trees (id), \
         is_old BOOLEAN NOT NULL, planted_at DATETIME(6), price DECIMAL(8, 2) NOT NULL)",
    ],
    [
        "CREATE TABLE roots (id INTEGER PRIMARY KEY, link_id INTEGER REFERENCES a_links (id))",
        "CREATE TABLE roots (id BIGINT PRIMARY KEY, link_id BIGINT)",
        "CREATE TABLE roots (id BIGINT PRIMARY KEY, link_id BIGINT)",
    ],
    [
        "CREATE TABLE a_links (id INTEGER PRIMARY KEY, root_id INTEGER NOT NULL REFERENCES roots (id), \
         tree_id INTEGER NOT NULL REFERENCES trees (id))",
        "CREATE TABLE a_links (id BIGINT PRIMARY KEY, \
         root_id BIGINT NOT NULL REFERENCES roots (id) DEFERRABLE, \
         tree_id BIGINT NOT NULL REFERENCES trees (id) DEFERRABLE)",
        "CREATE TABLE a_links (id BIGINT PRIMARY KEY, root_id BIGINT NOT NULL REFERENCES roots (id), \
         tree_id BIGINT NOT NULL REFERENCES trees (id))",
    ],
    [
        "SELECT 1",
        "ALTER TABLE roots ADD FOREIGN KEY (link_id) REFERENCES a_links (id) DEFERRABLE",
        "ALTER TABLE roots ADD FOREIGN KEY (link_id) REFERENCES a_links (id)",
    ],
];

async fn create_tables(house: &House) {
    let dialect = house.db.dialect().name();
    for table in TABLES.iter().chain([&TABLE]) {
        let sql = of(dialect, *table);
        house.db.execute(sql, []).await.expect(sql);
    }
}

async fn fill(house: &House) {
    for mut thing in things() {
        change::insert(house, &mut thing).await.expect("stored");
    }
    let transaction = house.db.begin().await.expect("begun");
    transaction.defer_foreign_keys().await.expect("deferred");
    // Each database writes moments in its own form.
    let first = [
        "INSERT INTO trees VALUES (1, 2, TRUE, '2026-01-31T12:00:00Z', 4.5)",
        "INSERT INTO trees VALUES (1, 2, TRUE, '2026-01-31T12:00:00Z', 4.5)",
        "INSERT INTO trees VALUES (1, 2, TRUE, '2026-01-31 12:00:00', 4.5)",
    ];
    for sql in [
        // A row before its parent.
        of(house.db.dialect().name(), first),
        "INSERT INTO trees VALUES (2, NULL, FALSE, NULL, 12)",
        "INSERT INTO roots VALUES (7, 9)",
        "INSERT INTO a_links VALUES (9, 7, 1)",
    ] {
        transaction.db().execute(sql, []).await.expect(sql);
    }
    transaction.commit().await.expect("committed");
}

async fn copied(from: &House, to: &House, replace: bool) -> Result<Vec<CopiedTable>, String> {
    let models = [Schema::of::<Thing>()];
    let copied = copy(&from.db, &to.db, &models, replace).await;
    copied.map_err(|error| error.to_string())
}

/// All rows of the tables without a model.
async fn rows(house: &House) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for sql in [
        "SELECT id, parent_id, CASE WHEN is_old THEN 'old' ELSE 'new' END FROM trees ORDER BY id",
        "SELECT id, link_id FROM roots",
        "SELECT id, root_id, tree_id FROM a_links",
    ] {
        let rows = house.db.rows(sql, []).await.expect(sql);
        let texts = |row: Vec<Value>| row.iter().map(ToString::to_string).collect();
        all.extend(rows.into_iter().map(texts));
    }
    all
}

#[tokio::test]
async fn a_database_is_copied_from_each_kind_to_each() {
    let mut servers = servers();
    // Back to SQLite in the end.
    servers.push("sqlite:".to_owned());
    let mut houses = Vec::new();
    for server in servers {
        let (house, name) = made(&server).await;
        create_tables(&house).await;
        houses.push((server, house, name));
    }
    fill(&houses[0].1).await;
    let (first_rows, first) = (rows(&houses[0].1).await, all_things(&houses[0].1).await);
    for pair in houses.windows(2) {
        let [(_, from, _), (server, to, _)] = pair else {
            unreachable!("windows of two")
        };
        let counts = copied(from, to, false).await.expect("copied");
        let counts: Vec<_> = counts.iter().map(|it| (&*it.name, it.rows)).collect();
        let expected = [("a_links", 1), ("roots", 1), ("things", 4), ("trees", 2)];
        assert_eq!(counts, expected, "{server}");
        assert_eq!(all_things(to).await, first, "{server}");
        assert_eq!(rows(to).await, first_rows, "{server}");
        // New keys are above the copied ones.
        let mut next = Thing::default();
        change::insert(to, &mut next).await.expect("stored");
        assert_eq!(next.id, 5, "{server}");
        change::delete(to, &next).await.expect("deleted");
    }
    for (server, house, name) in houses {
        removed(&server, house, &name).await;
    }
}

async fn all_things(house: &House) -> Vec<Thing> {
    let query = Thing::unscoped().order_by("id");
    query.all(house).await.expect("read")
}

#[tokio::test]
async fn rows_are_replaced_only_on_demand_and_never_lost() {
    for server in servers() {
        let ((from, from_name), (to, to_name)) = (made("sqlite:").await, made(&server).await);
        create_tables(&from).await;
        fill(&from).await;
        let refused = copied(&from, &to, false).await.expect_err("no tables");
        assert!(refused.contains("has no table"), "{server}: {refused}");
        assert!(refused.contains("a_links"), "{server}: {refused}");

        create_tables(&to).await;
        fill(&to).await;
        let refused = copied(&from, &to, false).await.expect_err("rows");
        assert!(refused.contains("has rows in"), "{server}: {refused}");
        let before = (rows(&to).await, all_things(&to).await);

        from.db
            .execute("ALTER TABLE trees ADD COLUMN \"height\" INTEGER", [])
            .await
            .expect("a column");
        let refused = copied(&from, &to, true).await.expect_err("a column");
        assert!(
            refused.contains("no column `height` in `trees`"),
            "{server}: {refused}"
        );
        assert_eq!((rows(&to).await, all_things(&to).await), before, "{server}");

        from.db
            .execute("ALTER TABLE trees DROP COLUMN \"height\"", [])
            .await
            .expect("dropped");
        from.db
            .execute("UPDATE things SET name = 'new' WHERE id = 1", [])
            .await
            .expect("changed");
        copied(&from, &to, true).await.expect("copied");
        assert_eq!(
            all_things(&to).await[0].name.as_deref(),
            Some("new"),
            "{server}"
        );
        removed("sqlite:", from, &from_name).await;
        removed(&server, to, &to_name).await;
    }
}
