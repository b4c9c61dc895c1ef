//! Errors of registration are reported when the service starts, all at once.

use formwork::{extension, prelude::*, testing::Service};

use super::{
    kitchen::{Dishes, Kitchen, Note, Notes, Tag},
    support::check,
};

/// An extension that makes every error.
struct Careless;

fn notes(key: &'static str) -> ApiResource {
    ApiResource {
        key,
        ..resource! { "" "Notes" "" (Notes) ["index" "create"] }
    }
}

impl Extension for Careless {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        let mut resources = Vec::from(["token", "pages", "No/tes", "notes"].map(notes));
        resources.push(resource! { "memos" "Notes" "" (Notes) ["index:guest" "index"] });
        resources
    }

    fn reserved_paths(&self) -> &'static [&'static str] {
        &["/pages"]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        let notes = SupportingModel::of::<Tag>("notes");
        vec![notes, SupportingModel::of::<Note>("remarks")]
    }
}

#[test]
fn every_error_of_a_registration_is_reported() {
    let errors = extension::registry(&[Box::new(Careless)]).err();
    let errors = errors.expect("errors").join("\n");
    for part in [
        "`token` cannot be",
        "`pages` cannot be",
        "`No/tes` cannot be",
        "the key `notes`",
        "`dish` of `remarks`",
        "`memos` registers the action `index` twice",
        "names `dishes`: no resource or model has this key",
    ] {
        assert!(errors.contains(part), "{part} in {errors}");
    }
}

/// The number of enabled actions of a resource; `None` for a supporting model.
fn enabled_actions(extension: impl Extension + 'static, key: &str) -> Option<usize> {
    let registry = extension::registry(&[Box::new(extension)]).ok();
    let registry = registry.expect("a registry");
    let resource = registry.find(key).expect("an entry").resource.as_ref();
    resource.map(|resource| resource.enabled().count())
}

#[test]
fn enabled_actions_are_those_registered_and_configured() {
    let all = Dishes::ACTIONS.len();
    assert_eq!(enabled_actions(Kitchen, "dishes"), Some(all));
    assert_eq!(enabled_actions(Kitchen, "tags"), None);
    // `create` is registered, and the controller of notes does not list it.
    assert!(!Notes::ACTIONS.contains(&Action::Create));
    assert_eq!(enabled_actions(Few(|| notes("notes")), "notes"), Some(1));
}

/// Notes as this function registers them, and dishes without routes.
struct Few(fn() -> ApiResource);

impl Extension for Few {
    fn name(&self) -> &'static str {
        "few"
    }

    fn register_api_resources(&self) -> Vec<ApiResource> {
        vec![self.0()]
    }

    fn register_models(&self) -> Vec<SupportingModel> {
        vec![SupportingModel::of::<Tag>("dishes")]
    }

    fn migrations(&self) -> &'static [Migration] {
        Kitchen.migrations()
    }
}

/// A controller without actions: the record of its resource names them.
struct Bare;

impl RestController for Bare {
    parts_of!(Note);

    const PAGE_LIMIT: u32 = 200;
}

#[test]
fn actions_are_registered_by_the_record_and_page_limits_by_the_controller() {
    let bare = || resource! { "notes" "Notes" "" (Bare) ["index" "create:admin" "destroy:admin"] };
    let lines = r#"
        guest GET    /api/notes               => 200 /meta/pagination/per_page 200
        guest GET    /api/notes?pageLimit=201 => 400
        guest POST   /api/notes               => 405
        admin POST   /api/notes               => 405
        guest GET    /api/notes/create        => 401
        admin GET    /api/notes/create        => 200
        guest DELETE /api/notes/1             => 401
        admin DELETE /api/notes/1             => 404"#;
    check(&Service::start(vec![Box::new(Few(bare))]), lines);
}

/// "Only what is registered, configured in the controller and not switched off is routed."
#[test]
fn unregistered_and_disabled_actions_are_not_routed() {
    let service = Service::start(vec![Box::new(Few(|| notes("notes")))]);
    let lines = r#"
        admin GET    /api/notes        @Accept=MEDIA => 200
        admin POST   /api/notes        @Accept=MEDIA => 405 allow: "GET, HEAD"
        admin GET    /api/notes/create @Accept=MEDIA => 404 allow: null
        admin GET    /api/notes/1      @Accept=MEDIA => 404
        admin GET    /api/notes/1/edit @Accept=MEDIA => 404
        admin PUT    /api/notes/1      @Accept=MEDIA => 404
        admin PATCH  /api/notes/1      @Accept=MEDIA => 404
        admin DELETE /api/notes/1      @Accept=MEDIA => 404
        admin GET    /api/dishes       @Accept=MEDIA => 404"#;
    for media in ["application/json", "application/vnd.api+json"] {
        check(&service, &lines.replace("MEDIA", media));
    }
}
