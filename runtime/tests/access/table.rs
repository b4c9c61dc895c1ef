//! Every context, caller and action: allowed callers, and the answers to others.

use formwork::{
    auth::AccountKind,
    prelude::*,
    resource::Controller,
    resource::action::{Action, ActionEntry, Allow},
    testing::{Client, Service},
};

use super::house::{Parts, Place, PlaceParts};

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
        let door = |(key, allow): (&'static str, Allow)| {
            let entries = Action::ALL.map(|action| ActionEntry { action, allow });
            ApiResource {
                key,
                name: key,
                description: "",
                controller: Box::new(Door) as Box<dyn Controller>,
                actions: Vec::leak(entries.to_vec()),
            }
        };
        DOORS.into_iter().map(door).collect()
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<super::house::Room>("rooms"),
            SupportingModel::of::<super::house::Show>("shows"),
            SupportingModel::of::<Place>("places"),
        ]
    }

    fn migrations(&self) -> &'static [Migration] {
        super::house::House.migrations()
    }
}

struct Door;

impl RestController for Door {
    type Model = Place;
    type Repository = <PlaceParts as Parts>::Repository;
    type Request = <PlaceParts as Parts>::Request;
    type Transformer = super::house::Plain<PlaceParts>;

    const ACTIONS: &'static [ActionConfig] = &[
        index(),
        create(),
        store(),
        show(),
        edit(),
        update(),
        destroy(),
    ];
    const REQUIRED_ABILITIES: &'static [&'static str] = &["doors:*"];
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
        let mut place = Place {
            id: 0,
            name: name.to_owned(),
        };
        let ctx = service.context();
        service.block_on(place.insert(&ctx)).expect("a place");
    }
    service
}

fn callers(service: &Service) -> [Client<'_>; 6] {
    let with = |kind, email: &str, ability: &str| {
        let id = service.account(kind, email);
        service.with_token(service.token(kind, id, &[ability]))
    };
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
fn ask(client: &Client<'_>, key: &str, action: Action) -> (u16, formwork::testing::Answer) {
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
                let wanted = if refused == 0 { success } else { refused };
                let name = action.name();
                assert_eq!(answer.status, wanted, "{key} {name} caller {who}: {answer}");
                let challenge = answer.header("www-authenticate");
                assert_eq!(challenge.is_some(), wanted == 401, "{key} {name} {who}");
            }
        }
    }
}

#[test]
fn both_renderings_refuse_alike() {
    let service = doors();
    for (caller, status) in [(service.guest(), 401), (service.customer(), 403)] {
        let caller = caller.header("Accept", "application/vnd.api+json");
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
        ("*", all),
        ("doors:*", all),
        ("doors.*", all),
        ("doors:read", READS),
        ("doors.read", READS),
        ("doors:write", WRITES),
        ("doors.write", WRITES),
        ("doors:index", &["index"]),
        ("doors.show", &["show"]),
        ("doors:create", &["create"]),
        ("doors:edit", &["edit"]),
        ("doors:store", &["store"]),
        ("doors.update", &["update"]),
        ("doors:destroy", &["destroy"]),
        ("doors", &[]),
        ("door:*", &[]),
        ("doors:ind*", &[]),
    ];
    let service = doors();
    let id = service.account(AccountKind::Customer, "c@example.com");
    for (ability, covered) in table {
        let token = service.token(AccountKind::Customer, id, &[ability]);
        let client = service.with_token(token);
        for action in Action::ALL {
            let (success, answer) = ask(&client, "door-users", action);
            let wanted = if covered.contains(&action.name()) {
                success
            } else {
                403
            };
            assert_eq!(
                answer.status,
                wanted,
                "{ability} {}: {answer}",
                action.name()
            );
        }
    }
}
