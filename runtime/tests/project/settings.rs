//! Settings of the project's own: the section `app` of formwork.yaml.

use formwork::{config::Config, http::route::Route, prelude::*, testing};
use serde::{Deserialize, Serialize};

use super::shop::service;

#[derive(Debug, Serialize, Deserialize)]
struct Settings {
    sender: String,
    smtp: Smtp,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Smtp {
    host: String,
    port: u16,
}

fn routes() -> Vec<Route> {
    let told = async |ctx: Context| Response::json(ctx.state::<Settings>()?);
    vec![Route::get("/settings", Allow::All, told)]
}

#[test]
fn the_section_is_read_into_a_type_and_variables_win() {
    let yaml = "app: { sender: a@b.c, smtp: { host: mail, port: 25 } }";
    let variables = [
        ("FORMWORK_APP__SMTP__PORT", "587"),
        ("FORMWORK_APP__TAGS", "x, y"),
        ("FORMWORK_APP__SENDER", ""),
    ];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::from_sources(yaml, variables).expect("a configuration");
    let setup = testing::Service::setup(service(routes).settings::<Settings>());
    let service = setup.config(config).start();
    let smtp = json!({"host": "mail", "port": 587});
    let expected = json!({"sender": "a@b.c", "smtp": smtp, "tags": ["x", "y"]});
    assert_eq!(service.guest().get("/api/settings").json, expected);
}

#[test]
fn every_mistake_is_reported_with_its_path_and_stops_the_start() {
    let yaml = "database: { url: 'sqlite::memory:' }\n\
        app: { sender: [1], smtp: { hots: mail, port: 25 }, tagz: a }";
    let variables = [("FORMWORK_APP__SMTP__PORT".to_owned(), "many".to_owned())];
    let config = Config::from_sources(yaml, variables).expect("a configuration");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let started = runtime.block_on(service(routes).settings::<Settings>().start(config));
    let error = started.err().expect("mistakes").to_string();
    let expected = "formwork.yaml: app.sender: expected a string
formwork.yaml: app.smtp.host is missing
FORMWORK_APP__SMTP__PORT: expected u16
formwork.yaml: app.smtp.hots: no such key; did you mean `app.smtp.host`?
formwork.yaml: app.tagz: no such key; did you mean `app.tags`?";
    assert_eq!(error, expected);
}
