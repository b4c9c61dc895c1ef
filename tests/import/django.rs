//! The tables that Django makes for its own applications.

use formwork_tests::client::Client;
use formwork_tests::project::Ran;
use serde_json::json;

/// Tables of Django, with rows; its licence stands in the file.
pub const DJANGO: &str = include_str!("django.sql");

/// What `--tables` names.
pub fn tables() -> String {
    let after = DJANGO.split("CREATE TABLE \"").skip(1);
    let names: Vec<&str> = after.filter_map(|text| text.split('"').next()).collect();
    names.join(",")
}

/// What the import says.
pub fn says(ran: &Ran) {
    for said in [
        "auth_user: looks like accounts: write `auth: { customers: auth_user }` in formwork.yaml",
        "auth_user_groups: a pivot table, imported as a `many_to_many` relation",
        "10 created",
    ] {
        assert!(ran.output.contains(said), "{said}\n{}", ran.output);
    }
}

/// Administrators read pages with their sites, and no password.
pub fn ask(admin: &Client) {
    let page = admin.get("/api/flatpages/1?include=sites.redirects");
    assert_eq!(page.status, 200, "{page}");
    let site = &page.json["data"]["sites"][0];
    assert_eq!(site["domain"], "example.com", "{page}");
    assert_eq!(site["redirects"][0]["old_path"], "/old/", "{page}");
    let user = admin.get("/api/auth_users/1?include=auth_groups.auth_permissions,admin_logs");
    let record = &user.json["data"];
    let group = &record["auth_groups"][0];
    assert_eq!(
        group["auth_permissions"][0]["codename"], "change_flatpage",
        "{user}"
    );
    assert_eq!(record["admin_logs"][0]["action_flag"], 1, "{user}");
    assert_eq!(record["last_login"], "2026-01-31T12:00:00.250Z", "{user}");
    assert!(!user.body.contains("hush"), "{user}");
    writes(admin);
}

/// SQLite checks keys that are `DEFERRABLE INITIALLY DEFERRED` at the COMMIT.
fn writes(admin: &Client) {
    let joined = admin.patch(
        "/api/auth_users/2?include=auth_groups",
        &json!({ "auth_groups": [1] }),
    );
    assert_eq!(joined.status, 200, "{joined}");
    assert_eq!(
        joined.json["data"]["auth_groups"][0]["name"], "Editors",
        "{joined}"
    );
    let redirect = |site: i64, path: &str| {
        let body = json!({ "site_id": site, "old_path": path, "new_path": "/" });
        admin.post("/api/redirects", &body)
    };
    for (answer, column) in [
        (redirect(9, "/x/"), "site_id"),
        (redirect(1, "/old/"), "site_id"),
    ] {
        assert_eq!(answer.status, 422, "{answer}");
        assert!(
            answer.json["errors"][column].is_array(),
            "{column}: {answer}"
        );
    }
    assert_eq!(redirect(1, "/x/").status, 201);
    let kept = admin.delete("/api/sites/1");
    assert_eq!(kept.status, 409, "{kept}");
    assert_eq!(admin.get("/api/sites/1").status, 200);
}
