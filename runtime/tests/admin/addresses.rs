//! The address of a resource in the area: its endpoint, which outlives its row.

use super::{Page, area, browser::assert_redirect, change};

#[test]
fn the_address_of_a_resource_outlives_its_row() {
    let (_, browser) = area();
    let link = |tab: &str| format!("href=\"/admin/resources/dishes{tab}\"");
    let tabs = ["", "/edit", "/docs"];
    browser
        .page("/resources")
        .must_contain(["", "/edit"].map(link));
    let opened = browser.edit("dishes");
    opened.must_contain(tabs.map(link));
    opened.must_contain(["action=\"/admin/resources/dishes/edit\""]);
    let saved = browser.save("dishes", &[("on_index", "")]);
    assert_redirect(&saved, "/admin/resources/dishes/edit?notice=saved");

    let id = browser.row("dishes");
    browser.reset(&id);
    assert_ne!(browser.row("dishes"), id);
    for tab in tabs {
        let page = browser.page(&format!("/resources/dishes{tab}"));
        page.must_contain(["<code>/api/dishes</code>"]);
    }
    assert_eq!(browser.get("/resources/nothing").status, 404);
}

#[test]
fn rows_whose_endpoint_fits_no_path_are_addressed_by_id() {
    let (service, browser) = area();
    change(
        &service,
        "INSERT INTO api_resources (id, name, endpoint, is_custom) VALUES \
         (70, 'Odd', 'delete', TRUE), (71, 'Odd', '70', TRUE), (72, 'Odd', '', TRUE), \
         (73, 'Odd', 'a/b', TRUE), (74, 'Odd', 'É', TRUE), (75, 'Odd', '-1', TRUE)",
    );
    let list = browser.page("/resources?search=odd");
    for id in 70..=75 {
        list.must_contain([format!("href=\"/admin/resources/{id}/edit\"")]);
        let changes = [("name", "Odd"), ("description", "Fixed")];
        browser.save(&id.to_string(), &changes);
    }
    let list = browser.page("/resources?search=odd");
    assert_eq!(list.matches("Fixed").count(), 6);
}
