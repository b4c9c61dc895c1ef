//! Samples of Rust as part of a poured project.
//!
//! A sample becomes a module of the extension, with access to all poured items. `// … as poured` in
//! an `impl` means the poured items: the rest of the poured file comes with them.

use formwork_tests::{checkout, printed, project::Project};

use crate::samples::{self, Sample};

const AS_POURED: &str = "    // … as poured\n";
const SHOP: &str = "extensions/shop/src";
const DISHES: &str = "use crate::api_resources::dishes::";
const RESOURCES: [&str; 3] = ["customers", "dishes", "orders"];

/// The project of the guide's samples.
pub fn project() -> Project {
    let project = Project::new("bistro");
    project.take(&checkout().join("fixtures/guide"));
    add_outputs(&project);
    project.run(&["generate"]).exits(0);
    let lib = format!("{SHOP}/lib.rs");
    project.write(&lib, &(project.read(&lib) + "\npub mod events;\n"));
    project.write("tests/hooks.rs", include_str!("hooks.rs"));
    project.write("tests/samples.rs", include_str!("behaviour.rs"));
    project.write("tests/rows.rs", include_str!("rows.rs"));
    add_dependencies(&project);
    project
}

/// The settings and templates of docs/guide/templates.md, in the order of the page.
fn add_outputs(project: &Project) {
    let mut page = samples::all();
    page.retain(|sample| sample.page == "templates.md");
    let of = |language| page.iter().filter(move |one| one.language == language);
    let settings = &of("yaml").next().expect("settings").text;
    let config = project.read("formwork.yaml");
    project.write("formwork.yaml", &format!("{config}{settings}"));
    let paths = ["resource/event.rs.tera", "extension/events.rs.tera"];
    for (path, template) in paths.iter().zip(of("jinja")) {
        project.write(&format!("templates/{path}"), &template.text);
    }
}

/// Crates that samples need, with features that leave shared crates as they are.
fn add_dependencies(project: &Project) {
    let own = "[dependencies]\nserde.workspace = true\n";
    let crates = "[dependencies]\nfutures-util = { version = \"0.3\", default-features = false, features = [\"std\"] }\n\
        hmac = \"0.13\"\nsha2 = \"0.11\"\ntokio = { version = \"1\", features = [\"time\"] }\n";
    for (path, crates) in [("Cargo.toml", own), ("extensions/shop/Cargo.toml", crates)] {
        let manifest = project.read(path);
        project.write(path, &manifest.replacen("[dependencies]\n", crates, 1));
    }
}

/// Writes a sample into the project.
pub fn add(project: &Project, sample: &Sample) {
    let name = sample.name();
    if sample.text.starts_with("use crate::extensions;") {
        add_service(project, &name, &sample.text);
        return;
    }
    if sample.text.contains("#[test]") {
        project.write(&format!("tests/{name}.rs"), &sample.text);
        return;
    }
    let text = match sample.text.split_once(AS_POURED) {
        Some((before, after)) => in_poured_file(project, sample, before, after),
        None if sample.text.starts_with("//!") => {
            let text = sample.text.replace("use super::", DISHES);
            text.replace("../../../docs/", "../docs/")
        }
        None => format!("{}\n{}", globs(), sample.text),
    };
    project.write(&format!("{SHOP}/{name}.rs"), &text);
    let lib = format!("{SHOP}/lib.rs");
    let module = format!("\n#[allow(unused, missing_docs)]\npub mod {name};\n");
    project.write(&lib, &(project.read(&lib) + &module));
}

/// A `src/service.rs` as a module of the project.
fn add_service(project: &Project, name: &str, text: &str) {
    // The module of the page before it.
    let text = text.replace("shop::mailer::", "shop::guide_own_service_1::");
    project.write(&format!("src/{name}.rs"), &text);
    let module = format!("\n#[allow(unused, missing_docs)]\npub mod {name};\n");
    project.write("src/lib.rs", &(project.read("src/lib.rs") + &module));
}

/// Runs the tests of the project, those of the samples among them.
pub fn test(project: &Project) {
    println!("guide_<page>_<n> is the nth sample of Rust on the page");
    printed(&mut project.test());
}

/// Names that a sample may use without saying so: what a glob brings gives way to its own items.
fn globs() -> String {
    let resources = RESOURCES.map(|it| format!("use crate::api_resources::{it}::*;\n"));
    let own = "use formwork::prelude::*;\nuse crate::{Shop, models::*};\n";
    format!("{own}{}", resources.concat())
}

/// The poured file of the `impl` that the sample is about, with the sample in the place of the `impl`.
fn in_poured_file(project: &Project, sample: &Sample, before: &str, after: &str) -> String {
    let header = before.lines().rfind(|line| line.starts_with("impl "));
    let header = header.unwrap_or_else(|| panic!("{}: no impl", sample.place()));
    let (path, text) = poured_files(project)
        .find(|(_, text)| text.contains(&format!("\n{header}\n")))
        .unwrap_or_else(|| panic!("{}: `{header}` is not poured", sample.place()));
    let (head, rest) = text.split_once(&format!("\n{header}\n")).expect("the impl");
    let (body, tail) = rest.split_once("\n}\n").expect("its end");
    let own = |item: &String| !sample.text.contains(&declaration(item));
    let body: String = items(body).into_iter().filter(own).collect();
    // A sample is two folders above the controller.
    let body = body.replace("../../../docs/", "../docs/");
    let parent = parent(&path);
    let before = before.replace("use super::", &parent);
    let surroundings = format!("{head}\n{tail}").replace("use super::", &parent);
    let lines = surroundings.lines().filter(|line| !is_module(line));
    let surroundings = lines.collect::<Vec<_>>().join("\n");
    format!("{surroundings}\n{before}{body}{after}")
}

fn poured_files(project: &Project) -> impl Iterator<Item = (String, String)> {
    let folders = RESOURCES.map(|it| format!("{SHOP}/api_resources/{it}"));
    let parts = [
        "controller",
        "model",
        "repository",
        "request",
        "transformer",
    ];
    let files = folders
        .into_iter()
        .flat_map(move |folder| parts.map(|it| format!("{folder}/{it}.rs")));
    let files = files.map(|path| (path.clone(), project.read(&path)));
    files.chain([(format!("{SHOP}/lib.rs"), lib(project))])
}

/// The poured `lib.rs`, as a module of the extension.
fn lib(project: &Project) -> String {
    let text = project.read(&format!("{SHOP}/lib.rs"));
    let modules = ["api_resources", "models", "migrations"];
    modules.iter().fold(text, |text, module| {
        text.replace(&format!(" {module}::"), &format!(" crate::{module}::"))
    })
}

/// Where `super` leads to in a poured file.
fn parent(path: &str) -> String {
    let mut parts = path.rsplit('/').skip(1);
    format!(
        "use crate::api_resources::{}::",
        parts.next().unwrap_or_default()
    )
}

fn is_module(line: &str) -> bool {
    line.starts_with("mod ") || line.starts_with("pub mod ")
}

/// The items of a poured `impl`: each ends where its brackets are closed, with `;` or `}`.
fn items(body: &str) -> Vec<String> {
    let (mut items, mut item) = (Vec::new(), String::new());
    for line in body.lines() {
        item.push_str(line);
        item.push('\n');
        let opened = item.matches(['(', '[', '{']).count();
        let closed = item.matches([')', ']', '}']).count();
        if opened == closed && line.ends_with([';', '}']) {
            items.push(std::mem::take(&mut item));
        }
    }
    items
}

/// `fn name(`, `const NAME:` or `type Name `: how the item begins.
fn declaration(item: &str) -> String {
    let words = ["fn ", "const ", "type "];
    let at = words.iter().filter_map(|word| item.find(word)).min();
    let text = &item[at.unwrap_or_default()..];
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let name: String = rest
        .chars()
        .take_while(|it| it.is_alphanumeric() || *it == '_')
        .collect();
    let after = rest[name.len()..].chars().next().unwrap_or(' ');
    format!("{word} {name}{after}")
}
