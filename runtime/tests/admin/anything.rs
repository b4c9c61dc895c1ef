//! No input makes the area fail: with random paths, query strings, forms and cookies.

use std::cell::Cell;

use proptest::{
    prelude::*,
    sample::select,
    test_runner::{Config, TestRunner},
};

use super::{area, browser::csrf, browser::html};

/// Returns how many random requests are sent.
fn cases() -> u32 {
    let cases = std::env::var("FORMWORK_TEST_CASES").ok();
    cases.map_or(200, |cases| cases.parse().expect("a number of cases"))
}

fn one_of(words: &'static str) -> impl Strategy<Value = String> {
    select(words.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned)
}

/// Random values for expected ones.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => one_of("resources tokens delete edit login 1 -1 9223372036854775808 %00 %ff%fe .. "),
        1 => "[a-z0-9%+._~-]{0,12}",
    ]
}

fn path() -> impl Strategy<Value = String> {
    let screens = one_of(
        "/resources /resources/1 /resources/1/edit /resources/2/docs /resources/dishes/edit \
         /resources/delete /tokens /tokens/delete",
    );
    let words = prop::collection::vec(word(), 0..4);
    let joined = words.prop_map(|words| words.iter().map(|word| format!("/{word}")).collect());
    prop_oneof![2 => screens, 1 => joined]
}

fn pairs() -> impl Strategy<Value = String> {
    let names =
        "ids page search notice name description on_index allow_index confirmed login password";
    let name = prop_oneof![11 => one_of(names), 1 => "[a-z%&=]{0,6}"];
    let text = "[ -~]{0,20}".prop_map(|text| text.replace([' ', '#'], "+"));
    let pair = (name, prop_oneof![word(), text]);
    let pair = pair.prop_map(|(name, value)| format!("{name}={value}"));
    prop::collection::vec(pair, 0..5).prop_map(|pairs| pairs.join("&"))
}

#[test]
fn random_requests_never_cause_a_server_error() {
    let (service, browser) = area();
    service.account(formwork::auth::AccountKind::Customer, "alice@example.com");
    let token = csrf(&browser.page("/resources"));
    let secret = browser.secret();
    let pages = Cell::new(0);
    let mut runner = TestRunner::new(Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    });
    let input = (path(), pairs(), pairs(), any::<bool>(), "[ -~]{0,30}");
    let result = runner.run(&input, |(path, query, body, posts, other)| {
        // A wrong login waits, and is counted: it has tests of its own.
        prop_assume!(!(posts && path == "/login"));
        let target = format!("/admin{path}?{query}")
            .replace(['"', '<', '>', '\\', '^', '`', '{', '|', '}'], "");
        let cookies = format!("x={other}; formwork_admin={secret}; y");
        let client = html(&service).header("Cookie", &cookies);
        let answer = match posts {
            true => client.send("POST", &target, Some(format!("csrf={token}&{body}"))),
            false => client.get(&target),
        };
        prop_assert!(answer.status < 500, "{target} {body}: {answer}");
        let script = answer.body.contains("<script>");
        prop_assert!(!script, "{target} {body}: {answer}");
        pages.set(pages.get() + u32::from(answer.status == 200));
        Ok(())
    });
    result.expect("no input makes it fail");
    // About a quarter of the requests is for a page; a few requests may all miss.
    let pages = pages.get();
    assert!(cases() < 100 || pages * 10 > cases(), "{pages} pages");
}
