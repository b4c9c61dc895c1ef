//! No input makes the area fail: with random paths, query strings, forms and cookies.

use std::cell::Cell;

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use super::{browser::csrf, service, signed_in};

/// Random values for expected ones.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("resources".to_owned()),
        Just("tokens".to_owned()),
        Just("delete".to_owned()),
        Just("edit".to_owned()),
        Just("login".to_owned()),
        Just("1".to_owned()),
        Just("-1".to_owned()),
        Just("9223372036854775808".to_owned()),
        Just("%00".to_owned()),
        Just("%ff%fe".to_owned()),
        Just("..".to_owned()),
        Just(String::new()),
        "[a-z0-9%+._~-]{0,12}",
    ]
}

fn path() -> impl Strategy<Value = String> {
    let screens = prop::sample::select(vec![
        "/resources",
        "/resources/1",
        "/resources/1/edit",
        "/resources/2/docs",
        "/resources/dishes/edit",
        "/resources/delete",
        "/tokens",
        "/tokens/delete",
    ]);
    let words = prop::collection::vec(word(), 0..4);
    let joined = words.prop_map(|words| words.iter().map(|word| format!("/{word}")).collect());
    prop_oneof![2 => screens.prop_map(str::to_owned), 1 => joined]
}

fn pairs() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("ids".to_owned()),
        Just("page".to_owned()),
        Just("search".to_owned()),
        Just("notice".to_owned()),
        Just("name".to_owned()),
        Just("description".to_owned()),
        Just("on_index".to_owned()),
        Just("allow_index".to_owned()),
        Just("confirmed".to_owned()),
        Just("login".to_owned()),
        Just("password".to_owned()),
        "[a-z%&=]{0,6}",
    ];
    let value = prop_oneof![
        word(),
        "[ -~]{0,20}".prop_map(|text| text.replace([' ', '#'], "+"))
    ];
    prop::collection::vec((name, value), 0..5).prop_map(|pairs| {
        let pairs = pairs.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join("&")
    })
}

#[test]
fn random_requests_never_cause_a_server_error() {
    let service = service();
    service.account(formwork::auth::AccountKind::Customer, "alice@example.com");
    let browser = signed_in(&service);
    let token = csrf(&browser.page("/resources"));
    let cookie = browser.cookies.borrow()["formwork_admin"].clone();
    let answered = Cell::new(0);
    let mut runner = TestRunner::new(Config {
        // Of these, 143 are asked for a page, give or take ten: so the count below is reliable.
        cases: 600,
        failure_persistence: None,
        ..Config::default()
    });
    let input = (path(), pairs(), pairs(), any::<bool>(), "[ -~]{0,30}");
    let outcome = runner.run(&input, |(path, query, body, posts, other)| {
        // A wrong login waits, and is counted: it has tests of its own.
        prop_assume!(!(posts && path == "/login"));
        let target = format!("/admin{path}?{query}")
            .replace(['"', '<', '>', '\\', '^', '`', '{', '|', '}'], "");
        let held = format!("x={other}; formwork_admin={cookie}; y");
        let client = service.guest().header("Accept", "text/html");
        let client = client.header("Cookie", &held);
        let form = format!("csrf={token}&{body}");
        let answer = if posts {
            let client = client.header("Content-Type", "application/x-www-form-urlencoded");
            client.send("POST", &target, Some(form))
        } else {
            client.get(&target)
        };
        prop_assert!(answer.status < 500, "{target} {body}: {answer}");
        prop_assert!(
            !answer.body.contains("<script>"),
            "{target} {body}: {answer}"
        );
        answered.set(answered.get() + i32::from(answer.status == 200));
        Ok(())
    });
    outcome.expect("no input makes it fail");
    assert!(answered.get() > 50, "some of it is a page");
}
