//! `formwork.yaml`: the poured file and the restaurant's name every key with its default.

use std::collections::BTreeSet;
use std::fs;

use formwork::config::Config;
use formwork_cli::manifest::{Sources, yaml};
use formwork_cli::resolve::resolve;
use formwork_tests::project::Project;
use formwork_vocabulary::config::value_keys;

/// Keys that hold a value.
fn keys() -> impl Iterator<Item = &'static str> {
    value_keys().map(|key| key.name)
}

/// Every key, null: a section that is left out.
#[test]
fn every_key_may_be_null() {
    for key in keys() {
        let mut text = String::new();
        for (depth, part) in key.split('.').enumerate() {
            text.push_str(&format!("\n{}{part}:", "  ".repeat(depth)));
        }
        assert!(Config::from_sources(&text, []).is_ok(), "{key}");
        let sources = Sources::from_texts([("formwork.yaml", text)]);
        assert!(resolve(&sources).is_ok(), "{key}");
    }
}

/// The poured file with its commented keys enabled: `# key: value`.
fn uncommented(text: &str) -> String {
    let line = |line: &str| {
        let (indent, rest) = line.split_once("# ").unwrap_or((line, ""));
        let key = rest.trim_start().split(':').next().unwrap_or_default();
        let is_key = !key.is_empty()
            && key
                .bytes()
                .all(|byte| byte == b'_' || byte.is_ascii_lowercase());
        if indent.trim().is_empty() && rest.contains(':') && is_key {
            format!("{indent}{rest}\n")
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(line).collect()
}

/// The keys a text sets.
fn keys_of(text: &str) -> BTreeSet<String> {
    fn walk(node: &yaml::Node, path: &str, found: &mut BTreeSet<String>) {
        match &node.value {
            yaml::Value::Mapping(pairs, _) => {
                for (key, value) in pairs {
                    let key = key.as_text().expect("a key");
                    let path = if path.is_empty() {
                        key.to_owned()
                    } else {
                        format!("{path}.{key}")
                    };
                    walk(value, &path, found);
                }
            }
            _ => drop(found.insert(path.to_owned())),
        }
    }
    let mut found = BTreeSet::new();
    walk(&yaml::parse(text.as_bytes()).expect("YAML"), "", &mut found);
    found
}

#[test]
fn the_poured_file_names_every_key_with_its_default() {
    let project = Project::new("bistro");
    let text = fs::read_to_string(project.root().join("formwork.yaml")).expect("formwork.yaml");
    let all = uncommented(&text);
    let keys: BTreeSet<String> = keys().map(str::to_owned).collect();
    assert_eq!(keys_of(&all), keys, "{all}");
    let set = |text: &str| {
        let config = Config::from_sources(text, []);
        format!(
            "{:#?}",
            config.unwrap_or_else(|error| panic!("{error}\n{text}"))
        )
    };
    assert_eq!(
        set(&all),
        set(""),
        "what stands in comments is what holds without it"
    );
    assert_eq!(set(&text), set(""));
    let sources = Sources::from_texts([("formwork.yaml", all)]);
    assert!(resolve(&sources).is_ok());
}

/// The examples' files are written by hand, and name every key as well.
#[test]
fn the_examples_files_name_every_key() {
    for example in ["helpdesk", "restaurant"] {
        let path = format!("fixtures/{example}/formwork.yaml");
        let text = fs::read_to_string(formwork_tests::checkout().join(path));
        let text = text.expect("formwork.yaml");
        for key in keys() {
            let name = key.rsplit('.').next().unwrap_or(key);
            let named = text.contains(&format!("{name}:"));
            assert!(named, "{example}: {key}");
        }
    }
}
