//! Arrows that are broken on purpose: the check sees each.

use formwork_tests::checkout;

use crate::arrows::arrows;
use crate::check::faults;
use crate::layers::{Never, Only, Rules};
use crate::rules::{ADMIN, CORE, DATA, GENERATOR, OPENAPI, VOCABULARY};
use crate::sources::{Texts, parse, read};
use crate::through_re_exports;

const RULES: Rules = Rules {
    name: "broken",
    source: "",
    levels: &[
        &[("data", "data other")],
        &[("http", "http")],
        &[("face", "app lib")],
    ],
    kernels: &[],
    never: &[Never {
        from: "http",
        to: "other",
        reason: "paths know no others",
    }],
    only: &[Only {
        paths: &["std::fs::write"],
        users: &["app"],
        reason: "only `app` writes",
    }],
};

/// A crate in order, with `data::rows` as this.
fn crate_with(rows: &str) -> Texts {
    let files = [
        (
            "lib.rs",
            "pub mod app; pub mod data; pub mod http; pub mod other; pub use http::Request;",
        ),
        (
            "app.rs",
            "use crate::http::Request; pub struct App(Request); fn f() { std::fs::write(\"\", \"\"); }",
        ),
        ("http.rs", "mod parse; pub use parse::Request;"),
        (
            "http/parse.rs",
            "use crate::data::Value; pub struct Request(Value);",
        ),
        ("data.rs", "mod rows; pub struct Value; pub fn all() {}"),
        ("data/rows.rs", rows),
        ("other.rs", "pub struct Other;"),
    ];
    let owned = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    owned.into_iter().collect()
}

fn faults_of(texts: &Texts) -> Vec<String> {
    faults(&arrows(&parse(texts)), &RULES)
}

/// Asserts that the crate has one fault, which begins with this text.
fn assert_fault(texts: &Texts, begin: &str) {
    let found = faults_of(texts);
    let is_it = found.len() == 1 && found[0].starts_with(begin);
    assert!(is_it, "{texts:#?}: {found:#?}");
}

#[test]
fn a_crate_in_order_has_no_fault() {
    let texts = crate_with("pub(super) fn f(_: super::Value) {}");
    assert_eq!(faults_of(&texts), [""; 0]);
}

#[test]
fn an_arrow_outwards_is_seen_however_it_is_written() {
    let outwards = "data::rows -> http: the layer `data` does not know the layer `http`";
    for rows in [
        "use crate::{other::Other, http::{Request as Asked}};",
        "fn f(_: super::super::http::Request) {}",
        "use super::super::http; fn f(_: http::Request) {}",
        "use crate::Request;",
        "fn f() { vec![crate::Request::new()]; }",
        "mod inner { fn f() { use crate::http::*; Request::new() } }",
        "impl crate::http::Request {}",
    ] {
        assert_fault(&crate_with(rows), outwards);
    }
    assert_fault(
        &crate_with("use crate::app::App;"),
        "data::rows -> app: the layer `data` does not know the layer `face`",
    );
}

#[test]
fn a_circle_is_seen_in_a_layer_and_between_files() {
    let mut texts = crate_with("use crate::other::Other;");
    texts.insert(
        "other.rs".to_owned(),
        "pub struct Other; use crate::data::all;".to_owned(),
    );
    let found = faults_of(&texts);
    assert!(
        found.len() == 1 && found[0].contains("a circle"),
        "{found:#?}"
    );
    let mut texts = crate_with("use super::Value; pub fn read() {}");
    texts.insert(
        "data.rs".to_owned(),
        "mod rows; pub struct Value; fn f() { rows::read() }".to_owned(),
    );
    assert_fault(&texts, "data -> data::rows -> data: a circle");
}

#[test]
fn a_circle_through_methods_is_seen() {
    let told = |outer: &str, inner: &str| {
        let mut texts = crate_with(inner);
        texts.insert("http.rs".to_owned(), outer.to_owned());
        texts.remove("http/parse.rs");
        faults_of(&texts)
    };
    let outer = "pub struct Request; impl crate::data::Value { pub fn go(&self) {} }";
    for inner in [
        "fn f(it: super::Value) { it.go() }",
        "use super::Value; fn f(it: Value) { Value::go(&it) }",
        "use super::Value as V; fn f(it: V) { vec![it.go()]; }",
        "use super::Value; impl Clone for Value { fn clone(&self) -> Self { Self::go(self); Value } }",
    ] {
        let found = told(outer, inner);
        assert!(
            found
                .iter()
                .any(|it| it.starts_with("data::rows -> http: the layer `data`")),
            "{inner}: {found:#?}"
        );
    }
    // Another type's method, or no value of the type.
    let twice = "use super::Value; trait Go { fn go(&self); } fn f(it: Value) { it.go() }";
    assert_eq!(told(outer, twice), [""; 0]);
    assert_eq!(told(outer, "fn f(it: u8) { it.go() }"), [""; 0]);
}

#[test]
fn a_circle_through_the_root_is_seen() {
    let mut texts = crate_with("");
    let lib = "pub mod app; pub mod data; pub mod http; pub mod other; pub use http::Request; \
               pub struct State; fn f() { app::run() }";
    texts.insert("lib.rs".to_owned(), lib.to_owned());
    let app = "use crate::State; pub fn run() {}";
    texts.insert("app.rs".to_owned(), app.to_owned());
    let found = faults_of(&texts);
    assert!(
        found
            .iter()
            .any(|it| it.starts_with("app -> lib -> app: a circle")),
        "{found:#?}"
    );
}

#[test]
fn only_a_kernel_may_be_a_circle() {
    let kernel = Rules {
        kernels: &[&["data", "data::rows"]],
        ..RULES
    };
    let told = |rows: &str, data: &str| {
        let mut texts = crate_with(rows);
        texts.insert("data.rs".to_owned(), data.to_owned());
        let more = "pub fn all() {} use super::Value;";
        texts.insert("data/more.rs".to_owned(), more.to_owned());
        faults(&arrows(&parse(&texts)), &kernel)
    };
    let rows = "use super::Value; pub fn read() {}";
    let data = "mod more; mod rows; pub struct Value; fn f() { rows::read() }";
    assert_eq!(told(rows, data), [""; 0]);
    let idle = told("pub fn read() {}", data);
    assert!(idle[0].starts_with("data: it is in no circle"), "{idle:#?}");
    let through = told(
        "use super::more::all;",
        "mod more; mod rows; pub struct Value; fn f() { rows::read() }",
    );
    assert!(
        through.len() == 2 && through[0].starts_with("data::more -> data: it widens"),
        "{through:#?}"
    );
    let wider = "mod more; mod rows; pub struct Value; fn f() { rows::read(); more::all() }";
    let found = told(rows, wider);
    assert!(
        found.len() == 1 && found[0].starts_with("data -> data::more -> data: a circle"),
        "{found:#?}"
    );
}

#[test]
fn a_reserved_path_is_seen() {
    assert_fault(
        &crate_with("use std::fs; fn f() { fs::write(\"\", \"\") }"),
        "data::rows -> std::fs::write: only `app` writes",
    );
    let mut texts = crate_with("");
    texts.insert(
        "http.rs".to_owned(),
        "mod parse; pub use parse::Request; use crate::other::Other;".to_owned(),
    );
    assert_fault(&texts, "http -> other: paths know no others");
}

/// The sources of the workspace, with some lines more.
#[test]
fn an_arrow_added_to_the_sources_is_seen() {
    #[rustfmt::skip] // a row each line
    let table = [
        (&GENERATOR, "project.rs", "use crate::{exit, plan::{self, Plan as Planned}};",
            "project -> plan: the layer `values` does not know the layer `shaping`"),
        (&GENERATOR, "resolve/rule.rs", "fn broken(path: &str) { std::fs::read(path).ok(); }",
            "resolve::rule -> std::fs: rejecting does not depend on the disk"),
        (&DATA, "value/text.rs", "fn broken(_: super::super::model::Schema) {}",
            "value::text -> model: the layer `values` does not know the layer `tables`"),
        (&DATA, "error.rs", "use axum::http::StatusCode as Broken;", "error -> axum: data knows no HTTP"),
        (&CORE, "action.rs", "use crate::routing::Refusal as Broken;",
            "action -> routing: the layer `access` does not know the layer `http`"),
        (&CORE, "request/database.rs", "fn broken(name: &str) -> String { format!(\"SELECT 1 FROM {name}\") }",
            "request::database -> sql_text: statements stand in `formwork-data`"),
        (&CORE, "context.rs", "use formwork_data::sqlx::SqlitePool as Broken;",
            "context -> sqlx: drivers are known to `formwork-data` alone"),
        (&ADMIN, "routes.rs", "fn broken(_: super::AdminArea) {}",
            "routes -> lib: the layer `answers` does not know the layer `face`"),
        (&OPENAPI, "page.rs", "fn broken(_: crate::Described) {}",
            "page -> lib: the layer `routes` does not know the layer `face`"),
        (&VOCABULARY, "rule.rs", "fn broken() { formwork::config::Config::load(); }",
            "rule -> formwork: generator and runtime stand on the vocabulary"),
    ];
    for rules in [&VOCABULARY, &DATA, &CORE, &OPENAPI, &ADMIN, &GENERATOR] {
        let mut texts = read(&checkout().join(rules.source));
        let rows = table.iter().filter(|row| row.0.name == rules.name);
        for (_, file, line, _) in rows.clone() {
            texts.get_mut(*file).expect(file).push_str(line);
        }
        let found = faults(&through_re_exports(arrows(&parse(&texts))), rules);
        for (_, _, line, begin) in rows {
            let is_seen = found.iter().any(|fault| fault.starts_with(begin));
            assert!(is_seen, "{line}: {found:#?}");
        }
    }
}

/// `decisions` names the state, so a context that names `decisions` would draw it into the circle of the kernel.
#[test]
fn a_kernel_that_grows_is_seen() {
    let mut texts = read(&checkout().join(CORE.source));
    let context = texts.get_mut("context.rs").expect("a file");
    context.push_str("fn broken(_: crate::decisions::DecisionsInUse) {}");
    let found = faults(&through_re_exports(arrows(&parse(&texts))), &CORE);
    let grows = |fault: &String| fault.contains("decisions") && fault.contains("circle");
    assert!(found.iter().any(grows), "{found:#?}");
}

/// A method of the kernel's state that is declared among the outermost files.
#[test]
fn a_method_added_further_out_is_seen() {
    let mut texts = read(&checkout().join(CORE.source));
    let mut add = |file: &str, line: &str| texts.get_mut(file).expect(file).push_str(line);
    add(
        "routing/layers.rs",
        "impl crate::state::ServiceState { pub(crate) fn broken_up(&self) {} }",
    );
    add(
        "context.rs",
        "impl Context { fn broken(&self) { self.app().broken_up() } }",
    );
    let found = faults(&through_re_exports(arrows(&parse(&texts))), &CORE);
    let begin = "context -> routing::layers: the layer `kernel` does not know the layer `http`";
    assert!(
        found.iter().any(|fault| fault.starts_with(begin)),
        "{found:#?}"
    );
}
