//! Services on a server of the test's own: it is killed and started again under load, and the
//! settings of sessions, of TLS and of the runtime's tables are tried (docs/adr/0046-servers.md).

mod counted;
#[path = "../databases/mod.rs"]
mod databases;
mod killed;
#[path = "../http/kitchen.rs"]
#[allow(dead_code, reason = "the tests over HTTP look at more of it")]
mod kitchen;
#[path = "../service/library.rs"]
#[allow(dead_code, reason = "the tests of accounts look at more of it")]
mod library;
mod login;
mod own_server;
mod prefix;
mod programs;
mod settings;
#[path = "../../../tests/skipped.rs"]
mod skipped;

use formwork::{Error, config::Config, testing::Service};
use formwork_data::database::Db;
use own_server::{Kind, OwnServer};
use serde_json::json;

/// Ends all other sessions of a database, on PostgreSQL at once and on MariaDB one by one.
fn end_sessions(service: &Service, kind: Kind) {
    let sql = match kind {
        Kind::Postgres => {
            "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid()"
        }
        Kind::Mariadb => {
            "SELECT 'KILL ' || ID FROM information_schema.PROCESSLIST \
             WHERE DB = DATABASE() AND ID <> CONNECTION_ID()"
        }
    };
    let mut options = service.app().config().database.clone();
    options.max = 1;
    service.block_on(async {
        let db = Db::connect(&options).await.expect("connected");
        let ended = db.rows(sql, []).await.expect("sessions");
        assert!(!ended.is_empty(), "the service has connections");
        for kill in ended.iter().filter(|_| kind == Kind::Mariadb) {
            // One that the pool closed meanwhile is not known any more.
            let killed = db.execute(kill[0].to_string(), []).await;
            let is_gone = |error: &Error| format!("{error:?}").contains("Unknown thread id");
            assert!(killed.as_ref().err().is_none_or(is_gone), "{killed:?}");
        }
        db.close().await;
    });
}

#[test]
fn requests_after_postgresql_ended_the_sessions_are_answered() {
    go_on(Kind::Postgres);
}

#[test]
fn requests_after_mariadb_ended_the_sessions_are_answered() {
    go_on(Kind::Mariadb);
}

fn go_on(kind: Kind) {
    let Some(server) = OwnServer::start(kind) else {
        return;
    };
    let mut config = Config::default();
    config.database.url = server.url();
    let service = Service::on_database(config, vec![Box::new(kitchen::Kitchen)]);
    let admin = service.admin();
    for round in 0..5 {
        end_sessions(&service, kind);
        let shown = admin.get("/api/dishes?include=notes");
        assert_eq!(shown.status, 200, "{shown}");
        end_sessions(&service, kind);
        let slug = format!("soup-{round}");
        let stored = admin.post("/api/dishes", json!({"title": "Soup", "slug": slug}));
        assert_eq!(stored.status, 201, "{stored}");
    }
}
