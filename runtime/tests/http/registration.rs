//! Mistakes of registration are reported when the service starts, all at once.

use formwork::{extension, prelude::*, testing::Service};

use super::kitchen::{
    Dishes, Kitchen, Note, NoteRepository, NoteRequest, NoteTransformer, Notes, Tag,
};

/// An extension that makes every mistake.
struct Careless;

fn record(key: &'static str, controller: Notes) -> ApiResource {
    ApiResource {
        key,
        name: "Notes",
        description: "",
        controller: Box::new(controller),
        actions: actions!["index", "create"],
    }
}

impl Extension for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![
            record("token", Notes),
            record("pages", Notes),
            record("No/tes", Notes),
            record("notes", Notes),
            ApiResource {
                actions: actions!["index:guest", "index"],
                ..record("memos", Notes)
            },
        ]
    }

    fn reserved_paths(&self) -> &'static [&'static str] {
        &["/pages"]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![
            SupportingModel::of::<Tag>("notes"),
            SupportingModel::of::<Note>("remarks"),
        ]
    }
}

#[test]
fn every_mistake_is_reported() {
    let mistakes = extension::registry(&[Box::new(Careless)])
        .err()
        .expect("mistakes");
    let told = mistakes.join("\n");
    for part in [
        "`token` cannot be",
        "`pages` cannot be",
        "`No/tes` cannot be",
        "the key `notes`",
        "`dish` of `remarks`",
        "`memos` registers the action `index` twice",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    assert!(
        told.contains("names `dishes`: no resource or model has this key"),
        "{told}"
    );
}

#[test]
fn enabled_actions_are_those_registered_and_not_switched_off() {
    let Ok(registry) = extension::registry(&[Box::new(Kitchen)]) else {
        panic!("a sound registry")
    };
    let dishes = registry
        .find("dishes")
        .and_then(|entry| entry.resource.as_ref());
    assert_eq!(
        dishes.map(|dishes| dishes.enabled().count()),
        Some(Dishes::ACTIONS.len())
    );
    assert!(
        registry
            .find("tags")
            .is_some_and(|entry| entry.resource.is_none())
    );
    // `create` is registered, and the controller of notes does not configure it.
    let configured = Notes::ACTIONS
        .iter()
        .any(|config| config.action().name() == "create");
    assert!(!configured);
    let Ok(few) = extension::registry(&[Box::new(Few)]) else {
        panic!("a sound registry")
    };
    let notes = few.find("notes").and_then(|entry| entry.resource.as_ref());
    assert_eq!(notes.map(|notes| notes.enabled().count()), Some(1));
}

/// `index` and `create` are registered, and the controller does not configure `create`.
struct Few;

impl Extension for Few {
    fn name(&self) -> &'static str {
        "few"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![record("notes", Notes)]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Tag>("dishes")]
    }

    fn migrations(&self) -> &'static [Migration] {
        Kitchen.migrations()
    }
}

/// A controller that says no actions: its record does.
struct Bare;

impl RestController for Bare {
    type Model = Note;
    type Repository = NoteRepository;
    type Request = NoteRequest;
    type Transformer = NoteTransformer;

    const PAGE_LIMIT: u32 = 200;
}

/// The record alone names actions and callers.
struct Plain;

impl Extension for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![ApiResource {
            key: "notes",
            name: "Notes",
            description: "",
            controller: Box::new(Bare),
            actions: actions!["index", "create:admin", "destroy:admin"],
        }]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        Few.register_models()
    }

    fn migrations(&self) -> &'static [Migration] {
        Kitchen.migrations()
    }
}

#[test]
fn actions_are_registered_by_the_record_and_page_limits_by_the_controller() {
    let service = Service::start(vec![Box::new(Plain)]);
    let (guest, admin) = (service.guest(), service.admin());
    for (client, method, path, status) in [
        (&guest, "GET", "/api/notes", 200),
        (&guest, "POST", "/api/notes", 405),
        (&admin, "POST", "/api/notes", 405),
        (&guest, "GET", "/api/notes/create", 401),
        (&admin, "GET", "/api/notes/create", 200),
        (&guest, "DELETE", "/api/notes/1", 401),
        (&admin, "DELETE", "/api/notes/1", 404),
    ] {
        let answer = client.send(method, path, None);
        assert_eq!(answer.status, status, "{method} {path}: {answer}");
    }
    let page = guest.get("/api/notes").json;
    assert_eq!(page["meta"]["pagination"]["per_page"], 200);
    assert_eq!(guest.get("/api/notes?pageLimit=201").status, 400);
}

/// "Only what is registered, configured in the controller and not switched off is routed."
#[test]
fn unregistered_and_disabled_actions_are_not_routed() {
    let service = Service::start(vec![Box::new(Few)]);
    for accept in ["application/json", "application/vnd.api+json"] {
        let admin = service.admin().header("Accept", accept);
        assert_eq!(admin.get("/api/notes").status, 200);
        for (method, path, status) in [
            ("POST", "/api/notes", 405),
            ("GET", "/api/notes/create", 404),
            ("GET", "/api/notes/1", 404),
            ("GET", "/api/notes/1/edit", 404),
            ("PUT", "/api/notes/1", 404),
            ("PATCH", "/api/notes/1", 404),
            ("DELETE", "/api/notes/1", 404),
            ("GET", "/api/dishes", 404),
        ] {
            let answer = admin.send(method, path, None);
            assert_eq!(answer.status, status, "{method} {path}: {answer}");
            let allow = (status == 405).then_some("GET, HEAD");
            assert_eq!(answer.header("allow"), allow, "{method} {path}");
        }
    }
}
