//! The list of resources, and one of them.

use super::{Browser, Page, area, change};

#[test]
fn resources_are_listed_with_their_enabled_actions() {
    let (_, browser) = area();
    let page = browser.page("/resources");
    page.must_contain([
        "<code>/api/dishes</code>",
        "What is cooked",
        "/admin/tokens",
        "index <small>All</small>",
        "store <small>User (admin)</small>",
        "destroy <small>Customers</small>",
        "index <small>User or Customers</small>",
    ]);
    // A model without routes is no API.
    page.must_lack(["tags"]);
    let (dishes, notes) = (page.find("/api/dishes"), page.find("/api/notes"));
    assert!(notes < dishes, "the newest first");

    let page = browser.page("/resources/dishes");
    page.must_contain([
        "<code>/api/dishes</code>",
        "What is cooked",
        "As registered",
    ]);
    page.must_contain(["Enabled", "Allow Only"]);
    page.must_lack(["<input type=\"text\"", "<select"]);
}

#[test]
fn names_are_searched_and_pages_turned() {
    let (service, browser) = area();
    change(
        &service,
        "INSERT INTO api_resources (name, endpoint, is_custom) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45) \
         SELECT 'Row ' || i || CASE i WHEN 7 THEN ' 100%' ELSE '' END, 'row' || i, TRUE FROM n",
    );
    for (query, parts) in [
        ("", ["Page 1 of 3, 47 in all", "Row 45<"]),
        ("page=3", ["/api/dishes", "rel=\"prev\""]),
        ("page=99", ["Page 3 of 3", "/api/dishes"]),
        ("page=9223372036854775807", ["Page 3 of 3", "/api/dishes"]),
        ("page=0", ["Page 1 of 3", ""]),
        ("page=-1", ["Page 1 of 3", ""]),
        ("page=x", ["Page 1 of 3", ""]),
        ("page=", ["Page 1 of 3", ""]),
        ("search=ROW+4", ["7 in all", "value=\"ROW 4\""]),
        ("search=100%25", ["1 in all", "Row 7 100%"]),
        ("search=row&page=2", ["href=\"?search=row&#38;page=3\"", ""]),
        ("search=nothing", ["No resource has such a name.", ""]),
        ("search=Row+7", ["Not registered", ""]),
    ] {
        browser
            .page(&format!("/resources?{query}"))
            .must_contain(parts);
    }
    browser
        .page("/resources?page=3")
        .must_lack(["rel=\"next\""]);
}

#[test]
fn stored_values_are_shown_as_text() {
    let (service, browser) = area();
    let id = browser.row("dishes");
    let script = "<script>alert(1)</script>\"'&";
    browser.save("dishes", &[("name", script), ("description", script)]);
    change(&service, "UPDATE admin_users SET name = '<b>\"chef\"</b>'");
    let search = "/resources?search=%3Cscript%3Ealert(1)%22%27";
    for page in [
        "/resources",
        "/resources/dishes",
        "/resources/dishes/edit",
        "/resources/dishes/docs",
        &format!("/resources/delete?ids={id}"),
        search,
    ] {
        let page = browser.page(page);
        page.must_lack(["<script>alert", "<b>"]);
        page.must_contain(["&#60;script&#62;alert(1)", "&#60;b&#62;"]);
    }
    browser.page(search).must_lack(["value=\"<", "\"'"]);
    let login = Browser::new(&service).try_sign_in("\"><script>x</script>", "y");
    login.body.must_lack(["<script>x"]);
}

#[test]
fn the_length_of_a_search_is_limited() {
    let (_, browser) = area();
    for list in ["/resources", "/tokens"] {
        for (text, status) in [
            ("x".repeat(1000), 200),
            ("%25".repeat(1000), 200),
            ("x".repeat(1001), 400),
            ("x".repeat(60_000), 400),
            ("%00".to_owned(), 400),
        ] {
            let answer = browser.get(&format!("{list}?search={text}"));
            assert_eq!(answer.status, status, "{list}: {} bytes", text.len());
            let limit = answer.body.contains("at most 1000 bytes");
            assert_eq!(limit, status == 400, "{answer}");
        }
    }
}
