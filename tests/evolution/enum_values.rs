//! A value that an enum does not list any more: rows may hold it.

use formwork_tests::project::Project;

const MANIFEST: &str = "extensions/shop/resources/visits.yaml";
const MIGRATIONS: &str = "extensions/shop/migrations/sqlite";

fn project() -> Project {
    let project = Project::new("bistro");
    let status = "status:enum:requested,booked,confirmed:default=requested";
    project.add("visits", &["day:date:required", status]);
    project
}

fn remove_booked(project: &Project) {
    let before = project.read(MANIFEST);
    let after = before.replace("booked, ", "").replace("booked,", "");
    assert_ne!(before, after, "{before}");
    project.write(MANIFEST, &after);
}

fn migrations(project: &Project) -> Vec<String> {
    let entries = std::fs::read_dir(project.root().join(MIGRATIONS)).expect("a folder");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let texts = paths.iter().map(std::fs::read_to_string);
    texts.map(|text| text.expect("SQL")).collect()
}

#[test]
fn a_removed_value_stops_the_run_and_names_the_choice() {
    let project = project();
    remove_booked(&project);
    let before = project.snapshot();
    for args in [&["generate"][..], &["generate", "--dry-run"]] {
        project
            .run(args)
            .exits(6)
            .says("`booked`")
            .says("was: { booked: requested }")
            .says("--allow-destructive")
            .says(MANIFEST);
    }
    project
        .run(&["generate", "--check"])
        .exits(5)
        .says("`booked`");
    assert_eq!(before, project.snapshot());
    project.run(&["generate", "--allow-destructive"]).exits(0);
    assert_eq!(migrations(&project).len(), 1, "rows keep the value");
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn rows_get_the_value_that_replaces_a_removed_one() {
    let project = project();
    remove_booked(&project);
    let text = project.read(MANIFEST);
    let status = text
        .lines()
        .find(|line| line.trim_start().starts_with("status:"))
        .expect("the attribute");
    let mapped = "    status: { type: \"enum(requested, confirmed)\", default: requested, was: { booked: confirmed } }";
    let after: Vec<&str> = text
        .lines()
        .filter(|line| *line == status || !is_of_status(&text, line))
        .map(|line| if line == status { mapped } else { line })
        .collect();
    project.write(MANIFEST, &(after.join("\n") + "\n"));
    project.run(&["generate"]).exits(0);
    let all = migrations(&project);
    assert_eq!(all.len(), 2, "{all:?}");
    let update = "UPDATE \"visits\" SET \"status\" = 'confirmed' WHERE \"status\" = 'booked';";
    assert!(all[1].contains(update), "{}", all[1]);
    project.run(&["generate", "--check"]).exits(0);
}

/// Whether a line is one of the keys of `status` in the long form.
fn is_of_status(text: &str, line: &str) -> bool {
    let (_, after) = text.split_once("    status:").unwrap_or_default();
    let mut keys = after
        .lines()
        .skip(1)
        .take_while(|line| line.starts_with("      "));
    keys.any(|key| key == line)
}

#[test]
fn a_new_value_is_no_loss() {
    let project = project();
    let before = project.read(MANIFEST);
    project.write(
        MANIFEST,
        &before
            .replace("booked, ", "booked, held, ")
            .replace("booked,c", "booked,held,c"),
    );
    project.run(&["generate"]).exits(0);
    assert_eq!(migrations(&project).len(), 1);
}
