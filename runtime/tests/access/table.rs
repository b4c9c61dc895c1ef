//! Every context, caller and action: allowed callers, and the answers to others.

use formwork::{
    auth::AccountKind,
    prelude::*,
    resource::action::Action,
    testing::{Answer, Client, Service},
};

use super::{
    MEDIA, client,
    house::{House, Place, Room, Show, resource},
    theatre::everything,
};

/// One model registered once for each context, all seven actions.
struct Doors;

const DOORS: [(&str, Allow); 5] = [
    ("door-all", Allow::All),
    ("door-guest", Allow::Guest),
    ("door-users", Allow::Users),
    ("door-customer", Allow::Customer),
    ("door-admin", Allow::Admin),
];

impl Extension for Doors {
    fn name(&self) -> &'static str {
        "doors"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let door = |(key, allow)| resource::<Place>(key, everything(allow));
        DOORS.into_iter().map(door).collect()
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Room>("rooms"),
            SupportingModel::of::<Show>("shows"),
            SupportingModel::of::<Place>("places"),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        House.migrations()
    }
}

/// The status that each caller gets at each door, before any other check; 0: he is let in.
/// Guest, customer, administrator, customer and administrator with a token for something else,
/// token that is no good.
const STATUSES: [(&str, [u16; 6]); 5] = [
    ("door-all", [0, 0, 0, 403, 403, 401]),
    ("door-guest", [0, 403, 403, 403, 403, 401]),
    ("door-users", [401, 0, 0, 403, 403, 401]),
    ("door-customer", [401, 0, 403, 403, 403, 401]),
    ("door-admin", [401, 403, 0, 403, 403, 401]),
];

fn doors() -> Service {
    let service = Service::start(vec![Box::new(Doors)]);
    for name in ["one", "two"] {
        let name = name.to_owned();
        let inserted = service.block_on(Place { id: 0, name }.insert(&service.context()));
        inserted.expect("a place");
    }
    service
}

fn callers(service: &Service) -> [Client<'_>; 6] {
    let with = |kind, email: &str, ability: &str| client(service, kind, email, &[ability]);
    [
        service.guest(),
        with(AccountKind::Customer, "c@example.com", "doors:*"),
        with(AccountKind::Admin, "a@example.com", "*"),
        with(AccountKind::Customer, "d@example.com", "windows:*"),
        with(AccountKind::Admin, "b@example.com", "windows:*"),
        service.with_token("1|nonsense"),
    ]
}

/// The request for an action, and the status of its success.
fn ask(client: &Client<'_>, key: &str, action: Action) -> (u16, Answer) {
    let (base, body) = (format!("/api/{key}"), json!({"name": "new"}));
    match action {
        Action::Index => (200, client.get(&base)),
        Action::Create => (200, client.get(&format!("{base}/create"))),
        Action::Store => (201, client.post(&base, body)),
        Action::Show => (200, client.get(&format!("{base}/1"))),
        Action::Edit => (200, client.get(&format!("{base}/1/edit"))),
        Action::Update => (200, client.put(&format!("{base}/1"), body)),
        // No error: a row of this id never existed.
        Action::Destroy => (404, client.delete(&format!("{base}/999"))),
    }
}

#[test]
fn every_context_admits_only_the_callers_it_names() {
    let service = doors();
    let callers = callers(&service);
    for (key, expected) in STATUSES {
        for action in Action::ALL {
            for (who, (client, refused)) in callers.iter().zip(expected).enumerate() {
                let (success, answer) = ask(client, key, action);
                let expected = if refused == 0 { success } else { refused };
                let name = action.name();
                assert_eq!(
                    answer.status, expected,
                    "{key} {name} caller {who}: {answer}"
                );
                let challenge = answer.header("www-authenticate");
                assert_eq!(challenge.is_some(), expected == 401, "{key} {name} {who}");
            }
        }
    }
}

#[test]
fn both_renderings_refuse_alike() {
    let service = doors();
    for (caller, status) in [(service.guest(), 401), (service.customer(), 403)] {
        let caller = caller.header("Accept", MEDIA[1]);
        let answer = caller.get("/api/door-admin");
        assert_eq!(answer.status, status, "{answer}");
        let shown = answer.json["errors"][0]["status"].as_str();
        assert_eq!(shown, Some(status.to_string().as_str()), "{answer}");
    }
}

/// 401, then 403 for the context, then 403 for the ability, then 404, then 422.
#[test]
fn checks_come_in_their_order() {
    let service = doors();
    let [guest, customer, admin, _, windows, _] = callers(&service);
    let broken = json!({"name": 5});
    let put = |client: &Client<'_>, path: &str| client.put(path, broken.clone()).status;
    assert_eq!(put(&guest, "/api/door-admin/999"), 401);
    assert_eq!(put(&customer, "/api/door-admin/999"), 403);
    assert_eq!(put(&windows, "/api/door-admin/999"), 403);
    assert_eq!(put(&admin, "/api/door-admin/999"), 404);
    assert_eq!(put(&admin, "/api/door-admin/1"), 422);
    let context = customer.put("/api/door-admin/1", broken.clone());
    let ability = windows.put("/api/door-admin/1", broken.clone());
    assert_ne!(context.json["message"], ability.json["message"]);
}

/// Each ability of a token, and the actions it covers.
#[test]
fn abilities_allow_the_actions_they_name() {
    const READS: &[&str] = &["index", "create", "show", "edit"];
    const WRITES: &[&str] = &["store", "update", "destroy"];
    let all = &[READS, WRITES].concat()[..];
    let table: &[(&str, &[&str])] = &[
        ("* doors:* doors.*", all),
        ("doors:read doors.read", READS),
        ("doors:write doors.write", WRITES),
        ("doors:index", &["index"]),
        ("doors.show", &["show"]),
        ("doors:create", &["create"]),
        ("doors:edit", &["edit"]),
        ("doors:store", &["store"]),
        ("doors.update", &["update"]),
        ("doors:destroy", &["destroy"]),
        ("doors door:* doors:ind*", &[]),
    ];
    let service = doors();
    let id = service.account(AccountKind::Customer, "c@example.com");
    let rows = table.iter();
    let rows =
        rows.flat_map(|(abilities, covered)| abilities.split(' ').map(move |it| (it, covered)));
    for (ability, covered) in rows {
        let token = service.token(AccountKind::Customer, id, &[ability]);
        let client = service.with_token(token);
        for action in Action::ALL {
            let (success, answer) = ask(&client, "door-users", action);
            let is_covered = covered.contains(&action.name());
            let expected = if is_covered { success } else { 403 };
            assert_eq!(
                answer.status,
                expected,
                "{ability} {}: {answer}",
                action.name()
            );
        }
    }
}
