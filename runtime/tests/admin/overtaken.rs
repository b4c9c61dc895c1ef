//! Two administrators who save the same settings: neither overwrites the other's decision unseen.

use std::{thread, time::Duration};

use formwork::{prelude::*, testing::Service};

use super::{
    Page, area,
    browser::{Fields, between},
    change, signed_in_again,
};

/// Returns whether dishes are listed, and created, as the API answers.
fn statuses(service: &Service) -> (u16, u16) {
    let list = service.guest().get("/api/dishes").status;
    let dish = json!({"title": "Soup"});
    (list, service.admin().post("/api/dishes", dish).status)
}

/// Returns the cells of a row of the table that compares.
fn cells<'p>(page: &'p str, what: &str) -> Vec<&'p str> {
    let row = between(page, &format!("<th scope=\"row\">{what}</th>"), "</tr>");
    let cells = row.unwrap_or_default().split("<td data-label=").skip(1);
    let texts = cells.filter_map(|cell| cell.split("</td>").next()?.split_once('>'));
    let bare = |text: &'p str| text.strip_prefix("<bdi>")?.strip_suffix("</bdi>");
    texts.map(|(_, text)| bare(text).unwrap_or(text)).collect()
}

/// Asserts which saved values a page shows alongside those of its form.
#[track_caller]
fn assert_compared(page: &str, rows: &[(&str, &str, &str)]) {
    for (what, saved, typed) in rows {
        let cells = cells(page, what);
        assert_eq!(cells[..2], [*saved, *typed], "{what}");
    }
}

const NAME: &str = "Meals &#38; &#60;more&#62;";

#[test]
fn a_stale_form_does_not_overwrite_the_settings_of_another_user() {
    let (service, browser) = area();
    let opened = browser.edit("dishes");
    let saved = [
        ("on_index", ""),
        ("name", "Meals & <more>"),
        ("allow_show", "users"),
    ];
    browser.save("dishes", &saved);
    let typed = [("on_store", ""), ("description", "What I typed")];
    let page = browser.conflict(&opened, "dishes", &typed);
    assert_eq!(statuses(&service), (405, 201), "saved settings stay");
    assert_compared(
        &page,
        &[
            ("Name", NAME, "Dishes"),
            ("Description", "What is cooked", "What I typed"),
            ("List records", "Disabled, All", "Enabled, All"),
            (
                "Create a record",
                "Enabled, User (admin)",
                "Disabled, User (admin)",
            ),
            (
                "Read a record",
                "Enabled, User or Customers",
                "Enabled, All",
            ),
        ],
    );
    assert_eq!(cells(&page, "Delete a record"), [""; 0], "unchanged");
    // The form has the saved values, so sending it again undoes no change of the other user.
    page.must_contain([
        "someone else has changed",
        &format!("name=\"name\" type=\"text\" value=\"{NAME}\""),
        ">What is cooked</textarea>",
        "<option value=\"users\" selected>",
    ]);
    let done = browser.save_on(&page, "dishes", &typed);
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(statuses(&service), (404, 404), "both changes");
    let page = browser.edit("dishes");
    page.must_contain(["value=\"Meals &#38;", ">What I typed</textarea>"]);
}

#[test]
fn one_of_two_simultaneous_saves_is_a_conflict() {
    let (service, list) = area();
    let saving = |name: String| {
        let browser = signed_in_again(&service);
        let opened = browser.edit("dishes");
        move || browser.save_on(&opened, "dishes", &[("name", &name)])
    };
    for round in 0..3 {
        // The saved values are unchanged: saving them again changes nothing.
        let names = [format!("First {round}"), format!("Second {round}")];
        let [first, second] = names.clone().map(saving);
        // Writing is blocked: both have read the row before one may write.
        let tx = service.block_on(service.app().db().begin());
        let tx = tx.expect("a transaction");
        let lock = "UPDATE api_resources SET name = name WHERE endpoint = 'dishes'";
        let locked = service.block_on(tx.db().execute(lock, []));
        assert_eq!(locked.expect("a statement"), 1);
        let answers = thread::scope(|scope| {
            let both = [scope.spawn(first), scope.spawn(second)];
            thread::sleep(Duration::from_millis(300));
            service.block_on(async { drop(tx) });
            both.map(|answer| answer.join().expect("an answer"))
        });
        let ([saved, typed], conflict) = match [answers[0].status, answers[1].status] {
            [303, 409] => ([&names[0], &names[1]], &answers[1]),
            [409, 303] => ([&names[1], &names[0]], &answers[0]),
            others => panic!("round {round}: {others:?}"),
        };
        assert_compared(&conflict.body, &[("Name", saved, typed)]);
        list.must_show("/resources", [format!(">{saved}</a>")]);
    }
}

const MINE: Fields<'_> = &[("name", "Mine"), ("description", "Mine")];

#[test]
fn changes_made_directly_in_the_table_are_a_conflict() {
    let (service, browser) = area();
    for value in [
        "meta = '{'",
        "meta = NULL",
        "description = NULL",
        "description = ''",
        "name = 'MINE'",
        "name = 'mine'",
    ] {
        let opened = browser.edit("dishes");
        let sql = format!("UPDATE api_resources SET {value} WHERE endpoint = 'dishes'");
        change(&service, sql.leak());
        browser.conflict(&opened, "dishes", MINE);
    }
    // A row that was not changed since can be saved, whatever its values.
    browser.save("dishes", MINE);
}

#[test]
fn equal_settings_are_not_shown_as_a_difference() {
    let (_, browser) = area();
    let opened = browser.edit("dishes");
    browser.save("dishes", &[("name", "Meals")]);
    let page = browser.conflict(&opened, "dishes", &[("name", "Meals")]);
    page.must_contain(["the same as in your form"]);
    // Input that breaks a rule is shown, too.
    let page = browser.conflict(&opened, "dishes", &[("name", "x")]);
    assert_compared(&page, &[("Name", "Meals", "x")]);
}

const TYPED: Fields<'_> = &[
    ("name", "Meals"),
    ("description", "What I typed"),
    ("on_store", ""),
];

/// Asserts that a page shows the registered values, next to the input.
#[track_caller]
fn assert_input_shown(page: &str) {
    assert_compared(
        page,
        &[
            ("Name", "Dishes", "Meals"),
            ("Description", "What is cooked", "What I typed"),
        ],
    );
}

#[test]
fn settings_deleted_meanwhile_are_a_conflict_and_can_be_saved_again() {
    let (service, browser) = area();
    // The list inserts the row that is missing, which has another id.
    for is_listed in [false, true] {
        let id = browser.row("dishes");
        browser.save(&id, &[("on_index", "")]);
        let opened = browser.edit(&id);
        browser.reset(&id);
        if is_listed {
            browser.page("/resources");
        }
        let page = browser.conflict(&opened, &id, TYPED);
        assert_input_shown(&page);
        assert_eq!(statuses(&service), (200, 201), "the registration counts");
        let form = page.split("<form class=\"card\"").nth(1).expect("the form");
        let id = between(form, "action=\"/admin/resources/", "/edit\"");
        let again = browser.save_on(&page, id.expect("an address"), TYPED);
        assert_eq!(again.status, 303, "{again}");
        assert_eq!(statuses(&service), (200, 405), "one box was unticked");
        browser.reset(&browser.row("meals"));
    }
}

#[test]
fn deleted_settings_of_an_unregistered_resource_cannot_be_saved() {
    let (service, browser) = area();
    change(
        &service,
        "INSERT INTO api_resources (id, name, endpoint, is_custom) VALUES (70, 'Old', 'old', TRUE)",
    );
    let page = browser.edit("70");
    change(&service, "DELETE FROM api_resources WHERE id = 70");
    let sent = browser.submit(&page, "70", TYPED);
    assert_eq!(sent.status, 404, "{sent}");
    // So does a request without a form of a resource.
    let none = browser.post("/resources", "/resources/70/edit", &[("name", "Meals")]);
    assert_eq!(none.status, 404, "{none}");
}

#[test]
fn settings_deleted_during_a_save_are_a_conflict() {
    let (service, browser) = area();
    browser.save("dishes", &[("name", "Food")]);
    let opened = browser.edit("dishes");
    let tx = service.block_on(service.app().db().begin());
    let tx = tx.expect("a transaction");
    let sql = "DELETE FROM api_resources WHERE endpoint = 'dishes'";
    let deleted = service.block_on(tx.db().execute(sql, []));
    assert_eq!(deleted.expect("a statement"), 1);
    let page = thread::scope(|scope| {
        let answer = scope.spawn(move || browser.conflict(&opened, "dishes", TYPED));
        // By now it has read the row, and waits for the write permit.
        thread::sleep(Duration::from_millis(300));
        service.block_on(tx.commit()).expect("the end of it");
        answer.join().expect("an answer")
    });
    assert_input_shown(&page);
}
