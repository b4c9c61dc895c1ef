//! Outputs of the project's own (`generate.outputs` in `formwork.yaml`).

use std::fs;

use formwork_tests::checkout;

use super::project;

/// The samples of the guide's page: the settings, the templates, and what is printed.
fn samples() -> [String; 4] {
    let page = fs::read_to_string(checkout().join("docs/guide/templates.md")).expect("the page");
    let nth = |fence: &str, at: usize| {
        let sample = page.split(fence).nth(at).expect("a sample");
        let (sample, _) = sample.split_once("```").expect("its end");
        sample.to_owned()
    };
    [
        nth("```yaml\n", 1),
        nth("```jinja\n", 1),
        nth("```jinja\n", 2),
        nth("```text\n", 1),
    ]
}

const OWN: &str = "templates/resource/event.rs.tera";
const OWN_MODULES: &str = "templates/extension/events.rs.tera";
const EVENT: &str = "extensions/shop/src/events/dishes.rs";

#[test]
fn outputs_of_the_projects_own_are_poured_merged_and_destroyed() {
    let project = project();
    let [settings, template, modules, printed] = samples();
    let config = project.read("formwork.yaml");
    project.write("formwork.yaml", &format!("{config}\n{settings}"));
    project.write(OWN, &template);
    project.write(OWN_MODULES, &modules);
    let ran = project.run(&["generate"]).exits(0);
    assert!(
        ran.output.starts_with(&printed),
        "the guide shows {printed}, and {} is printed",
        ran.output
    );
    let modules = EVENT.replace("dishes", "mod");
    let declared = "//! What happens to the resources of Shop.\n\npub mod dishes;\n";
    assert_eq!(project.read(&modules), declared);
    assert!(project.read(EVENT).contains("pub enum DishEvent"));
    assert!(project.read(EVENT).contains("title: String"));
    project.run(&["generate", "--check"]).exits(0);
    project
        .run(&["templates", "list"])
        .exits(0)
        .says("extensions/{extension}/src/events/{module}.rs");
    // Edits are merged with a changed template.
    project.edit(EVENT, "    Destroyed,", "    /// Gone.\n    Destroyed,");
    project.edit(OWN, "//! Events of", "//! What happens to");
    project.run(&["generate", "--check"]).exits(5);
    project.run(&["generate"]).exits(0);
    let event = project.read(EVENT);
    assert!(
        event.contains("/// Gone.") && event.contains("What happens to"),
        "{event}"
    );
    // Another path moves the edited file.
    project.edit(
        "formwork.yaml",
        "src/events/{module}",
        "src/happenings/{module}",
    );
    project.run(&["generate"]).exits(0);
    let moved = EVENT.replace("events", "happenings");
    assert!(project.read(&moved).contains("/// Gone.") && !project.has(EVENT));
    // A template that renders an empty text makes no file.
    project.write(OWN, "{% if data.table == \"wines\" %}// Wine.{% endif %}\n");
    project
        .run(&["generate", "shop", "wines", "name:string:required"])
        .exits(0);
    let wines = moved.replace("dishes", "wines");
    assert_eq!(project.read(&wines), "// Wine.\n");
    project
        .run(&["destroy", "resource", "shop", "wines"])
        .exits(0);
    assert!(!project.has(&wines));
}

#[test]
fn outputs_that_cannot_be_are_refused_with_their_place() {
    let project = project();
    let config = project.read("formwork.yaml");
    project.write("templates/a.tera", "a\n");
    let refused = |outputs: &str, why: &str| {
        let text = format!("{config}\ngenerate:\n  outputs:\n{outputs}\n");
        let line = text.lines().count();
        project.write("formwork.yaml", &text);
        let ran = project.run(&["generate"]).exits(2).says(why);
        ran.says(&format!("formwork.yaml:{line}:"));
    };
    refused(
        "    - { template: a.tera, path: \"docs/{key}.md\", for: resource }",
        "placeholder",
    );
    refused(
        "    - { template: a.tera, path: \"extensions/{extension}/src/lib.rs\", for: extension }",
        "extension/lib.rs.tera",
    );
    refused(
        "    - { template: a.tera, path: Cargo.TOML, for: project }",
        "project/Cargo.toml.tera",
    );
    refused(
        "    - { template: a.tera, pth: x.md, for: project }",
        "did you mean `path`",
    );
}

#[test]
fn all_mistakes_of_outputs_are_reported_at_once_with_their_places() {
    let project = project();
    let config = project.read("formwork.yaml");
    let line = config.lines().count();
    project.write("templates/a.tera", "a\n");
    let outputs = "\
generate:
  outputs:
    - { template: [a.tera], path: ../b.md, for: projekt }
    - { template: b.tera, path: docs/all.md, for: resource }
    - { template: a.tera, path: c.md, for: project }
    - { template: a.tera, path: Cargo.toml, for: project }
";
    project.write("formwork.yaml", &format!("{config}{outputs}"));
    let mut ran = project.run(&["generate"]).exits(2);
    let expected = [
        (3, "expected"),
        (3, "`../b.md` is not a path of a file below the project"),
        (3, "did you mean `project`?"),
        (4, "there is no file `templates/b.tera`"),
        (4, "`docs/all.md` would be the same file for all of them"),
        (6, "the template `a.tera` is listed twice"),
        (6, "`Cargo.toml` would be poured by two templates"),
    ];
    let places: Vec<usize> = expected.iter().map(|(at, _)| line + at).collect();
    for (_, message) in expected {
        ran = ran.says(message);
    }
    let answer = project.run(&["generate", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer.output).expect("JSON");
    let found = answer["diagnostics"].as_array().expect("diagnostics");
    let lines = found
        .iter()
        .map(|one| one["line"].as_u64().expect("a line"));
    let lines: Vec<usize> = lines.map(|line| line as usize).collect();
    assert_eq!(lines, places, "{answer}");
}

#[test]
fn a_mistake_in_a_template_has_its_place_for_people_and_for_programs() {
    let project = project();
    let config = project.read("formwork.yaml");
    let text =
        "generate:\n  outputs: [{ template: a.tera, path: \"{resource}.md\", for: resource }]\n";
    project.write("formwork.yaml", &format!("{config}\n{text}"));
    for (template, places) in [
        ("\n{% if data.key }}\n", &[(2, 16, "expected %}")][..]),
        ("ä {{ data.nope }}\n", &[(1, 11, "`nope` is not defined")]),
        (
            "{{ data.key | nope }}\n ä {{ data.key | more }}\n",
            &[
                (1, 15, "Unknown filter `nope`"),
                (2, 18, "Unknown filter `more`"),
            ],
        ),
    ] {
        project.write("templates/a.tera", template);
        let mut ran = project.run(&["generate"]).exits(2);
        let answer = project.run(&["generate", "--format", "json"]).exits(2);
        let answer: serde_json::Value = serde_json::from_str(&answer.output).expect("JSON");
        let found = answer["diagnostics"].as_array().expect("diagnostics");
        assert_eq!(found.len(), places.len(), "{answer}");
        for (one, (line, column, message)) in found.iter().zip(places) {
            let place = format!("--> templates/a.tera:{line}:{column}\n");
            ran = ran.says(&place).says("error[E0015]: ").says("= help: ");
            let keys = ["code", "path", "line", "column"].map(|key| one[key].clone());
            let expected = serde_json::json!(["E0015", "templates/a.tera", line, column]);
            assert_eq!(serde_json::json!(keys), expected);
            assert!(
                one["message"]
                    .as_str()
                    .is_some_and(|said| said.contains(message)),
                "{one}"
            );
            assert!(one["help"].is_string(), "{one}");
        }
    }
}
