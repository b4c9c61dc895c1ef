//! State of the project's own: in rules, hooks, routes and handlers of axum.

use formwork::{
    axum::{Router, routing::get},
    extension::{Extension, ServiceState},
    http::{State, route::Route},
    prelude::*,
};
use std::sync::Arc;

use super::{
    config, create,
    shop::{Forbidden, Journal, plain, service},
    start, start_error,
};

/// Mounts a route of axum that takes state and context.
struct Mounted;

impl Extension for Mounted {
    fn name(&self) -> &'static str {
        "mounted"
    }

    fn mount(&self, _: &Arc<ServiceState>, router: Router) -> Router {
        let answer = async |ctx: Context, State(words): State<Forbidden>| {
            format!("{} {}", words.0.len(), ctx.is_admin())
        };
        router.route("/api/mounted", get(answer))
    }
}

#[test]
fn rules_and_hooks_read_the_state() {
    let shop = plain().state(Forbidden(vec!["bomb"]));
    let service = start(shop.state(Journal::default()));
    let refused = service.admin().post("/api/things", json!({"name": "bomb"}));
    assert_eq!(refused.status, 422, "{refused}");
    assert_eq!(refused.json["errors"]["name"][0], "The name is forbidden.");
    create(&service.admin(), "/api/things", json!({"name": "cake"}));
    let journal = service.app().state::<Journal>().expect("the journal");
    let lines = journal.0.lock().expect("lines").clone();
    assert_eq!(lines, ["cake 36"], "the hook has the request's id");
}

#[test]
fn routes_read_the_state_and_one_that_is_not_there_is_a_500() {
    fn routes() -> Vec<Route> {
        let count = async |ctx: Context| Response::json(&ctx.state::<Forbidden>()?.0.len());
        let none = async |ctx: Context| Response::json(&ctx.state::<String>()?);
        vec![
            Route::get("/count", Allow::All, count),
            Route::get("/none", Allow::All, none),
        ]
    }
    let service = start(service(routes).state(Forbidden(vec!["a", "b"])));
    assert_eq!(service.guest().get("/api/count").body, "2");
    let none = service.guest().get("/api/none");
    assert_eq!(none.status, 500, "{none}");
    let error = service.app().state::<String>();
    let error = error.expect_err("no text").to_string();
    let reason = "no state of the type `alloc::string::String`";
    assert!(error.contains(reason), "{error}");
}

#[test]
fn mounted_routes_have_state_and_context() {
    let mut mounted = formwork::service(vec![Box::new(Mounted)]);
    mounted = mounted.state(Forbidden(vec!["a"]));
    let service = start(mounted);
    assert_eq!(service.guest().get("/api/mounted").body, "1 false");
    assert_eq!(service.admin().get("/api/mounted").body, "1 true");
    let invalid = service.with_token("1|x").get("/api/mounted");
    assert_eq!(invalid.status, 401, "{invalid}");
    assert_eq!(invalid.json["status_code"], 401, "{invalid}");
}

#[test]
fn a_value_may_be_made_of_another_when_the_service_starts() {
    let made = plain()
        .state(Forbidden(vec!["a", "b"]))
        .state_from(|words: &Forbidden| Ok(words.0.len()));
    assert_eq!(start(made).app().state::<usize>().expect("a number"), &2);
    let lacking = plain().state_from(|words: &Forbidden| Ok(words.0.len()));
    let error = start_error("database: { url: 'sqlite::memory:' }", lacking);
    assert!(error.contains("needs a state of the type"), "{error}");
}

#[test]
fn the_clock_is_a_tests_own() {
    fn routes() -> Vec<Route> {
        let now = async |ctx: Context| Response::json(&ctx.now());
        vec![Route::get("/now", Allow::All, now)]
    }
    let noon: DateTime = "2030-01-01T12:00:00Z".parse().expect("a moment");
    let setup = formwork::testing::Service::setup(service(routes));
    let service = setup.config(config("")).clock(move || noon).start();
    let now = service.guest().get("/api/now");
    assert_eq!(now.body, "\"2030-01-01T12:00:00Z\"");
}
