//! Damaged values in the table.

use super::{change, on_sqlite, service, signed_in};

#[test]
fn damaged_settings_refuse_every_caller() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    for (sql, faults) in [
        (
            "UPDATE api_resources SET meta = '{' WHERE endpoint = 'dishes'",
            1,
        ),
        (
            "UPDATE api_resources SET meta = '{}' WHERE endpoint = 'dishes'",
            1,
        ),
        (
            "UPDATE api_resources SET meta = '7' WHERE endpoint = 'dishes'",
            1,
        ),
        (
            "UPDATE api_resources SET meta = '{\"actions\": [\"index\", \"show\"], \
             \"authorization\": {\"index\": \"everyone\"}}' WHERE endpoint = 'dishes'",
            2,
        ),
    ] {
        change(&service, sql);
        let list = browser.page("/resources");
        assert!(list.contains("Damaged settings"), "{sql}: {list}");
        for path in ["/api/dishes", "/api/dishes/1", "/api/dishes/create"] {
            assert_eq!(service.admin().get(path).status, 404, "{sql}: {path}");
        }
        assert_eq!(service.admin().get("/api/notes").status, 200, "{sql}");
        let page = browser.page(&format!("/resources/{id}/edit"));
        assert_eq!(
            page.matches("<strong>Damaged settings.</strong>").count(),
            faults,
            "{page}"
        );
    }
    // Saving the form mends them.
    let answer = browser.save(&id, &[("on_index", "1"), ("allow_index", "all")]);
    assert_eq!(answer.status, 303, "{answer}");
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    assert!(!browser.page("/resources").contains("Damaged settings"));
}

#[test]
fn invalid_utf8_damages_its_own_row_alone() {
    let service = service();
    // Servers refuse to store them.
    if !on_sqlite(&service) {
        return;
    }
    let browser = signed_in(&service);
    let (dishes, notes) = (browser.row("dishes"), browser.row("notes"));
    for sql in [
        "UPDATE api_resources SET meta = CAST(x'7bff7d' AS TEXT) WHERE endpoint = 'dishes'",
        "UPDATE api_resources SET name = CAST(x'44ff' AS TEXT), \
         description = CAST(x'ff' AS TEXT) WHERE endpoint = 'dishes'",
    ] {
        change(&service, sql);
    }
    assert!(browser.page("/resources").contains("Damaged settings"));
    let edit = format!("/resources/{dishes}/edit");
    assert!(browser.page(&edit).contains("Damaged settings."));
    assert_eq!(service.admin().get("/api/dishes").status, 404);
    // Other decisions are followed, here and by a replica that starts now.
    assert_eq!(browser.save(&notes, &[("allow_index", "all")]).status, 303);
    let replica = service.replica(super::extensions());
    for service in [&service, &replica] {
        assert_eq!(service.guest().get("/api/notes").status, 200);
        assert_eq!(service.guest().get("/api/dishes").status, 404);
    }
    let changes = [
        ("on_index", "1"),
        ("name", "Dishes"),
        ("description", "Food"),
    ];
    assert_eq!(browser.save(&dishes, &changes).status, 303);
    assert_eq!(service.guest().get("/api/dishes").status, 200);
    assert!(!browser.page("/resources").contains("Damaged settings"));
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
    let replica = service.replica(super::extensions());
    let answer = replica.guest().get("/api/dishes");
    assert_eq!(answer.status, 503, "{answer}");
    assert!(answer.header("retry-after").is_some(), "{answer}");
}
