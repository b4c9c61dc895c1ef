//! Services on a server of the test's own: it is killed and started again under load, and the
//! settings of sessions, of TLS and of the runtime's tables are tried (docs/adr/0014-lost-connections.md).

#[path = "../databases/mod.rs"]
mod databases;
#[macro_use]
#[path = "../http/kitchen.rs"]
#[allow(dead_code, reason = "the tests over HTTP look at more of it")]
mod kitchen;

mod counted;
mod killed;
#[path = "../http/library.rs"]
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

/// A service on a database of a server, with these settings.
fn service(url: String, set: impl FnOnce(&mut Config)) -> Service {
    let mut config = Config::default();
    config.database.url = url;
    set(&mut config);
    Service::on_database(config, vec![Box::new(kitchen::Kitchen)])
}

/// Starts a server of each kind, and tests them at the same time.
fn on_each(test: impl Fn(Kind, OwnServer) + Sync) {
    let test = &test;
    std::thread::scope(|scope| {
        for kind in [Kind::Postgres, Kind::Mariadb] {
            scope.spawn(move || {
                if let Some(server) = OwnServer::start(kind) {
                    test(kind, server);
                }
            });
        }
    });
}

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
fn requests_after_a_server_ended_the_sessions_are_answered() {
    on_each(|kind, server| {
        let service = service(server.url(), |_| ());
        let admin = service.admin();
        for round in 0..3 {
            end_sessions(&service, kind);
            let shown = admin.get("/api/dishes?include=notes");
            assert_eq!(shown.status, 200, "{shown}");
            end_sessions(&service, kind);
            let slug = format!("soup-{round}");
            let stored = admin.post("/api/dishes", json!({"title": "Soup", "slug": slug}));
            assert_eq!(stored.status, 201, "{stored}");
        }
    });
}
