//! Statements that are sent again: after a deadlock, or a lost connection.

use formwork_data::{
    database::{Db, Fault},
    error::Error,
};

use crate::{
    of, on_servers,
    statements::{dish, insert, price, slugs, tables},
    wait_for_lock, wait_for_rows,
};

/// Servers choose whom to end: it is the one that PostgreSQL would notice first, and the cheaper one to
/// MariaDB.
const CHOOSE_THE_OTHER: [&str; 3] = [
    "",
    "SET LOCAL deadlock_timeout = '60s'",
    "INSERT INTO menus VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9)",
];

#[tokio::test]
async fn a_statement_that_commits_by_itself_is_sent_again_after_a_deadlock() {
    on_servers(|ctx, dialect| async move {
        tables(&ctx, dialect).await;
        for slug in ["a", "b"] {
            insert(&ctx, dish(slug, 1)).await;
        }
        let transaction = ctx.db.begin().await.expect("begun");
        let inside = transaction.db();
        let chosen = inside.execute(of(dialect, CHOOSE_THE_OTHER), []).await;
        chosen.expect("set");
        price(inside, 2).await.expect("locked");
        let all = ctx.db.execute("UPDATE dishes SET price = price + 10", []);
        let crossing = async {
            // It has the first row, and waits for the second.
            wait_for_lock(&ctx.db).await;
            price(transaction.db(), 1)
                .await
                .expect("the other one gave way");
            transaction.commit().await.expect("committed");
        };
        let (changed, ()) = tokio::join!(all, crossing);
        assert_eq!(changed.expect("sent again"), 2, "{dialect}");
        let expected = ["a", "b"].map(|slug| (slug.to_owned(), 12));
        assert_eq!(slugs(&ctx).await, expected, "{dialect}");
    })
    .await;
}

/// A statement that takes a second, and what ends the sessions that it is running in.
const READ: [[&str; 3]; 2] = [
    ["", "SELECT 1 FROM pg_sleep(1)", "SELECT SLEEP(1)"],
    [
        "",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%' \
         AND pid <> pg_backend_pid()",
        "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() \
         AND INFO LIKE '%SLEEP%' AND ID <> CONNECTION_ID()",
    ],
];

/// Ends the session that a second-long statement is running in.
async fn kill_reader(db: &Db, dialect: &str) {
    let [_, sessions] = READ.map(|texts| of(dialect, texts));
    let sessions = wait_for_rows(db, sessions).await;
    assert_eq!(sessions.len(), 1, "{dialect}: {sessions:?}");
    if dialect == "mysql" {
        let kill = format!("KILL {}", sessions[0][0]);
        db.execute(kill, []).await.expect("killed");
    }
}

#[tokio::test]
async fn a_read_whose_connection_is_lost_is_sent_once_more() {
    on_servers(|ctx, dialect| async move {
        let [slow, _] = READ.map(|texts| of(dialect, texts));
        let kill = || kill_reader(&ctx.db, dialect);
        let (read, ()) = tokio::join!(ctx.db.fetch(slow.into(), Vec::new()), kill());
        assert_eq!(read.expect("sent again").len(), 1, "{dialect}");
        // SQL of a project may do more than read, and a transaction has lost its earlier statements.
        let (read, ()) = tokio::join!(ctx.db.rows(slow, []), kill());
        assert!(matches!(read, Err(Error::Unavailable(_))), "{read:?}");
        let transaction = ctx.db.begin().await.expect("begun");
        let read = transaction.db().fetch(slow.into(), Vec::new());
        let (read, ()) = tokio::join!(read, kill());
        assert!(matches!(read, Err(Fault::Lost)), "{dialect}");
        drop(transaction);
        let rows = ctx.db.rows("SELECT 1", []).await;
        assert_eq!(rows.expect("the others are replaced").len(), 1, "{dialect}");
    })
    .await;
}
