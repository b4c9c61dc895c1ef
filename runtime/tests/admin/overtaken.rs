//! Two administrators who save the same settings: neither overwrites the other's decision unseen.

use std::{thread, time::Duration};

use formwork::{prelude::*, testing::Service};

use super::{Browser, change, on_sqlite, service, signed_in};

/// Whether dishes are listed, and made, as the API answers.
fn statuses(service: &Service) -> (u16, u16) {
    let list = service.guest().get("/api/dishes").status;
    let dish = json!({"title": "Soup"});
    (list, service.admin().post("/api/dishes", dish).status)
}

/// The cells of a row of the table that compares.
fn compared<'p>(page: &'p str, what: &str) -> Option<(&'p str, &'p str)> {
    let row = page.split(&format!("<th scope=\"row\">{what}</th>")).nth(1);
    let row = row?.split("</tr>").next()?;
    let mut cells = row.split("<td data-label=").skip(1);
    let mut cell = || {
        let (_, cell) = cells.next()?.split("</td>").next()?.split_once('>')?;
        let text = cell.strip_prefix("<bdi>").unwrap_or(cell);
        Some(text.strip_suffix("</bdi>").unwrap_or(text))
    };
    Some((cell()?, cell()?))
}

#[test]
fn a_stale_form_does_not_overwrite_the_settings_of_another_user() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let opened = browser.page(&format!("/resources/{id}/edit"));
    let done = browser.save(
        &id,
        &[
            ("on_index", ""),
            ("name", "Meals & <more>"),
            ("allow_show", "users"),
        ],
    );
    assert_eq!(done.status, 303, "{done}");
    let typed = [("on_store", ""), ("description", "What I typed")];
    let stale = browser.save_on(&opened, &id, &typed);
    assert_eq!(stale.status, 409, "{stale}");
    assert!(stale.body.contains("someone else has saved"), "{stale}");
    assert_eq!(statuses(&service), (405, 201), "what was decided stands");

    // The other's saved values are shown beside the typed ones,
    for (what, stands, here) in [
        (
            "Name",
            "Meals &#38; &#60;more&#62;",
            "Meals &#38; &#60;more&#62;",
        ),
        ("Description", "What is cooked", "What I typed"),
        ("List records", "Disabled, All", "Disabled, All"),
        (
            "Create a record",
            "Enabled, User (admin)",
            "Disabled, User (admin)",
        ),
        (
            "Read a record",
            "Enabled, User or Customers",
            "Enabled, User or Customers",
        ),
    ] {
        assert_eq!(compared(&stale.body, what), Some((stands, here)), "{what}");
    }
    assert_eq!(compared(&stale.body, "Delete a record"), None, "the same");
    // Typed values stay in the form; untouched fields have the other's saved values.
    for part in [
        "name=\"name\" type=\"text\" value=\"Meals &#38; &#60;more&#62;\"",
        ">What I typed</textarea>",
        "<option value=\"users\" selected>",
    ] {
        assert!(stale.body.contains(part), "{part} in {stale}");
    }
    for box_of in ["on_index", "on_store"] {
        let ticked = format!("name=\"{box_of}\" value=\"1\" checked");
        assert!(!stale.body.contains(&ticked), "{box_of}");
    }

    // After seeing it, the administrator may save: both changes stand.
    let done = browser.save_on(&stale.body, &id, &[]);
    assert_eq!(done.status, 303, "{done}");
    assert_eq!(statuses(&service), (404, 404));
    let page = browser.page(&format!("/resources/{id}/edit"));
    assert!(
        page.contains("value=\"Meals &#38;") && page.contains(">What I typed</textarea>"),
        "{page}"
    );
}

#[test]
fn a_field_that_both_changed_shows_all_three_values() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let opened = browser.page(&format!("/resources/{id}/edit"));
    assert_eq!(browser.save(&id, &[("name", "Meals")]).status, 303);
    let stale = browser.submit(&opened, &id, &[("name", "Food"), ("allow_show", "admin")]);
    assert_eq!(stale.status, 409, "{stale}");
    let three = |what: &str| {
        let row = stale.body.split(&format!("{what}</th>")).nth(1);
        let row = row.and_then(|rest| rest.split("</tr>").next());
        let cells = row.unwrap_or_default().split("<bdi>").skip(1);
        cells
            .filter_map(|cell| cell.split("</bdi>").next())
            .collect::<Vec<_>>()
    };
    assert_eq!(three("Name"), ["Meals", "Food", "Dishes"]);
    let read = ["Enabled, All", "Enabled, User (admin)", "Enabled, All"];
    assert_eq!(three("Read a record"), read);
    // Overtaken once more, the form still knows what was typed, and what was not.
    let other = [("name", "Dinner"), ("description", "Of another")];
    assert_eq!(browser.save(&id, &other).status, 303);
    let stale = browser.submit(&stale.body, &id, &[]);
    assert_eq!(stale.status, 409, "{stale}");
    assert_eq!(compared(&stale.body, "Name"), Some(("Dinner", "Food")));
    assert_eq!(browser.save_on(&stale.body, &id, &[]).status, 303);
    let page = browser.page(&format!("/resources/{id}/edit"));
    for part in ["value=\"Food\"", ">Of another</textarea>"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(service.guest().get("/api/dishes/1").status, 401);
}

/// A form that was opened before the service was upgraded does not say what it was loaded with.
#[test]
fn a_form_without_its_loaded_values_keeps_its_input() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let opened = browser.page(&format!("/resources/{id}/edit"));
    assert_eq!(browser.save(&id, &[("name", "Meals")]).status, 303);
    for loaded in ["", "{", "[]"] {
        let stale = browser.submit(&opened, &id, &[("loaded", loaded)]);
        assert_eq!(stale.status, 409, "{stale}");
        assert_eq!(compared(&stale.body, "Name"), Some(("Meals", "Dishes")));
    }
}

#[test]
fn one_of_two_simultaneous_saves_is_a_conflict() {
    let service = service();
    let id = signed_in(&service).row("dishes");
    let saving = |name: String| {
        let (browser, id) = (signed_in_again(&service), id.clone());
        let opened = browser.page(&format!("/resources/{id}/edit"));
        move || browser.save_on(&opened, &id, &[("name", &name)])
    };
    for round in 0..3 {
        // The saved values are unchanged: saving them again changes nothing.
        let names = [format!("First {round}"), format!("Second {round}")];
        let [first, second] = names.clone().map(saving);
        // Writing is blocked: both have read the row before one may write.
        let held = service
            .block_on(service.app().db().begin())
            .expect("a turn");
        let lock = "UPDATE api_resources SET name = name WHERE endpoint = 'dishes'";
        let locked = service.block_on(held.db().execute(lock, []));
        assert_eq!(locked.expect("a statement"), 1);
        let answers = thread::scope(|scope| {
            let both = [scope.spawn(first), scope.spawn(second)];
            thread::sleep(Duration::from_millis(300));
            service.block_on(async { drop(held) });
            both.map(|answer| answer.join().expect("an answer"))
        });
        let mut statuses = [answers[0].status, answers[1].status];
        statuses.sort_unstable();
        assert_eq!(statuses, [303, 409], "round {round}");
        let [saved, typed] = match answers[0].status {
            303 => [&names[0], &names[1]],
            _ => [&names[1], &names[0]],
        };
        let told = answers.iter().find(|answer| answer.status == 409);
        let told = told.expect("one is told");
        let both = Some((saved.as_str(), typed.as_str()));
        assert_eq!(compared(&told.body, "Name"), both);
        let list = signed_in_again(&service).page("/resources");
        assert!(list.contains(&format!(">{saved}</a>")), "{list}");
    }
}

fn signed_in_again(service: &Service) -> Browser<'_> {
    let browser = Browser::new(service);
    browser.sign_in("chef", "formwork");
    browser
}

#[test]
fn changes_made_directly_in_the_table_are_a_conflict() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    for sql in [
        "UPDATE api_resources SET meta = '{' WHERE endpoint = 'dishes'",
        "UPDATE api_resources SET meta = NULL WHERE endpoint = 'dishes'",
        "UPDATE api_resources SET description = NULL WHERE endpoint = 'dishes'",
        "UPDATE api_resources SET description = '' WHERE endpoint = 'dishes'",
        "UPDATE api_resources SET name = CAST(x'ff' AS TEXT) WHERE endpoint = 'dishes'",
        "UPDATE api_resources SET name = CAST(x'fe' AS TEXT) WHERE endpoint = 'dishes'",
    ] {
        // Servers refuse texts that are no UTF-8.
        if sql.contains("CAST") && !on_sqlite(&service) {
            continue;
        }
        let opened = browser.page(&format!("/resources/{id}/edit"));
        change(&service, sql);
        let stale = browser.save_on(&opened, &id, &[("name", "Mine"), ("description", "Mine")]);
        assert_eq!(stale.status, 409, "{sql}: {stale}");
    }
    // A row that was not changed since can be saved, whatever its values.
    let mine = [("name", "Mine"), ("description", "Mine")];
    assert_eq!(browser.save(&id, &mine).status, 303);
}

#[test]
fn equal_settings_are_not_shown_as_a_difference() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    let opened = browser.page(&format!("/resources/{id}/edit"));
    assert_eq!(browser.save(&id, &[("name", "Meals")]).status, 303);
    let stale = browser.save_on(&opened, &id, &[("name", "Meals")]);
    assert_eq!(stale.status, 409, "{stale}");
    assert!(stale.body.contains("the same as in this form"), "{stale}");
    // A broken rule is shown beside its field, here too.
    let broken = browser.save_on(&opened, &id, &[("name", "x")]);
    assert_eq!(broken.status, 409, "{broken}");
    assert!(broken.body.contains("id=\"name-error\""), "{broken}");
    assert_eq!(compared(&broken.body, "Name"), Some(("Meals", "x")));
}

/// Where the form of a page leads, below `admin.path`.
fn address(page: &str) -> &str {
    let form = page.split("<form class=\"card\"").nth(1).expect("the form");
    let action = form.split("action=\"/admin/resources/").nth(1);
    let action = action.and_then(|rest| rest.split("/edit\"").next());
    action.expect("an address")
}

const TYPED: [(&str, &str); 3] = [
    ("name", "Meals"),
    ("description", "What I typed"),
    ("on_store", ""),
];

/// The form keeps its input, beside the current values.
fn is_kept(page: &str, name: &str, description: &str) {
    for part in [
        "someone has deleted",
        "name=\"name\" type=\"text\" value=\"Meals\"",
        ">What I typed</textarea>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(compared(page, "Name"), Some((name, "Meals")));
    let both = Some((description, "What I typed"));
    assert_eq!(compared(page, "Description"), both);
}

#[test]
fn settings_deleted_meanwhile_are_a_conflict_and_can_be_saved_again() {
    let service = service();
    let browser = signed_in(&service);
    // The list writes the row that is missing; what it was called by before is gone all the same.
    for is_listed in [false, true] {
        let id = browser.row("dishes");
        browser.save(&id, &[("on_index", "")]);
        let opened = browser.page(&format!("/resources/{id}/edit"));
        browser.reset(&id);
        if is_listed {
            browser.page("/resources");
        }
        let stale = browser.save_on(&opened, &id, &TYPED);
        assert_eq!(stale.status, 409, "{stale}");
        is_kept(&stale.body, "Dishes", "What is cooked");
        // The box of the list was not touched: it is as the registration has it.
        let listed = Some(("Enabled, All", "Enabled, All"));
        assert_eq!(compared(&stale.body, "List records"), listed);
        assert_eq!(statuses(&service), (200, 201), "the registration counts");
        let again = browser.save_on(&stale.body, address(&stale.body), &[]);
        assert_eq!(again.status, 303, "{again}");
        assert_eq!(statuses(&service), (200, 405), "one box was unticked");
        browser.reset(&browser.row("meals"));
    }
}

#[test]
fn deleted_settings_of_an_unregistered_resource_cannot_be_saved() {
    let service = service();
    let browser = signed_in(&service);
    change(
        &service,
        "INSERT INTO api_resources (id, name, endpoint, is_custom) VALUES (70, 'Old', 'old', TRUE)",
    );
    let opened = browser.page("/resources/70/edit");
    change(&service, "DELETE FROM api_resources WHERE id = 70");
    let mut page = opened;
    for _ in 0..2 {
        let stale = browser.save_on(&page, "70", &TYPED);
        assert_eq!(stale.status, 409, "{stale}");
        is_kept(&stale.body, "<em>empty</em>", "<em>empty</em>");
        assert!(
            stale.body.contains("these settings cannot be saved"),
            "{stale}"
        );
        let buttons = ["<button class=\"primary\">Save", "Delete settings"];
        assert!(buttons.iter().all(|it| !stale.body.contains(it)), "{stale}");
        page = stale.body;
    }
    // A request without a form of a resource gets a 404.
    let none = browser.post("/resources", "/resources/70/edit", &[("name", "Meals")]);
    assert_eq!(none.status, 404, "{none}");
}

#[test]
fn settings_deleted_during_a_save_are_a_conflict() {
    let service = service();
    let browser = signed_in(&service);
    let id = browser.row("dishes");
    browser.save(&id, &[("name", "Food")]);
    let saving = signed_in_again(&service);
    let opened = saving.page(&format!("/resources/{id}/edit"));
    let database = service.app().db();
    let held = service.block_on(database.begin()).expect("a turn");
    let sql = "DELETE FROM api_resources WHERE endpoint = 'dishes'";
    let deleted = service.block_on(held.db().execute(sql, []));
    assert_eq!(deleted.expect("a statement"), 1);
    let stale = thread::scope(|scope| {
        let answer = scope.spawn(move || saving.save_on(&opened, &id, &TYPED));
        // By now it has looked at the row, and waits for its turn.
        thread::sleep(Duration::from_millis(300));
        service.block_on(held.commit()).expect("the end of it");
        answer.join().expect("an answer")
    });
    assert_eq!(stale.status, 409, "{stale}");
    is_kept(&stale.body, "Dishes", "What is cooked");
}
