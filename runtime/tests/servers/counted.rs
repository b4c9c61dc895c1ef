//! How many statements a request takes, as the servers themselves count them: the table in
//! docs/guide/databases.md.

use std::time::{Duration, Instant};

use axum::{
    body::Body,
    http::{Request, header},
};
use formwork::{app::Statements, auth::AccountKind, testing::Service};
use formwork_data::database::{DatabaseOptions, Db};
use tower::ServiceExt;

use crate::{
    own_server::{Kind, OwnServer},
    service,
};

const GUIDE: &str = include_str!("../../../docs/guide/databases.md");

/// The rows of the guide's table, each with what is sent for it.
const REQUESTS: &str = r#"
    `GET` of a list                    : GET    /api/dishes?sort=title
    `GET` of a list with two relations : GET    /api/dishes?include=notes,tags
    `GET` of a record                  : GET    /api/dishes/1
    `POST`                             : POST   /api/dishes {"title": "Soup"}
    `PATCH`                            : PATCH  /api/dishes/1 {"portions": 5}
    `PATCH` that changes nothing       : PATCH  /api/dishes/1 {"portions": 5}
    `DELETE`                           : DELETE /api/dishes/1"#;

/// The guide's count for a request, in the column of a database.
fn documented(request: &str, column: usize) -> usize {
    let start = format!("| {request} |");
    let row = GUIDE.lines().find(|line| line.starts_with(&start));
    let cell = row.and_then(|row| row.split('|').nth(2 + column));
    let count = cell.and_then(|cell| cell.trim().parse().ok());
    count.unwrap_or_else(|| panic!("the guide has no count of {request}"))
}

/// Sends the requests as an administrator; `count` tells how many statements ran since it was asked
/// before.
fn compare(service: &Service, column: usize, mut count: impl FnMut(Option<u64>) -> Vec<String>) {
    let id = service.account(AccountKind::Admin, "chef@example.com");
    let token = service.token(AccountKind::Admin, id, &["*"]);
    // The first use of a token is written down, and connections are opened.
    for request in ["GET /api/dishes", "POST /api/dishes {\"title\": \"Stew\"}"] {
        send(service, &token, request);
        until_written(service);
    }
    count(None);
    let mut differences = Vec::new();
    for row in REQUESTS.trim().lines() {
        let (request, line) = row.split_once(" : ").expect("a row");
        let handled = send(service, &token, line);
        let statements = count(Some(handled));
        if statements.len() != documented(request.trim(), column) {
            differences.push(format!("{request}: {} {statements:#?}", statements.len()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Whether a request sends this statement. Meanwhile the pool may open a connection, and the service may
/// read again which actions are switched off.
fn is_of_request(statement: &str) -> bool {
    let opens_connection = statement.starts_with("SET ")
        || statement.contains("set_config")
        || statement == "SELECT VERSION()";
    !opens_connection && !statement.contains("\"api_resources\"")
}

/// Waits until the first use of the token is written down, which happens beside the requests.
fn until_written(service: &Service) {
    let unwritten = "SELECT id FROM api_tokens WHERE last_used_at IS NULL";
    let (context, deadline) = (service.context(), Instant::now() + Duration::from_secs(30));
    loop {
        let rows = context.db().rows(unwritten, []);
        if service.block_on(rows).expect("rows").is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "no use was written down");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a request; returns how many statements the service counted, and its `COMMIT`.
fn send(service: &Service, token: &str, line: &str) -> u64 {
    let (method, rest) = line.split_once(' ').expect("a method");
    let (path, body) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .expect("a request");
    let answer = service.app().router().oneshot(request);
    let answer = service.block_on(answer).expect("an answer");
    assert!(answer.status().is_success(), "{line}: {}", answer.status());
    let counted = answer.extensions().get::<Statements>().expect("a count").0;
    counted + u64::from(method != "GET")
}

#[test]
fn sqlite_takes_the_statements_that_the_guide_tells() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.sqlite");
    let service = service(format!("sqlite://{}", file.display()), |_| ());
    compare(&service, 0, |handled| {
        let handled = usize::try_from(handled.unwrap_or_default()).expect("few");
        vec!["counted by the service".to_owned(); handled]
    });
}

#[test]
fn postgresql_takes_the_statements_that_the_guide_tells() {
    let Some(server) = OwnServer::start(Kind::Postgres) else {
        return;
    };
    let service = service(server.url(), |_| ());
    server.log_statements(&service);
    let mut read = 0;
    compare(&service, 1, |_| {
        let log = server.log();
        let new = log[read..].lines();
        let sent = ["LOG:  statement: ", "LOG:  execute "];
        let new = new.filter_map(|line| sent.iter().find_map(|it| line.split_once(it)));
        let new = new.filter(|(_, statement)| is_of_request(statement));
        let new = new.map(|(_, statement)| statement.to_owned()).collect();
        read = log.len();
        new
    });
}

#[test]
fn mariadb_takes_the_statements_that_the_guide_tells() {
    let Some(server) = OwnServer::start(Kind::Mariadb) else {
        return;
    };
    let service = service(server.url(), |_| ());
    let watching = DatabaseOptions::new(server.url());
    let watcher = service.block_on(Db::connect(&watching)).expect("connected");
    let run = |sql: &'static str| service.block_on(watcher.rows(sql, [])).expect("rows");
    server.log_statements(&service);
    compare(&service, 2, |_| {
        let found = run("SELECT CAST(argument AS CHAR) FROM mysql.general_log \
             WHERE command_type IN ('Query', 'Execute') AND argument NOT LIKE '%general_log%' \
             ORDER BY event_time");
        run("TRUNCATE TABLE mysql.general_log");
        let sent = found.iter().map(|row| row[0].to_string());
        sent.filter(|statement| is_of_request(statement)).collect()
    });
    service.block_on(watcher.close());
}
