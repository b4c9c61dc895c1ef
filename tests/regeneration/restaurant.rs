//! The restaurant with its hand-written parts goes through changes of manifests and templates in a
//! row: every line that was written by hand is there afterwards, and it still compiles.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use formwork_tests::project::Project;
use formwork_tests::{checkout, printed};

const MENUS: &str = "extensions/igniter_cart/resources/menus.yaml";
const CATEGORIES: &str = "extensions/igniter_cart/resources/categories.yaml";
const ORDERS: &str = "extensions/igniter_cart/resources/orders.yaml";
const CUSTOMERS: &str = "extensions/igniter_user/resources/customers.yaml";
const LOCATIONS: &str = "extensions/igniter_local/resources/locations.yaml";
const WINES: &str = "extensions/igniter_cart/resources/wines.yaml";

/// What a step changes.
type Step = (&'static str, fn(&Project));

const STEPS: [Step; 13] = [
    ("an attribute", |project| {
        let line = "    menu_description: text nullable|between:2,1028\n";
        project.edit(
            MENUS,
            line,
            &format!("{line}    spiciness: integer nullable|min:0\n"),
        );
    }),
    ("a page limit", |project| {
        set_number(project, ORDERS, "page_limit: ", 35)
    }),
    (
        "a template of the project's own: the controller",
        |project| {
            change_template(
                project,
                "resource/controller.rs.tera",
                "//! {{",
                "//! Upgraded. {{",
            );
        },
    ),
    ("an attribute with a default", |project| {
        let line = "  attributes:\n";
        let points = "    loyalty_points: { type: integer, default: 0, access: admin_write }\n";
        project.edit(CUSTOMERS, line, &format!("{line}{points}"));
    }),
    ("an attribute renamed", |project| {
        let renamed =
            "    heat:\n      type: integer\n      rules: nullable|min:0\n      was: spiciness\n";
        project.edit(MENUS, "    spiciness: integer nullable|min:0\n", renamed);
    }),
    ("a resource", |project| {
        let make = [
            "generate",
            "resource",
            "igniter.cart",
            "wines",
            "wine_name:string:required",
        ];
        project.run(&make).exits(0);
    }),
    ("a rule tightened", |project| {
        project.edit(
            LOCATIONS,
            "location_state: string nullable|max:255",
            "location_state: string nullable|between:2,255",
        );
    }),
    ("a template of the project's own: the model", |project| {
        change_template(
            project,
            "resource/model.rs.tera",
            "//! {{",
            "//! Upgraded. {{",
        );
    }),
    ("a relation, and its other side", |project| {
        let attributes = "  attributes:\n";
        project.edit(WINES, attributes, &format!("  relations:\n    category: {{ belongs_to: categories, column: category_id, include: true }}\n{attributes}"));
        let relations = "  relations:\n";
        project.edit(
            CATEGORIES,
            relations,
            &format!(
                "{relations}    wines: {{ has_many: wines, column: category_id, include: true }}\n"
            ),
        );
    }),
    ("a template of the project's own: the request", |project| {
        change_template(
            project,
            "resource/request.rs.tera",
            "//! {{",
            "//! Upgraded. {{",
        );
    }),
    ("a description, which docs and code repeat", |project| {
        project.edit(
            MENUS,
            "description: Whether guests see the dish.",
            "description: Whether guests see and order the dish.",
        );
    }),
    ("an index", |project| {
        project.edit(
            MENUS,
            "  relations:\n",
            "  indexes: [[menu_status, menu_priority]]\n  relations:\n",
        );
    }),
    ("the resource destroyed again", |project| {
        let relation = "    wines: { has_many: wines, column: category_id, include: true }\n";
        project.edit(CATEGORIES, relation, "");
        project
            .run(&["destroy", "resource", "igniter.cart", "wines"])
            .exits(0);
    }),
];

/// Sets the number after `key`, whatever it was.
fn set_number(project: &Project, path: &str, key: &str, number: u32) {
    let text = project.read(path);
    let (before, after) = text
        .split_once(key)
        .unwrap_or_else(|| panic!("{key} in {path}"));
    let rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
    project.write(path, &format!("{before}{key}{number}{rest}"));
}

/// Takes a template over into the project, and changes its first place of `before`.
fn change_template(project: &Project, template: &str, before: &str, after: &str) {
    project.run(&["templates", "eject", template]).exits(0);
    let path = format!("templates/{template}");
    let text = project.read(&path);
    assert!(text.contains(before), "{text}");
    project.write(&path, &text.replacen(before, after, 1));
}

/// Lines by file: what is on disk, but was not rendered, with how often it occurs.
type Written = BTreeMap<String, BTreeMap<String, usize>>;

/// What is written by hand: lines that the last render does not hold, and files that it does not know.
fn written(root: &Path) -> Written {
    let mut written = Written::new();
    let sources = ["extensions", "src", "tests"].map(|folder| root.join(folder));
    for entry in sources.iter().flat_map(walkdir::WalkDir::new) {
        let entry = entry.expect("a file");
        let path = entry
            .path()
            .strip_prefix(root)
            .expect("below the root")
            .to_string_lossy()
            .into_owned();
        let is_manifest =
            path.ends_with(".yaml") || path.ends_with(".sql") || path.ends_with(".toml");
        if !entry.file_type().is_file() || is_manifest {
            continue;
        }
        let base = fs::read_to_string(root.join(".formwork/base").join(&path)).unwrap_or_default();
        let mut lines = count(&fs::read_to_string(entry.path()).expect("text"));
        for (line, times) in count(&base) {
            if let Some(left) = lines.get_mut(&line) {
                *left = left.saturating_sub(times);
            }
        }
        lines.retain(|_, times| *times > 0);
        if !lines.is_empty() {
            written.insert(path, lines);
        }
    }
    written
}

/// Lines that say something, and how often.
fn count(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

/// Every line that was written by hand is still there.
fn assert_intact(root: &Path, written: &Written, step: &str) {
    for (path, lines) in written {
        let text = fs::read_to_string(root.join(path));
        let text = text.unwrap_or_else(|error| panic!("{step}: {path}: {error}"));
        let there = count(&text);
        for (line, times) in lines {
            let found = there.get(line).copied().unwrap_or(0);
            assert!(found >= *times, "{step}: {path} lost {line:?}\n{text}");
        }
    }
}

#[test]
fn every_hand_written_line_survives_changes_of_manifests_and_templates_in_a_row() {
    let project = Project::copy_of(&checkout().join("fixtures/restaurant"));
    let runtime = checkout().join("runtime").display().to_string();
    project.edit("Cargo.toml", "\"../../runtime\"", &format!("{runtime:?}"));
    project.run(&["generate"]).exits(0);
    let written = written(project.root());
    let lines: usize = written.values().flat_map(BTreeMap::values).sum();
    println!(
        "{lines} lines in {} files are written by hand",
        written.len()
    );
    for (step, change) in STEPS {
        change(&project);
        project.run(&["generate"]).exits(0);
        assert_intact(project.root(), &written, step);
        let before = project.snapshot();
        project.run(&["generate", "--check"]).exits(0);
        project.run(&["generate"]).exits(0);
        assert_eq!(before, project.snapshot(), "{step}");
    }
    let check = [
        "check",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--offline",
    ];
    printed(&mut project.cargo(&check));
}
