//! A login finds its account by an index: it reads no other rows, however many accounts there are.

use formwork::{config::Config, testing::Service};
use formwork_data::value::Value;
use serde_json::json;

use crate::{
    library,
    own_server::{Kind, OwnServer},
};

/// A service with a thousand members, and their statistics.
fn service(url: String, analyze: &'static str) -> Service {
    let mut config = Config::from_sources("auth: { customers: members }", []).expect("valid");
    config.database.url = url;
    config.api.rate_limit = 0;
    let service = Service::on_database(config, library::extensions());
    let db = service.context().db().clone();
    service.block_on(async {
        let transaction = db.begin().await.expect("begun");
        for number in 0..1000 {
            let sql = "INSERT INTO members (first_name, last_name, email, status) \
                       VALUES ('Ada', 'Lovelace', ?, ?)";
            let email = format!("Ada{number}@Example.com");
            let values = [Value::from(email), true.into()];
            transaction
                .db()
                .execute(sql, values)
                .await
                .expect("a member");
        }
        transaction.commit().await.expect("committed");
        db.execute(analyze, []).await.expect("analyzed");
    });
    service
}

fn log_in(service: &Service, email: &str) {
    let form = json!({"email": email, "password": "formwork", "device_name": "x"});
    let answer = service.guest().post("/api/token", form);
    // The address is known, and has no password.
    assert_eq!(answer.status, 422, "{answer}");
}

#[test]
fn postgresql_finds_a_login_by_an_index() {
    let Some(server) = OwnServer::start(Kind::Postgres) else {
        return;
    };
    let service = service(server.url(), "ANALYZE members");
    let db = service.context().db().clone();
    let run = |sql: String| service.block_on(db.rows(sql, [])).expect("rows");
    server.log_statements(&service);
    log_in(&service, "ADA7@example.COM");
    let log = server.log();
    let logged = log.lines().find_map(|line| {
        let (_, statement) = line.split_once("LOG:  execute ")?;
        let (_, statement) = statement.split_once(": ")?;
        let asks = statement.contains("\"password\"") && statement.contains("FROM \"members\"");
        let statement = statement.replace("$1", "'Ada7@example.com'");
        asks.then(|| statement.replace("$2", "'x'"))
    });
    let login = logged.expect("the statement of the login");
    let plan = run(format!("EXPLAIN {login}"));
    let plan: String = plan.iter().map(|row| row[0].to_string()).collect();
    assert!(
        plan.contains("formwork_login_members") && !plan.contains("Seq Scan"),
        "{plan}"
    );
}

#[test]
fn mariadb_finds_a_login_by_an_index() {
    let Some(server) = OwnServer::start(Kind::Mariadb) else {
        return;
    };
    let service = service(server.url(), "ANALYZE TABLE members");
    let db = service.context().db().clone();
    let run = |sql: String| service.block_on(db.rows(sql, [])).expect("rows");
    // It has the computed column once, whatever is migrated again.
    let app = service.app();
    let again = app.auth().migrate(&db, app.migrations());
    assert!(service.block_on(again).expect("migrated").is_empty());
    server.log_statements(&service);
    log_in(&service, "ADA7@example.COM");
    let logged = run("SELECT CAST(argument AS CHAR) FROM mysql.general_log \
         WHERE command_type = 'Execute' AND argument LIKE '%\"password\"%FROM \"members\"%'"
        .to_owned());
    let plan = run(format!("EXPLAIN {}", logged[0][0]));
    let plan: Vec<String> = plan[0].iter().map(ToString::to_string).collect();
    assert!(
        plan.iter().any(|it| it == "formwork_login_members"),
        "{plan:?}"
    );
    assert_eq!(plan[8], "1", "one row is read: {plan:?}");
}
