//! Statements that are sent again: after a deadlock, or a lost connection.

use formwork_data::{
    database::{Db, Fault},
    error::Error,
    model::change,
};

use crate::{
    of, on_each,
    statements::{dish, price, slugs, tables},
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
    on_each(|house, dialect| async move {
        if dialect == "sqlite" {
            return;
        }
        tables(&house, dialect).await;
        for slug in ["a", "b"] {
            let stored = change::insert(&house, &mut dish(slug, 1)).await;
            stored.expect("stored");
        }
        let transaction = house.db.begin().await.expect("begun");
        let inside = transaction.db();
        let chosen = inside.execute(of(dialect, CHOOSE_THE_OTHER), []).await;
        chosen.expect("set");
        price(inside, 2).await.expect("locked");
        let all = house.db.execute("UPDATE dishes SET price = price + 10", []);
        let crossing = async {
            // Until it has the first row, and waits for the second.
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            price(transaction.db(), 1)
                .await
                .expect("the other one gave way");
            transaction.commit().await.expect("committed");
        };
        let (changed, ()) = tokio::join!(all, crossing);
        assert_eq!(changed.expect("sent again"), 2, "{dialect}");
        let expected = ["a", "b"].map(|slug| (slug.to_owned(), 12));
        assert_eq!(slugs(&house).await, expected, "{dialect}");
    })
    .await;
}

/// A statement that takes a second, and what ends the sessions that it is running in.
const READ: [[&str; 3]; 2] = [
    ["", "SELECT 1 FROM pg_sleep(1)", "SELECT SLEEP(1)"],
    [
        "",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()",
        "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = DATABASE() \
         AND INFO LIKE '%SLEEP%' AND ID <> CONNECTION_ID()",
    ],
];

/// Ends the sessions that a second-long statement is running in.
async fn kill_readers(db: &Db, dialect: &str) {
    let [_, sessions] = READ.map(|texts| of(dialect, texts));
    let found = db.rows(sessions, []).await.expect("sessions");
    assert_eq!(found.len(), 1, "{dialect}: {found:?}");
    if dialect == "mysql" {
        let kill = format!("KILL {}", found[0][0]);
        db.execute(kill, []).await.expect("killed");
    }
}

#[tokio::test]
async fn a_read_whose_connection_is_lost_is_sent_once_more() {
    on_each(|house, dialect| async move {
        if dialect == "sqlite" {
            return;
        }
        let [slow, _] = READ.map(|texts| of(dialect, texts));
        let soon = std::time::Duration::from_millis(300);
        let kill = async {
            tokio::time::sleep(soon).await;
            kill_readers(&house.db, dialect).await;
        };
        let (read, ()) = tokio::join!(house.db.fetch(slow.into(), Vec::new()), kill);
        assert_eq!(read.expect("sent again").len(), 1, "{dialect}");
        // SQL of a project may do more than read, and a transaction has lost what it did before.
        let kill = async {
            tokio::time::sleep(soon).await;
            kill_readers(&house.db, dialect).await;
        };
        let (read, ()) = tokio::join!(house.db.rows(slow, []), kill);
        assert!(
            matches!(read, Err(Error::Unavailable(_))),
            "{dialect}: {read:?}"
        );
        let transaction = house.db.begin().await.expect("begun");
        let kill = async {
            tokio::time::sleep(soon).await;
            kill_readers(&house.db, dialect).await;
        };
        let read = transaction.db().fetch(slow.into(), Vec::new());
        let (read, ()) = tokio::join!(read, kill);
        assert!(matches!(read, Err(Fault::Lost)), "{dialect}");
        drop(transaction);
        let rows = house.db.rows("SELECT 1", []).await;
        assert_eq!(rows.expect("the others are replaced").len(), 1, "{dialect}");
    })
    .await;
}
