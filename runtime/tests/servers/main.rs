//! Services on a server of the test's own: it is killed and started again under load, and the
//! settings of sessions, of TLS and of the runtime's tables are tried (docs/adr/0046-servers.md).

mod counted;
#[path = "../databases/mod.rs"]
mod databases;
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

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

use formwork::{Error, config::Config, testing::Service};
use formwork_data::database::{DatabaseOptions, Db};
use own_server::{Kind, OwnServer};
use serde_json::json;

/// The slugs of dishes, by the status of the answer.
#[derive(Default)]
struct Answers(Mutex<Vec<(u16, String)>>);

impl Answers {
    fn of(&self, status: u16) -> Vec<String> {
        let answers = self.0.lock().expect("no panic");
        let slugs = answers.iter().filter(|(it, _)| *it == status);
        slugs.map(|(_, slug)| slug.clone()).collect()
    }
}

/// Stores dishes until it is told to stop.
fn store(service: &Service, writer: usize, stop: &AtomicBool, answers: &Answers) {
    let admin = service.admin();
    for number in 0.. {
        if stop.load(SeqCst) {
            return;
        }
        let slug = format!("dish-{writer}-{number}");
        let answer = admin.post("/api/dishes", json!({"title": "Soup", "slug": slug}));
        if answer.status == 503 {
            assert!(answer.header("retry-after").is_some(), "{answer}");
        }
        let mut answers = answers.0.lock().expect("no panic");
        answers.push((answer.status, slug));
    }
}

/// Reads the dishes until it is told to stop. A list holds all that was acknowledged before it was asked
/// for, and is as long as its total says.
fn read(service: &Service, stop: &AtomicBool, answers: &Answers) -> usize {
    let admin = service.admin();
    let mut lists = 0;
    while !stop.load(SeqCst) {
        let acknowledged = answers.of(201).len();
        let answer = admin.get("/api/dishes?sort=-id");
        if answer.status == 503 {
            assert!(answer.header("retry-after").is_some(), "{answer}");
            continue;
        }
        assert_eq!(answer.status, 200, "{answer}");
        let total = answer.json["meta"]["pagination"]["total"].as_u64();
        let total = usize::try_from(total.expect("a total")).expect("few");
        assert!(total >= acknowledged, "{total} of {acknowledged} dishes");
        let page = answer.json["meta"]["pagination"]["per_page"].as_u64();
        let page = usize::try_from(page.expect("a size")).expect("few");
        let shown = answer.json["data"].as_array().expect("a list").len();
        assert_eq!(shown, total.min(page), "{answer}");
        lists += 1;
    }
    lists
}

fn wait_for(answers: &Answers, count: usize) {
    let began = Instant::now();
    while answers.of(201).len() < count {
        assert!(began.elapsed() < Duration::from_secs(120), "no answers");
        thread::sleep(Duration::from_millis(50));
    }
}

/// What ends all other sessions of a database, on PostgreSQL at once and on MariaDB one by one.
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
    let mut options = DatabaseOptions::from(&service.app().config().database);
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

#[test]
fn a_killed_postgresql_loses_nothing_that_was_acknowledged() {
    lose_nothing(Kind::Postgres);
}

#[test]
fn a_killed_mariadb_loses_nothing_that_was_acknowledged() {
    lose_nothing(Kind::Mariadb);
}

fn lose_nothing(kind: Kind) {
    let Some(server) = OwnServer::start(kind) else {
        return;
    };
    let mut config = Config::default();
    config.database.url = server.url();
    config.api.rate_limit = 0;
    // Shorter than the server is away.
    config.database.acquire_timeout = Duration::from_millis(200);
    let service = Service::on_database(config, vec![Box::new(kitchen::Kitchen)]);
    // The token is issued before the server is away.
    assert_eq!(service.admin().get("/api/dishes").status, 200);
    let (stop, answers) = (AtomicBool::new(false), Answers::default());
    thread::scope(|scope| {
        for writer in 0..4 {
            let (service, stop, answers) = (&service, &stop, &answers);
            scope.spawn(move || store(service, writer, stop, answers));
        }
        let reader = scope.spawn(|| read(&service, &stop, &answers));
        for _ in 0..2 {
            wait_for(&answers, answers.of(201).len() + 50);
            server.kill();
            thread::sleep(Duration::from_millis(500));
            server.run();
        }
        // It recovers without a restart of the service.
        wait_for(&answers, answers.of(201).len() + 50);
        stop.store(true, SeqCst);
        let lists = reader.join().expect("no wrong list");
        assert!(lists > 0, "lists were read");
    });
    let sql = "SELECT slug FROM dishes";
    let rows = service.block_on(service.context().db().rows(sql, []));
    let rows = rows.expect("the dishes").into_iter().flatten();
    let mut stored: Vec<String> = rows.map(|slug| slug.to_string()).collect();
    stored.sort();
    for slug in answers.of(201) {
        assert!(stored.binary_search(&slug).is_ok(), "{slug} was lost");
    }
    let away = answers.of(503);
    assert!(!away.is_empty(), "the server was away");
    for slug in away {
        assert!(stored.binary_search(&slug).is_err(), "{slug} was refused");
    }
    let answers = answers.0.lock().expect("no panic");
    // A lost answer of a commit is a 500: it may have been made.
    let others = answers.iter().filter(|(it, _)| ![201, 503].contains(it));
    let others: Vec<_> = others.collect();
    assert!(others.iter().all(|(it, _)| *it == 500), "{others:?}");
    assert!(
        others.len() <= 8,
        "one for each writer and kill: {others:?}"
    );
}
