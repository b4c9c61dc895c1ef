//! How many statements a page costs: as many for hundreds of rows as for a few.

use axum::{body::Body, http::Request};
use formwork::{auth::AccountKind, data::value::Value, prelude::*, testing::Service};

use super::{
    Browser, area, browser::csrf, browser::form, change, changed_kitchen, column, kitchen, service,
    signed_in, start,
};

/// Adds the same dishes under many other keys.
fn add_dishes(all: &mut Vec<ApiResource>) {
    let more = (0..300).map(|number: usize| ApiResource {
        key: format!("dishes-{number}").leak(),
        name: "Other dishes",
        description: "What is cooked elsewhere",
        controller: Box::new(kitchen::Dishes),
        actions: actions!["index", "store:all"],
    });
    all.extend(more);
}

/// Returns the status of a response, and how many statements it took.
fn cost(browser: &Browser, below: &str, form: Option<String>) -> (u16, u64) {
    let cookie = format!("formwork_admin={}", browser.secret());
    cost_with_cookie(&browser.service, below, cookie, form)
}

fn cost_with_cookie(
    service: &Service,
    below: &str,
    cookie: String,
    form: Option<String>,
) -> (u16, u64) {
    let request = Request::builder()
        .method(if form.is_some() { "POST" } else { "GET" })
        .uri(format!("/admin{below}"))
        .header("Cookie", cookie)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .body(Body::from(form.unwrap_or_default()));
    super::cost(service, service.app(), request.expect("a request"))
}

/// Returns the costs of the confirmation page for these rows, then of deleting them.
fn delete(browser: &Browser, list: &str, ids: &[i64]) -> [(u16, u64); 2] {
    let csrf = csrf(&browser.page(list));
    let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
    let mut fields: Vec<(&str, &str)> = ids.iter().map(|id| ("ids", id.as_str())).collect();
    let question = format!("{list}/delete?{}", form(&fields));
    let question = cost(browser, &question, None);
    fields.extend([("csrf", csrf.as_str()), ("confirmed", "1")]);
    let below = format!("{list}/delete");
    [question, cost(browser, &below, Some(form(&fields)))]
}

/// Returns the keys of a table's rows.
fn keys(service: &Service, sql: &'static str) -> Vec<i64> {
    column(service, sql)
        .iter()
        .filter_map(Value::as_int)
        .collect()
}

const ROWS: &str = "SELECT id FROM api_resources WHERE endpoint LIKE 'dishes%' ORDER BY id";

#[test]
fn the_list_costs_the_same_however_much_is_registered() {
    for service in [service(), start("", changed_kitchen(add_dishes))] {
        let browser = signed_in(&service);
        // The session, which rows exist, their settings, how many are listed, and those.
        assert_eq!(cost(&browser, "/resources", None), (200, 5));
        change(
            &service,
            "UPDATE api_resources SET meta = '{\"actions\": [\"index\"], \
             \"authorization\": {\"index\": \"users\", \"store\": \"admin\"}}'",
        );
        assert_eq!(cost(&browser, "/resources", None), (200, 5));
        assert_eq!(cost(&browser, "/resources?search=dish", None), (200, 5));
        // Past the end it is the last page.
        assert_eq!(cost(&browser, "/resources?page=99", None), (200, 7));
        // One statement for all that is missing.
        change(&service, "DELETE FROM api_resources");
        assert_eq!(cost(&browser, "/resources", None), (200, 6));
        let rows = keys(&service, "SELECT id FROM api_resources");
        let registered = service.app().registry().entries();
        let registered = registered.filter(|(_, entry)| entry.resource.is_some());
        assert_eq!(rows.len(), registered.count());
    }
}

#[test]
fn a_resource_is_found_by_one_statement_for_each_form_of_its_address() {
    let (_, browser) = area();
    for address in [browser.row("dishes").as_str(), "dishes"] {
        for tab in ["", "/edit", "/docs"] {
            let below = format!("/resources/{address}{tab}");
            // The session, and the row.
            assert_eq!(cost(&browser, &below, None), (200, 2), "{below}");
        }
    }
}

#[test]
fn five_hundred_rows_are_deleted_as_one_is() {
    let large = start("", changed_kitchen(add_dishes));
    let browser = signed_in(&large);
    change(
        &large,
        "INSERT INTO api_resources (name, endpoint, is_custom) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) \
         SELECT 'Row', 'dishes_' || i, TRUE FROM n",
    );
    // The session and the rows; to delete them one more, and the settings after it.
    let expected = [(200, 2), (303, 4)];
    let all = keys(&large, ROWS);
    assert_eq!(delete(&browser, "/resources", &all[..1]), expected);
    assert_eq!(delete(&browser, "/resources", &all[1..501]), expected);
    assert_eq!(keys(&large, ROWS).len(), all.len() - 500);
}

#[test]
fn five_hundred_tokens_are_revoked_as_one_is() {
    let (service, browser) = area();
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
    assert_eq!(delete(&browser, "/tokens", &all[..1]), expected);
    assert_eq!(delete(&browser, "/tokens", &all[1..501]), expected);
    assert_eq!(keys(&service, sql), all[501..]);
}

#[test]
fn session_cookies_cost_at_most_four_statements() {
    let service = service();
    for (count, statements) in [(1, 1), (4, 4), (100, 4)] {
        let cookie = |number: usize| format!("formwork_admin={number}{}", "x".repeat(20));
        let cookies: Vec<String> = (0..count).map(cookie).collect();
        let cost = cost_with_cookie(&service, "/resources", cookies.join("; "), None);
        assert_eq!(cost, (303, statements), "{count} cookies");
    }
}
