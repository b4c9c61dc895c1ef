//! Arrows that are broken on purpose: the check sees each.

use formwork_tests::checkout;

use crate::arrows::arrows;
use crate::check::{faults, list};
use crate::circles::Graph;
use crate::known;
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

fn faults_of(texts: &Texts, known: &Graph) -> Vec<String> {
    faults(&arrows(&parse(texts)), &RULES, known)
}

fn listed(arrows: &[(&str, &str)]) -> Graph {
    arrows
        .iter()
        .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
        .collect()
}

/// The only fault begins with this.
fn breaks(rows: &str, begin: &str) {
    let found = faults_of(&crate_with(rows), &Graph::new());
    assert!(
        found.len() == 1 && found[0].starts_with(begin),
        "{rows}: {found:#?}"
    );
}

#[test]
fn a_crate_in_order_has_no_fault() {
    assert_eq!(
        faults_of(
            &crate_with("pub(super) fn f(_: super::Value) {}"),
            &Graph::new()
        ),
        [""; 0]
    );
}

#[test]
fn an_arrow_outwards_is_seen_however_it_is_written() {
    let outwards = "data::rows -> http::parse: the layer `data` does not know the layer `http`";
    for rows in [
        "use crate::{other::Other, http::{Request as Asked}};",
        "fn f(_: super::super::http::Request) {}",
        "use super::super::http; fn f(_: http::Request) {}",
        "use crate::Request;",
        "fn f() { vec![crate::Request::new()]; }",
        "mod inner { fn f() { use crate::http::*; Request::new() } }",
        "impl crate::http::Request {}",
    ] {
        let texts = crate_with(rows);
        let found = faults_of(&texts, &Graph::new());
        let glob = found
            .iter()
            .filter(|fault| !fault.starts_with("data::rows -> http: "))
            .count();
        assert!(
            glob == 1 && found.iter().any(|fault| fault.starts_with(outwards)),
            "{rows}: {found:#?}"
        );
    }
    breaks(
        "use crate::app::App;",
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
    let found = faults_of(&texts, &Graph::new());
    assert!(
        found.len() == 1 && found[0].contains("a circle"),
        "{found:#?}"
    );
    let mut texts = crate_with("use super::Value; pub fn read() {}");
    texts.insert(
        "data.rs".to_owned(),
        "mod rows; pub struct Value; fn f() { rows::read() }".to_owned(),
    );
    let found = faults_of(&texts, &Graph::new());
    assert!(
        found.len() == 1 && found[0].starts_with("data -> data::rows -> data: a circle"),
        "{found:#?}"
    );
}

#[test]
fn a_circle_through_methods_is_seen() {
    let told = |outer: &str, inner: &str| {
        let mut texts = crate_with(inner);
        texts.insert("http.rs".to_owned(), outer.to_owned());
        texts.remove("http/parse.rs");
        faults_of(&texts, &Graph::new())
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
    let found = faults_of(&texts, &Graph::new());
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
        faults(&arrows(&parse(&texts)), &kernel, &Graph::new())
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
    breaks(
        "use std::fs; fn f() { fs::write(\"\", \"\") }",
        "data::rows -> std::fs::write: only `app` writes",
    );
    let mut texts = crate_with("");
    texts.insert(
        "http.rs".to_owned(),
        "mod parse; pub use parse::Request; use crate::other::Other;".to_owned(),
    );
    let found = faults_of(&texts, &Graph::new());
    assert!(
        found.len() == 1 && found[0].starts_with("http -> other: paths know no others"),
        "{found:#?}"
    );
}

#[test]
fn a_known_fault_is_let_through_until_it_is_mended() {
    let texts = crate_with("use crate::Request;");
    let wrong = listed(&[("data::rows", "http::parse")]);
    assert_eq!(list(&arrows(&parse(&texts)), &RULES, &Graph::new()), wrong);
    assert_eq!(faults_of(&texts, &wrong), [""; 0]);
    let mended = faults_of(&crate_with(""), &wrong);
    assert_eq!(
        mended,
        ["data::rows -> http::parse: the arrow no longer exists: remove this line"]
    );
    let harmless = listed(&[("app", "http::parse")]);
    let found = faults_of(&crate_with(""), &harmless);
    assert_eq!(
        found,
        ["app -> http::parse: the arrow is no fault any longer: remove this line"]
    );
}

/// The sources of the workspace, with one line more.
#[test]
fn an_arrow_added_to_the_sources_is_seen() {
    let table = [
        (
            &GENERATOR,
            "project.rs",
            "use crate::{exit, plan::{self, Plan as Planned}};",
            "project -> plan: the layer `values` does not know the layer `shaping`",
        ),
        (
            &GENERATOR,
            "resolve/rule.rs",
            "fn broken(path: &str) { std::fs::read(path).ok(); }",
            "resolve::rule -> std::fs: rejecting does not depend on the disk",
        ),
        (
            &DATA,
            "value/text.rs",
            "fn broken(_: super::super::model::Schema) {}",
            "value::text -> model::schema: the layer `values` does not know the layer `tables`",
        ),
        (
            &DATA,
            "error.rs",
            "use axum::http::StatusCode as Broken;",
            "error -> axum: data knows no HTTP",
        ),
        (
            &CORE,
            "action.rs",
            "use crate::routing::Refusal as Broken;",
            "action -> routing::refusal: the layer `access` does not know the layer `http`",
        ),
        (
            &CORE,
            "request/database.rs",
            "fn broken(name: &str) -> String { format!(\"SELECT 1 FROM {name}\") }",
            "request::database -> sql_text: statements stand in `formwork-data`",
        ),
        (
            &CORE,
            "request/database.rs",
            "fn broken() -> &'static str { \"WITH a AS (SELECT 1) SELECT * FROM a\" }",
            "request::database -> sql_text: statements stand in `formwork-data`",
        ),
        (
            &CORE,
            "request/database.rs",
            "fn broken() -> &'static str { concat!(\"SELECT\", \" 1\") }",
            "request::database -> sql_text: statements stand in `formwork-data`",
        ),
        (
            &CORE,
            "request/database.rs",
            "const BROKEN: &str = \"\n    select name\n    from menus\";",
            "request::database -> sql_text: statements stand in `formwork-data`",
        ),
        (
            &CORE,
            "request/database.rs",
            "fn broken(sql: &mut String) { sql.push_str(\" ORDER BY id\"); }",
            "request::database -> sql_text: statements stand in `formwork-data`",
        ),
        (
            &CORE,
            "context.rs",
            "use formwork_data::sqlx::SqlitePool as Broken;",
            "context -> sqlx: drivers are known to `formwork-data` alone",
        ),
        (
            &ADMIN,
            "routes.rs",
            "fn broken(_: super::AdminArea) {}",
            "routes -> lib: the layer `answers` does not know the layer `face`",
        ),
        (
            &OPENAPI,
            "routes.rs",
            "fn broken(_: crate::Described) {}",
            "routes -> lib: the layer `answers` does not know the layer `face`",
        ),
        (
            &VOCABULARY,
            "rule.rs",
            "fn broken() { formwork::config::Config::load(); }",
            "rule -> formwork: generator and runtime stand on the vocabulary",
        ),
    ];
    for (rules, file, line, begin) in table {
        let mut texts = read(&checkout().join(rules.source));
        let known = known::read(rules.name);
        let text = texts.get_mut(file).expect(file);
        text.push_str(line);
        let found = faults(&through_re_exports(arrows(&parse(&texts))), rules, &known);
        assert!(
            found.iter().any(|fault| fault.starts_with(begin)),
            "{line}: {found:#?}"
        );
    }
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
    let known = known::read(CORE.name);
    let found = faults(&through_re_exports(arrows(&parse(&texts))), &CORE, &known);
    let begin = "context -> routing::layers: the layer `kernel` does not know the layer `http`";
    assert!(
        found.iter().any(|fault| fault.starts_with(begin)),
        "{found:#?}"
    );
}
