mod accounts;
mod tokens;

use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
use chrono::{DateTime, Utc};
use formwork_data::{
    database::{DatabaseOptions, Db},
    value::Value,
};
use serde_json::{Map, Value as Json, json};

use super::*;
use crate::config::Config;

const PASSWORD: &str = "formwork";

/// Accounts and tokens on a database of their own.
struct House {
    auth: Auth,
    db: Db,
    _folder: tempfile::TempDir,
}

fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("time")
}

fn fields(fields: Json) -> Map<String, Json> {
    match fields {
        Json::Object(fields) => fields,
        other => panic!("no object: {other}"),
    }
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("auth.sqlite");
        let options = DatabaseOptions::new(format!("sqlite://{}", file.display()));
        let db = Db::connect(&options).await.expect("database");
        let config = Config::default().auth;
        let statements = migrations(&config)
            .iter()
            .flat_map(|it| it.sql[0].1.split(";\n"));
        for statement in statements.filter(|it| !it.trim().is_empty()) {
            db.execute(statement, Vec::new()).await.expect(statement);
        }
        let auth = Auth::new(&config, CustomerTable::minimal(), db.dialect());
        Self {
            auth,
            db,
            _folder: folder,
        }
    }

    async fn account(&self, kind: AccountKind, email: &str, username: Option<&str>) -> i64 {
        let account = NewAccount {
            kind,
            email: email.to_owned(),
            username: username.map(str::to_owned),
            name: None,
            password: PASSWORD.to_owned(),
        };
        account
            .insert(&self.db, self.auth.customers(), now())
            .await
            .expect("account")
    }

    async fn login(&self, login: Json) -> Result<Json> {
        let mut login = fields(login);
        login.entry("password").or_insert(json!(PASSWORD));
        login.insert("device_name".to_owned(), json!("till"));
        let origin = Origin::new("127.0.0.1".parse().ok(), "1", "token");
        self.auth.issue(&self.db, &login, &origin, now()).await
    }

    async fn token(&self, login: Json) -> String {
        let answer = self.login(login).await.expect("token");
        assert_eq!(answer["status_code"], 201);
        answer["token"].as_str().expect("text").to_owned()
    }

    async fn caller(&self, token: &str) -> Result<Caller> {
        let mut headers = HeaderMap::new();
        let value = HeaderValue::from_str(&format!("Bearer {token}")).expect("header");
        headers.insert(AUTHORIZATION, value);
        self.auth.caller(&self.db, &headers, now()).await
    }

    async fn one(&self, sql: &'static str) -> Value {
        self.db.rows(sql, Vec::new()).await.expect(sql)[0][0].clone()
    }

    async fn run(&self, sql: &'static str) {
        assert_eq!(
            self.db.execute(sql, Vec::new()).await.expect(sql),
            1,
            "{sql}"
        );
    }
}

fn refused(outcome: Result<Json>) -> Json {
    match outcome {
        Err(Error::Validation(errors)) => serde_json::to_value(errors).expect("JSON"),
        other => panic!("no 422: {other:?}"),
    }
}
