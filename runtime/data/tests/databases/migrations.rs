//! Migrations on a database whose DDL commits by itself.

use formwork_data::{
    database::{create_temporary, remove_temporary},
    migration::{self, Migration},
    value::Uuid,
};

use crate::{address, connected, on_mariadb};

const BROKEN: &[Migration] = &[Migration {
    version: 1,
    name: "fill",
    sql: &[(
        "mysql",
        "CREATE TABLE menus (id INT);\nINSERT INTO menus VALUES (1);\nINSERT INTO none VALUES (';');",
    )],
}];

const MENDED: &[Migration] = &[Migration {
    version: 1,
    name: "fill",
    sql: &[(
        "mysql",
        "CREATE TABLE menus (id INT);\nINSERT INTO menus VALUES (1);\nINSERT INTO menus VALUES (2);",
    )],
}];

#[tokio::test]
async fn one_that_failed_half_way_says_where_it_stands_and_goes_on_from_there() {
    on_mariadb(|house, _| async move {
        let db = &house.db;
        for _ in 0..2 {
            let error = migration::run(db, &[("cart", BROKEN)]).await;
            let error = error.expect_err("there is no such table").to_string();
            assert!(
                error.contains("1 fill of cart") && error.contains("statement 3 of 3"),
                "{error}"
            );
            let pending = migration::pending(db, &[("cart", BROKEN)]).await;
            assert_eq!(pending.expect("pending").len(), 1);
        }
        let applied = migration::run(db, &[("cart", MENDED)])
            .await
            .expect("applied");
        assert_eq!(applied.len(), 1);
        let rows = db.rows("SELECT id FROM menus ORDER BY id", []).await;
        assert_eq!(rows.expect("rows").len(), 2, "each statement is run once");
        assert!(
            migration::run(db, &[("cart", MENDED)])
                .await
                .expect("none")
                .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn of_several_runners_one_applies_each() {
    on_mariadb(|house, _| async move {
        let runners = (0..4).map(|_| {
            let db = house.db.clone();
            tokio::spawn(async move { migration::run(&db, &[("cart", MENDED)]).await })
        });
        let mut applied = 0;
        for runner in runners.collect::<Vec<_>>() {
            applied += runner.await.expect("no panic").expect("applied").len();
        }
        assert_eq!(applied, 1);
        let rows = house.db.rows("SELECT id FROM menus", []).await;
        assert_eq!(rows.expect("rows").len(), 2);
    })
    .await;
}

const CREATED: &[Migration] = &[
    Migration {
        version: 1,
        name: "create_menus",
        sql: &[("mysql", "CREATE TABLE menus (name VARCHAR(9));")],
    },
    Migration {
        version: 2,
        name: "create_dishes",
        sql: &[("mysql", "CREATE TABLE dishes (name VARCHAR(9));")],
    },
];

/// The collation is set while another session of the pool is in use, which began before.
#[tokio::test]
async fn a_table_has_the_collation_that_was_set_after_its_session_began() {
    let Some(server) = address("FORMWORK_TEST_MYSQL_URL") else {
        return;
    };
    let name = format!("house_{}", Uuid::now_v7().simple());
    let url = create_temporary(&server, &name).await.expect("a database");
    let first = connected(url.clone()).await;
    let latin = format!("ALTER DATABASE {name} CHARACTER SET latin1");
    first.execute(latin, []).await.expect("altered");
    first.close().await;
    let db = connected(url).await;
    let busy = db.begin().await.expect("begun");
    migration::run(&db, &[]).await.expect("set");
    busy.commit().await.expect("committed");
    let applied = migration::run(&db, &[("cart", CREATED)]).await;
    assert_eq!(applied.expect("applied").len(), 2);
    for table in ["menus", "dishes"] {
        let sql = format!("INSERT INTO {table} VALUES ('\u{1f35d}')");
        db.execute(sql, []).await.expect(table);
    }
    db.close().await;
    remove_temporary(&server, &name).await.expect("removed");
}
