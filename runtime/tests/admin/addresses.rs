//! The address of a resource in the area: its endpoint, which outlives its row.

use super::{change, service, signed_in};

#[test]
fn the_address_of_a_resource_outlives_its_row() {
    let service = service();
    let browser = signed_in(&service);
    let list = browser.page("/resources");
    for link in [
        "/admin/resources/dishes\"",
        "/admin/resources/dishes/edit\"",
    ] {
        assert!(list.contains(&format!("href=\"{link}")), "{link}: {list}");
    }
    let opened = browser.page("/resources/dishes/edit");
    for link in ["", "/edit", "/docs"] {
        let link = format!("href=\"/admin/resources/dishes{link}\"");
        assert!(opened.contains(&link), "{link} in {opened}");
    }
    assert!(opened.contains("action=\"/admin/resources/dishes/edit\""));
    let done = browser.save("dishes", &[("on_index", "")]);
    let there = Some("/admin/resources/dishes/edit?notice=saved");
    assert_eq!((done.status, done.header("location")), (303, there));

    let id = browser.row("dishes");
    browser.reset(&id);
    assert_ne!(browser.row("dishes"), id);
    for tab in ["", "/edit", "/docs"] {
        let page = browser.page(&format!("/resources/dishes{tab}"));
        assert!(page.contains("<code>/api/dishes</code>"), "{page}");
    }
    assert_eq!(browser.get("/resources/nothing").status, 404);
}

#[test]
fn rows_whose_endpoint_fits_no_path_are_addressed_by_id() {
    let service = service();
    let browser = signed_in(&service);
    change(
        &service,
        "INSERT INTO api_resources (id, name, endpoint, is_custom) VALUES \
         (70, 'Odd', 'delete', TRUE), (71, 'Odd', '70', TRUE), (72, 'Odd', '', TRUE), \
         (73, 'Odd', 'a/b', TRUE), (74, 'Odd', 'É', TRUE), (75, 'Odd', '-1', TRUE)",
    );
    let list = browser.page("/resources?search=odd");
    for id in 70..=75 {
        let link = format!("href=\"/admin/resources/{id}/edit\"");
        assert!(list.contains(&link), "{link} in {list}");
        let changes = [("name", "Odd"), ("description", "Mended")];
        let done = browser.save(&id.to_string(), &changes);
        assert_eq!(done.status, 303, "{id}: {done}");
    }
    assert_eq!(
        browser
            .page("/resources?search=odd")
            .matches("Mended")
            .count(),
        6
    );
}
