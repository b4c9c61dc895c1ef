//! A database that is copied into another one, of any kind.

use formwork_data::{
    copy::copy,
    model::{Schema, change},
    record::ModelExt,
};

use crate::{
    TestContext, create_context, execute_all, of,
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

async fn create_tables(ctx: &TestContext) {
    let dialect = ctx.db.dialect().name();
    let tables = TABLES.iter().chain([&TABLE]);
    execute_all(&ctx.db, tables.map(|table| of(dialect, *table))).await;
}

async fn fill(ctx: &TestContext) {
    for mut thing in things() {
        change::insert(ctx, &mut thing).await.expect("stored");
    }
    let transaction = ctx.db.begin().await.expect("begun");
    transaction.defer_foreign_keys().await.expect("deferred");
    // A row before its parent; each database writes moments in its own form.
    let first = match ctx.db.dialect().name() {
        "mysql" => "INSERT INTO trees VALUES (1, 2, TRUE, '2026-01-31 12:00:00', 4.5)",
        _ => "INSERT INTO trees VALUES (1, 2, TRUE, '2026-01-31T12:00:00Z', 4.5)",
    };
    let statements = [
        first,
        "INSERT INTO trees VALUES (2, NULL, FALSE, NULL, 12)",
        "INSERT INTO roots VALUES (7, 9)",
        "INSERT INTO a_links VALUES (9, 7, 1)",
    ];
    execute_all(transaction.db(), statements).await;
    transaction.commit().await.expect("committed");
}

/// Copies, and returns the number of rows of each table.
async fn copy_all(
    from: &TestContext,
    to: &TestContext,
    replace: bool,
) -> Result<Vec<(String, u64)>, String> {
    let models = [Schema::of::<Thing>()];
    let tables = copy(&from.db, &to.db, &models, replace).await;
    let tables = tables.map_err(|error| error.to_string())?.into_iter();
    Ok(tables.map(|it| (it.name.to_string(), it.rows)).collect())
}

/// All rows: of the tables without a model, and of the model.
async fn rows(ctx: &TestContext) -> (Vec<String>, Vec<Thing>) {
    let mut all = Vec::new();
    for sql in [
        "SELECT id, parent_id, CASE WHEN is_old THEN 'old' ELSE 'new' END FROM trees ORDER BY id",
        "SELECT id, link_id FROM roots",
        "SELECT id, root_id, tree_id FROM a_links",
    ] {
        let rows = ctx.db.rows(sql, []).await.expect(sql).into_iter();
        all.extend(rows.flatten().map(|value| value.to_string()));
    }
    let things = Thing::unscoped().order_by("id").all(ctx).await;
    (all, things.expect("things"))
}

#[tokio::test]
async fn a_database_is_copied_from_each_kind_to_each() {
    // Back to SQLite in the end.
    let servers = servers().into_iter().chain(["sqlite:".to_owned()]);
    let (mut from, mut database) = create_context("sqlite:").await;
    create_tables(&from).await;
    fill(&from).await;
    let expected = rows(&from).await;
    for server in servers {
        let (to, next_database) = create_context(&server).await;
        create_tables(&to).await;
        let counts = copy_all(&from, &to, false).await.expect("copied");
        let tables = [("a_links", 1), ("roots", 1), ("things", 4), ("trees", 2)];
        let tables = tables.map(|(name, rows)| (name.to_owned(), rows));
        assert_eq!(counts, tables, "{server}");
        assert_eq!(rows(&to).await, expected, "{server}");
        // New keys are above the copied ones.
        let mut next = Thing::default();
        change::insert(&to, &mut next).await.expect("stored");
        assert_eq!(next.id, 5, "{server}");
        change::delete(&to, &next).await.expect("deleted");
        database.remove([from.db]).await;
        (from, database) = (to, next_database);
    }
    database.remove([from.db]).await;
}

#[tokio::test]
async fn rows_are_replaced_only_on_demand_and_never_lost() {
    for server in servers() {
        let (from, from_database) = create_context("sqlite:").await;
        let (to, to_database) = create_context(&server).await;
        create_tables(&from).await;
        fill(&from).await;
        let refused = copy_all(&from, &to, false).await.expect_err("no tables");
        assert!(refused.contains("has no table"), "{server}: {refused}");
        assert!(refused.contains("a_links"), "{server}: {refused}");

        create_tables(&to).await;
        fill(&to).await;
        let refused = copy_all(&from, &to, false).await.expect_err("rows");
        assert!(refused.contains("has rows in"), "{server}: {refused}");
        let before = rows(&to).await;
        execute_all(
            &from.db,
            ["ALTER TABLE trees ADD COLUMN \"height\" INTEGER"],
        )
        .await;
        let refused = copy_all(&from, &to, true).await.expect_err("a column");
        let reason = "no column `height` in `trees`";
        assert!(refused.contains(reason), "{server}: {refused}");
        assert_eq!(rows(&to).await, before, "{server}");

        let statements = [
            "ALTER TABLE trees DROP COLUMN \"height\"",
            "UPDATE things SET name = 'new' WHERE id = 1",
        ];
        execute_all(&from.db, statements).await;
        copy_all(&from, &to, true).await.expect("copied");
        let (_, things) = rows(&to).await;
        assert_eq!(things[0].name.as_deref(), Some("new"), "{server}");
        from_database.remove([from.db]).await;
        to_database.remove([to.db]).await;
    }
}
