//! The list of resources, and one of them.

use super::{Browser, change, service, signed_in};

#[test]
fn resources_are_listed_with_their_enabled_actions() {
    let service = service();
    let browser = signed_in(&service);
    let page = browser.page("/resources");
    for part in [
        "<code>/api/dishes</code>",
        "What is cooked",
        "/admin/tokens",
        "index <small>All</small>",
        "store <small>User (admin)</small>",
        "destroy <small>Customers</small>",
        "index <small>User or Customers</small>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(
        !page.contains("tags"),
        "what has no routes is no API: {page}"
    );
    let (dishes, notes) = (page.find("/api/dishes"), page.find("/api/notes"));
    assert!(notes < dishes, "the newest first");
}

#[test]
fn names_are_searched_and_pages_turned() {
    let service = service();
    let browser = signed_in(&service);
    change(
        &service,
        "INSERT INTO api_resources (name, endpoint, is_custom) \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45) \
         SELECT 'Row ' || i || CASE i WHEN 7 THEN ' 100%' ELSE '' END, 'row' || i, TRUE FROM n",
    );
    let first = browser.page("/resources");
    assert!(
        first.contains("Page 1 of 3, 47 in all") && first.contains("Row 45<"),
        "{first}"
    );
    let last = browser.page("/resources?page=3");
    assert!(
        last.contains("/api/dishes") && last.contains("rel=\"prev\""),
        "{last}"
    );
    assert!(!last.contains("rel=\"next\""), "{last}");
    for beyond in ["99", "3", "9223372036854775807"] {
        let page = browser.page(&format!("/resources?page={beyond}"));
        assert!(
            page.contains("Page 3 of 3") && page.contains("/api/dishes"),
            "{beyond}: {page}"
        );
    }
    for odd in ["0", "-1", "x", ""] {
        assert!(
            browser
                .page(&format!("/resources?page={odd}"))
                .contains("Page 1 of 3")
        );
    }
    let found = browser.page("/resources?search=ROW+4");
    assert!(
        found.contains("7 in all") && found.contains("value=\"ROW 4\""),
        "{found}"
    );
    let found = browser.page("/resources?search=100%25");
    assert!(
        found.contains("1 in all") && found.contains("Row 7 100%"),
        "{found}"
    );
    let found = browser.page("/resources?search=row&page=2");
    assert!(found.contains("href=\"?search=row&#38;page=3\""), "{found}");
    assert!(
        browser
            .page("/resources?search=nothing")
            .contains("No resource has such a name.")
    );
    let row = browser.page("/resources?search=Row+7");
    assert!(row.contains("Not registered"), "{row}");
}

#[test]
fn stored_values_are_shown_as_text() {
    let service = service();
    let browser = signed_in(&service);
    let script = "<script>alert(1)</script>\"'&";
    let id = browser.row("dishes");
    let answer = browser.save(&id, &[("name", script), ("description", script)]);
    assert_eq!(answer.status, 303, "{answer}");
    change(&service, "UPDATE admin_users SET name = '<b>\"chef\"</b>'");
    let list = browser.page("/resources");
    let edit = browser.page(&format!("/resources/{id}/edit"));
    let show = browser.page(&format!("/resources/{id}"));
    let docs = browser.page(&format!("/resources/{id}/docs"));
    let sure = browser.page(&format!("/resources/delete?ids={id}"));
    let search = browser.page("/resources?search=%3Cscript%3Ealert(1)%22%27");
    for page in [&list, &edit, &show, &docs, &sure, &search] {
        assert!(
            !page.contains("<script>alert") && !page.contains("<b>"),
            "{page}"
        );
        assert!(page.contains("&#60;script&#62;alert(1)"), "{page}");
        assert!(page.contains("&#60;b&#62;"), "{page}");
    }
    assert!(
        !search.contains("value=\"<") && !search.contains("\"'"),
        "{search}"
    );
    let login = Browser::new(&service).try_sign_in("\"><script>x</script>", "y");
    assert!(!login.body.contains("<script>x"), "{login}");
}

#[test]
fn a_resource_page_shows_its_actions_and_columns() {
    let service = service();
    let browser = signed_in(&service);
    let page = browser.page(&format!("/resources/{}", browser.row("dishes")));
    for part in [
        "<code>/api/dishes</code>",
        "What is cooked",
        "As registered",
        "Enabled",
        "Allow Only",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(
        !page.contains("<input type=\"text\"") && !page.contains("<select"),
        "{page}"
    );
}

#[test]
fn the_length_of_a_search_is_limited() {
    let service = service();
    let browser = signed_in(&service);
    for list in ["/resources", "/tokens"] {
        let sought = |text: &str| browser.get(&format!("{list}?search={text}"));
        assert_eq!(sought(&"x".repeat(1000)).status, 200, "{list}");
        assert_eq!(sought(&"%25".repeat(1000)).status, 200, "{list}");
        for refused in ["x".repeat(1001), "x".repeat(60_000), "%00".to_owned()] {
            let answer = sought(&refused);
            assert_eq!(answer.status, 400, "{list}: {} bytes", refused.len());
            assert!(answer.body.contains("at most 1000 bytes"), "{answer}");
        }
    }
}
