//! Settings of sessions, and TLS.

use std::time::{Duration, Instant};

use formwork::prelude::*;
use formwork_data::database::{DatabaseOptions, Db, Isolation};

use crate::own_server::{Kind, OwnServer};

/// Waits for this future on a runtime of its own.
fn wait<F: Future>(future: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

async fn asked(db: &Db, sql: &'static str) -> String {
    let rows = db.rows(sql, []).await.expect("an answer");
    rows[0][0].to_string()
}

#[test]
fn postgresql_heeds_the_settings_of_sessions() {
    let Some(server) = OwnServer::start(Kind::Postgres) else {
        return;
    };
    wait(async {
        let mut options = DatabaseOptions::new(server.url());
        let db = Db::connect(&options).await.expect("the database");
        let sql = "CREATE SCHEMA bistro";
        db.execute(sql, []).await.expect("a schema");
        options.search_path = Some("bistro".to_owned());
        options.statement_timeout = Some(Duration::from_millis(300));
        options.isolation = Some(Isolation::Serializable);
        let db = Db::connect(&options).await.expect("the database");
        let sql = "CREATE TABLE seats (id BIGINT)";
        db.execute(sql, []).await.expect("a table");
        let sql =
            "SELECT table_schema::text FROM information_schema.tables WHERE table_name = 'seats'";
        assert_eq!(asked(&db, sql).await, "bistro");
        let sql = "SELECT current_setting('transaction_isolation')";
        assert_eq!(asked(&db, sql).await, "serializable");
        cancelled(&db, "SELECT pg_sleep(20)::text").await;
    });
}

#[test]
fn mariadb_heeds_the_settings_of_sessions() {
    let Some(server) = OwnServer::start(Kind::Mariadb) else {
        return;
    };
    wait(async {
        let mut options = DatabaseOptions::new(server.url());
        // From 11.1 on it has MySQL's name as well.
        let isolation = "SELECT @@SESSION.tx_isolation";
        let db = Db::connect(&options).await.expect("the database");
        assert_eq!(asked(&db, isolation).await, "READ-COMMITTED");
        options.statement_timeout = Some(Duration::from_millis(300));
        options.isolation = Some(Isolation::Serializable);
        let db = Db::connect(&options).await.expect("the database");
        assert_eq!(asked(&db, isolation).await, "SERIALIZABLE");
        cancelled(&db, "SELECT SLEEP(20)").await;
        options.search_path = Some("bistro".to_owned());
        let refused = Db::connect(&options).await.expect_err("refused");
        assert!(refused.to_string().contains("search_path"), "{refused}");
    });
}

/// The server ends this statement; the service says 503, and its connections serve on.
async fn cancelled(db: &Db, sql: &'static str) {
    let began = Instant::now();
    let error = db.rows(sql, []).await.expect_err("it takes too long");
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
    assert!(began.elapsed() < Duration::from_secs(10), "it was ended");
    assert_eq!(asked(db, "SELECT 'here'").await, "here");
}

#[test]
fn postgresql_is_known_by_its_certificate() {
    let sql = "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    know_by_certificate(Kind::Postgres, sql, |ssl| ssl == "true");
}

#[test]
fn mariadb_is_known_by_its_certificate() {
    let sql = "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS \
               WHERE VARIABLE_NAME = 'Ssl_version'";
    know_by_certificate(Kind::Mariadb, sql, |version| version.starts_with("TLSv1."));
}

fn know_by_certificate(kind: Kind, sql: &'static str, is_tls: fn(&str) -> bool) {
    let Some(server) = OwnServer::with_tls(kind) else {
        return;
    };
    wait(async {
        let mut options = DatabaseOptions::new(server.url());
        options.root_certificate = Some(server.certificate());
        let db = Db::connect(&options).await.expect("its certificate");
        let said = asked(&db, sql).await;
        assert!(is_tls(&said), "{said}");
        options.root_certificate = Some(server.other_certificate());
        let refused = Db::connect(&options).await.expect_err("another's");
        assert!(
            matches!(refused, Error::Unavailable(_) | Error::Internal(_)),
            "{refused}"
        );
        // Without TLS there is no connection either.
        let Some(plain) = OwnServer::start(kind) else {
            return;
        };
        options.url = plain.url();
        Db::connect(&options)
            .await
            .expect_err("a server without TLS");
    });
}
