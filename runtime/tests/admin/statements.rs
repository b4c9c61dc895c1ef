//! How many statements a page costs: as many for hundreds of rows as for a few.

use axum::{body::Body, http::Request};
use formwork::{app::Statements, auth::AccountKind, prelude::*, testing::Service};
use tower::ServiceExt;

use super::{Browser, browser, change, config, extensions, kitchen, service, signed_in};

/// The kitchen, and the same dishes under many other keys.
struct Large;

impl Extension for Large {
    fn name(&self) -> &'static str {
        "kitchen"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = kitchen::Kitchen.register_api_resources();
        resources.extend((0..300).map(|number| ApiResource {
            key: format!("dishes-{number}").leak(),
            name: "Other dishes",
            description: "What is cooked elsewhere",
            controller: Box::new(kitchen::Dishes),
            actions: actions!["index", "store:all"],
        }));
        resources
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        kitchen::Kitchen.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        kitchen::Kitchen.migrations()
    }
}

/// The status of an answer, and how many statements it took.
fn cost(browser: &Browser<'_>, below: &str, form: Option<String>) -> (u16, u64) {
    let secret = browser.cookies.borrow()["formwork_admin"].clone();
    asked(
        browser.service,
        below,
        format!("formwork_admin={secret}"),
        form,
    )
}

fn asked(service: &Service, below: &str, cookie: String, form: Option<String>) -> (u16, u64) {
    let method = if form.is_some() { "POST" } else { "GET" };
    let request = Request::builder()
        .method(method)
        .uri(format!("/admin{below}"))
        .header("Cookie", cookie)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(Body::from(form.unwrap_or_default()))
        .expect("a request");
    let answer = service.block_on(service.app().router().oneshot(request));
    let answer = answer.expect("an answer");
    let statements = answer.extensions().get::<Statements>().expect("a count");
    (answer.status().as_u16(), statements.0)
}

/// The costs of asking about these rows, then of deleting them.
fn deleted(browser: &Browser<'_>, list: &str, ids: &[i64]) -> [(u16, u64); 2] {
    let csrf = browser::csrf(&browser.page(list));
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("ids", id.as_str())).collect();
    fields.push(("csrf", &csrf));
    let below = format!("{list}/delete");
    let asked = format!("{below}?{}", browser::form(&fields[..ids.len()]));
    let asked = cost(browser, &asked, None);
    fields.push(("confirmed", "1"));
    [asked, cost(browser, &below, Some(browser::form(&fields)))]
}

/// The keys of a table's rows.
fn keys(service: &Service, sql: &'static str) -> Vec<i64> {
    let rows = service.block_on(service.app().db().rows(sql, []));
    let rows = rows.expect("rows");
    rows.iter().filter_map(|row| row[0].as_int()).collect()
}

const ROWS: &str = "SELECT id FROM api_resources WHERE endpoint LIKE 'dishes%' ORDER BY id";

#[test]
fn the_list_costs_the_same_however_much_is_registered() {
    let small = service();
    let large = Service::with_config(config(""), vec![Box::new(Large)]);
    for service in [&small, &large] {
        let browser = signed_in(service);
        // The session, which rows there are, what is decided, how many are listed, and those.
        assert_eq!(cost(&browser, "/resources", None), (200, 5));
        change(
            service,
            "UPDATE api_resources SET meta = '{\"actions\": [\"index\"], \
             \"authorization\": {\"index\": \"users\", \"store\": \"admin\"}}'",
        );
        assert_eq!(cost(&browser, "/resources", None), (200, 5));
        assert_eq!(cost(&browser, "/resources?search=dish", None), (200, 5));
        // Past the end it is the last page.
        assert_eq!(cost(&browser, "/resources?page=99", None), (200, 7));
        // One statement for all that is missing.
        change(service, "DELETE FROM api_resources");
        assert_eq!(cost(&browser, "/resources", None), (200, 6));
        let there = keys(service, "SELECT id FROM api_resources");
        let registered = service.app().registry().entries();
        let registered = registered.filter(|(_, entry)| entry.resource.is_some());
        assert_eq!(there.len(), registered.count());
    }
}

#[test]
fn a_resource_is_found_by_one_statement_for_each_form_of_its_address() {
    let service = service();
    let browser = signed_in(&service);
    for which in [browser.row("dishes").as_str(), "dishes"] {
        for tab in ["", "/edit", "/docs"] {
            let below = format!("/resources/{which}{tab}");
            // The session, and the row.
            assert_eq!(cost(&browser, &below, None), (200, 2), "{below}");
        }
    }
}

#[test]
fn five_hundred_rows_are_deleted_as_one_is() {
    let large = Service::with_config(config(""), vec![Box::new(Large)]);
    let browser = signed_in(&large);
    change(
        &large,
        "INSERT INTO api_resources (name, endpoint, is_custom) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) \
         SELECT 'Row', 'dishes_' || i, TRUE FROM n",
    );
    // The session and the rows; to delete them one more, and what is decided then.
    let expected = [(200, 2), (303, 4)];
    let all = keys(&large, ROWS);
    assert_eq!(deleted(&browser, "/resources", &all[..1]), expected);
    assert_eq!(deleted(&browser, "/resources", &all[1..501]), expected);
    assert_eq!(keys(&large, ROWS).len(), all.len() - 500);
}

#[test]
fn five_hundred_tokens_are_revoked_as_one_is() {
    let service = Service::with_config(config(""), extensions());
    let browser = signed_in(&service);
    let account = service.account(AccountKind::Customer, "alice@example.com");
    service.token(AccountKind::Customer, account, &["*"]);
    change(
        &service,
        "INSERT INTO api_tokens (account_kind, account_id, name, secret, abilities, created_at) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 501) \
         SELECT t.account_kind, t.account_id, 'Till ' || i, 'secret ' || i, t.abilities, \
         t.created_at FROM n, api_tokens t",
    );
    let sql = "SELECT id FROM api_tokens ORDER BY id";
    let all = keys(&service, sql);
    assert_eq!(all.len(), 502);
    // The session, how many there are, and those; to delete them one more.
    let expected = [(200, 3), (303, 4)];
    assert_eq!(deleted(&browser, "/tokens", &all[..1]), expected);
    assert_eq!(deleted(&browser, "/tokens", &all[1..501]), expected);
    assert_eq!(keys(&service, sql), all[501..]);
}

#[test]
fn session_cookies_cost_at_most_four_statements() {
    let service = service();
    let cookies = |count: usize| {
        let cookie = |number: usize| format!("formwork_admin={number}{}", "x".repeat(20));
        let cookies: Vec<String> = (0..count).map(cookie).collect();
        asked(&service, "/resources", cookies.join("; "), None)
    };
    assert_eq!(cookies(1), (303, 1));
    assert_eq!(cookies(4), (303, 4));
    assert_eq!(cookies(100), (303, 4));
}
