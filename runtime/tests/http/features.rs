//! The features with pages: their routes answer only if they are on.
//!
//! The same tests run with the default features and, in CI, without these:
//! `FORMWORK_TEST_WITHOUT='admin docs openapi' cargo test -p formwork --no-default-features --features sqlite
//! --test http`.

use std::{fs, path::Path};

use formwork::{config::Config, http::route::Route, prelude::*, testing::Service};

use super::kitchen;
use crate::support::Expect;

/// The features that a run leaves out.
const WITHOUT: &str = "FORMWORK_TEST_WITHOUT";

#[test]
fn features_that_a_run_excludes_are_off() {
    let without = std::env::var(WITHOUT).unwrap_or_default();
    for (feature, is_on) in [
        ("admin", cfg!(feature = "admin")),
        ("docs", cfg!(feature = "docs")),
        ("openapi", cfg!(feature = "openapi")),
    ] {
        let is_off = without.split(' ').any(|it| it == feature);
        assert!(!(is_off && is_on), "{feature} is on");
    }
}

/// The status of each of these, for a browser; where it is 404, it is what an unknown path is.
fn statuses<'p>(service: &Service, paths: &[&'p str]) -> Vec<(&'p str, u16)> {
    let client = service.guest().header("Accept", "text/html");
    let status = |path: &'p str| {
        let answer = client.get(path);
        if answer.status == 404 {
            let unknown = client.get("/nothing-is-called-so");
            assert_eq!(answer.body, unknown.body, "{path}");
            let form = client
                .clone()
                .header("Content-Type", "application/x-www-form-urlencoded");
            let posted = form.send("POST", path, Some("login=a".to_owned()));
            assert_eq!(posted.status, 404, "{path}: {posted}");
        }
        (path, answer.status)
    };
    paths.iter().map(|path| status(path)).collect()
}

#[test]
fn the_admin_area_answers_with_its_feature_alone() {
    let office = Config::from_sources("admin: { path: /office }", []).expect("a configuration");
    let moved = Service::with_config(office, vec![Box::new(kitchen::Kitchen)]);
    let [page, seen] = match cfg!(feature = "admin") {
        true => [303, 200],
        false => [404, 404],
    };
    assert_eq!(
        statuses(
            &kitchen(),
            &["/admin", "/admin/", "/admin/login", "/admin/resources"]
        ),
        [
            ("/admin", page),
            ("/admin/", page),
            ("/admin/login", seen),
            ("/admin/resources", page)
        ]
    );
    assert_eq!(
        statuses(&moved, &["/office", "/office/login"]),
        [("/office", page), ("/office/login", seen)]
    );
    for table in ["api_resources", "admin_sessions"] {
        let there = moved.block_on(moved.app().db().has_table(table));
        assert_eq!(
            there.expect("an answer"),
            cfg!(feature = "admin"),
            "{table}"
        );
    }
    // The registered actions are on, with the admin area and without.
    moved.guest().get("/api/dishes").expect(200);
}

#[test]
fn the_description_and_its_page_answer_with_their_features_alone() {
    let service = kitchen();
    let expected = if cfg!(feature = "docs") { 200 } else { 404 };
    assert_eq!(
        statuses(&service, &["/api/docs"]),
        [("/api/docs", expected)]
    );
    let described = service.guest().get("/api/openapi.json").status;
    let expected = if cfg!(feature = "openapi") { 200 } else { 404 };
    assert_eq!(described, expected);
}

#[tokio::test]
async fn the_paths_of_the_description_and_its_page_are_reserved_with_their_features_alone() {
    struct Pages;
    impl Extension for Pages {
        fn name(&self) -> &'static str {
            "pages"
        }
        fn routes(&self) -> Vec<Route> {
            let page = async |_: Context| Ok(Response::no_content());
            ["/docs", "/docs/{page}", "/openapi.json"]
                .map(|path| Route::get(path, Allow::All, page))
                .into()
        }
    }
    let yaml = "database: { url: 'sqlite::memory:', pool: { max: 1 } }";
    let config = Config::from_sources(yaml, []).expect("a configuration");
    let started = formwork::service(vec![Box::new(Pages)]).start(config).await;
    let told = started.err().map(|error| error.to_string());
    let reserved = told.map_or(0, |told| {
        told.matches("is reserved for the service").count()
    });
    let described = usize::from(cfg!(feature = "openapi"));
    let shown = if cfg!(feature = "docs") { 2 } else { 0 };
    assert_eq!(reserved, described + shown);
}

/// Whether this program, which the runtime is part of, holds the longest part of a file that has no braces:
/// a template is compiled.
fn holds(program: &[u8], file: &str) -> bool {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read(&file).expect("a file");
    let parts = text.split(|byte| b"{}".contains(byte));
    let part = parts.max_by_key(|part| part.len()).expect("a part");
    assert!(part.len() > 60, "too short to be found: {part:?}");
    program.windows(part.len()).any(|window| window == part)
}

#[test]
fn assets_of_disabled_features_are_not_in_the_binary() {
    let program = fs::read(std::env::current_exe().expect("a program")).expect("its bytes");
    for (file, is_on) in [
        ("admin/src/assets/admin.css", cfg!(feature = "admin")),
        ("admin/templates/login.html", cfg!(feature = "admin")),
        ("admin/templates/edit.html", cfg!(feature = "admin")),
        (
            "admin/migrations/sqlite/20260101000020_create_api_resources.sql",
            cfg!(feature = "admin"),
        ),
        (
            "openapi/assets/swagger-ui/swagger-ui-bundle.js.gz",
            cfg!(feature = "docs"),
        ),
        ("openapi/assets/docs/index.html", cfg!(feature = "docs")),
    ] {
        assert_eq!(holds(&program, file), is_on, "{file}");
    }
    // The search finds what is always there.
    assert!(holds(
        &program,
        "core/migrations/sqlite/20260101000000_create_admin_users.sql"
    ));
}
