//! Corrupt values in the table.

use super::{Page, area, change, change_with, extensions, on_sqlite, service};

const UNKNOWN_CONTEXT: &str =
    r#"{"actions": ["index", "show"], "authorization": {"index": "everyone"}}"#;

#[test]
fn damaged_settings_refuse_every_caller() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    for (meta, errors) in [("{", 1), ("{}", 1), ("7", 1), (UNKNOWN_CONTEXT, 2)] {
        let sql = "UPDATE api_resources SET meta = ? WHERE endpoint = 'dishes'";
        change_with(&service, sql, [meta.into()]);
        browser.must_show("/resources", ["Damaged settings"]);
        for path in ["/api/dishes", "/api/dishes/1", "/api/dishes/create"] {
            assert_eq!(service.admin().get(path).status, 404, "{meta}: {path}");
        }
        assert_eq!(service.admin().get("/api/notes").status, 200, "{meta}");
        let page = browser.edit(&id);
        let messages = page.matches("<strong>Damaged settings.</strong>");
        assert_eq!(messages.count(), errors, "{page}");
    }
    // Saving the form fixes them.
    browser.save(&id, &[("on_index", "1"), ("allow_index", "all")]);
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    browser.page("/resources").must_lack(["Damaged settings"]);
}

#[test]
fn a_replica_that_cannot_read_the_settings_refuses_every_caller() {
    let service = service();
    change(
        &service,
        "ALTER TABLE api_resources RENAME COLUMN meta TO other",
    );
    if on_sqlite(&service) {
        // To SQLite, an unknown column in double quotes is a text. The page reports an overflow.
        let overflow =
            "ALTER TABLE api_resources ADD COLUMN meta TEXT AS (abs(-9223372036854775807 - 1))";
        change(&service, overflow);
    }
    let replica = service.replica(extensions());
    let answer = replica.guest().get("/api/dishes");
    assert_eq!(answer.status, 503, "{answer}");
    assert!(answer.header("retry-after").is_some(), "{answer}");
}
