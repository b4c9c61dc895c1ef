//! Reports name a rename (`was:`) as one.

use formwork_tests::project::Ran;

use super::{MANIFEST, MODEL, project};

/// Fails where a renamed thing is said to be new or gone.
#[track_caller]
fn once(ran: Ran, reason: &str) -> Ran {
    let ran = ran.says(&format!("  {reason}\n"));
    for word in ["is new", "is gone"] {
        assert!(!ran.output.contains(word), "{}", ran.output);
    }
    ran
}

#[test]
fn a_renamed_attribute_relation_or_resource_is_named_once() {
    const RELATION: &str = "    cook: { belongs_to: cooks, nullable: false }\n";
    let project = project();
    project.add("cooks", &["name:string:required"]);
    let attributes = "  attributes:\n";
    project.edit(
        MANIFEST,
        attributes,
        &format!("  relations:\n{RELATION}{attributes}"),
    );
    project.run(&["generate", "--allow-destructive"]).exits(0);

    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    label: { type: string, rules: required, was: title }\n",
    );
    let reason = "model.attributes.title was renamed to label";
    let dry = ["generate", "--dry-run"];
    once(project.run(&dry).exits(0), &format!("{MODEL}  {reason}"));
    project.run(&["generate"]).exits(0).says(reason);

    project.edit(
        MANIFEST,
        RELATION,
        "    chef: { belongs_to: cooks, nullable: false, was: cook }\n",
    );
    let reason = "model.relations.cook was renamed to chef";
    once(project.run(&dry).exits(0), &format!("{MODEL}  {reason}"));
    project.run(&["generate"]).exits(0).says(reason);

    let to = "extensions/shop/resources/plates.yaml";
    project.write(to, &format!("was: dishes\n{}", project.read(MANIFEST)));
    project.remove(MANIFEST);
    let reason = "dishes was renamed to plates";
    let new = MODEL.replace("dishes", "plates");
    once(
        project.run(&dry).exits(0),
        &format!("{new} (from {MODEL})  {reason}"),
    );
    let answer = project.run(&["status", "--format", "json"]).exits(0);
    let answer: serde_json::Value = serde_json::from_str(&answer.output).expect("JSON");
    let files = answer["files"].as_array().expect("files");
    let model = files.iter().find(|file| file["path"] == new.as_str());
    assert_eq!(
        model.map(|file| &file["keys"]),
        Some(&serde_json::json!(["was"]))
    );
    once(project.run(&["generate"]).exits(0), reason);
    project.run(&["generate", "--check"]).exits(0);
}
