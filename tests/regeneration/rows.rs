//! The rows of the file table.

use formwork_tests::project::Project;

use super::{CONTROLLER, DOCS, MODEL, REQUEST, SENTENCE, add_attribute, change, project};

#[test]
fn a_second_run_writes_no_file() {
    let project = project();
    let before = project.snapshot();
    project.run(&["generate"]).exits(0);
    project
        .run(&["generate", "resource", "shop", "Dish"])
        .exits(0);
    project.run(&["generate", "--check"]).exits(0);
    project.run(&["status"]).exits(0);
    assert_eq!(before, project.snapshot());
}

#[test]
fn an_attribute_added_to_a_manifest_is_merged_into_edited_files_and_migrated() {
    let project = project();
    project.edit(
        CONTROLLER,
        "    const REQUIRED_ABILITIES",
        "    async fn before_save(&self, _ctx: &Context, dish: &mut Dish) -> Result<()> {\n        dish.title = dish.title.trim().to_owned();\n        Ok(())\n    }\n\n    const REQUIRED_ABILITIES",
    );
    project.edit(
        REQUEST,
        "/// Validates the bodies of store",
        "/// Checks what is stored",
    );
    add_attribute(&project);
    project.run(&["generate", "--check"]).exits(5).says(MODEL);
    project.run(&["generate"]).exits(0).says("merged");
    assert!(project.read(CONTROLLER).contains("dish.title.trim()"));
    let request = project.read(REQUEST);
    assert!(
        request.contains("/// Checks what") && request.contains("\"notes\""),
        "{request}"
    );
    assert!(project.read(MODEL).contains("pub notes: Option<String>"));
    let migrations = project.read("extensions/shop/src/migrations.rs");
    assert!(
        migrations.contains("create_dishes") && migrations.contains("add_notes_to_dishes"),
        "{migrations}"
    );
    let before = project.snapshot();
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    assert_eq!(before, project.snapshot());
}

#[test]
fn existing_files_are_never_overwritten() {
    let project = Project::new("bistro");
    project.write(CONTROLLER, "// mine\n");
    let make = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "title:string:required",
    ];
    project.run(&make).exits(3).says(CONTROLLER);
    assert_eq!(project.read(CONTROLLER), "// mine\n");
    assert!(project.has(MODEL), "the other files are written");
    project
        .run(&["generate", "--check"])
        .exits(5)
        .says("conflicted");
    project.run(&["generate", "--adopt"]).exits(0);
    assert_eq!(project.read(CONTROLLER), "// mine\n");
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn theirs_takes_the_render_over_a_foreign_file() {
    let project = Project::new("bistro");
    project.write(CONTROLLER, "// mine\n");
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "dishes",
            "title:string:required",
        ])
        .exits(3);
    project.run(&["generate", "--theirs"]).exits(0);
    assert!(
        project
            .read(CONTROLLER)
            .contains("impl RestController for Dishes")
    );
}

#[test]
fn both_sides_in_the_same_lines_is_a_conflict_with_markers_and_exit_3() {
    let project = project();
    project.edit(DOCS, SENTENCE, "Mine");
    change(&project);
    project.run(&["generate"]).exits(3).says(DOCS);
    let docs = project.read(DOCS);
    for line in [
        "<<<<<<< ",
        "||||||| ",
        "=======",
        ">>>>>>> ",
        "Mine",
        "A dish that guests love.",
        SENTENCE,
    ] {
        assert!(docs.contains(line), "{line:?}: {docs}");
    }
    let before = project.snapshot();
    project.run(&["generate"]).exits(4).says(DOCS);
    assert_eq!(
        before,
        project.snapshot(),
        "nothing is written while markers stand"
    );
    let resolved = docs
        .lines()
        .filter(|line| {
            !["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
                .iter()
                .any(|mark| line.starts_with(mark))
        })
        .filter(|line| !line.starts_with("A dish that"));
    project.write(DOCS, &(resolved.collect::<Vec<_>>().join("\n") + "\n"));
    project.run(&["generate"]).exits(0);
    assert!(project.read(DOCS).contains("Mine"));
}

#[test]
fn ours_keeps_the_edit_and_theirs_takes_the_render() {
    for (switch, kept) in [("--ours", "Mine"), ("--theirs", "guests love")] {
        let project = project();
        project.edit(DOCS, SENTENCE, "Mine");
        change(&project);
        project.run(&["generate", switch]).exits(0);
        assert!(project.read(DOCS).contains(kept), "{switch}");
        project.run(&["generate", "--check"]).exits(0);
    }
}

#[test]
fn a_deleted_file_stays_deleted_until_it_is_restored() {
    let project = project();
    project.remove(DOCS);
    project.run(&["generate"]).exits(0);
    assert!(!project.has(DOCS));
    project.run(&["generate", "--check"]).exits(0);
    add_attribute(&project);
    project.run(&["generate"]).exits(0).says(DOCS);
    assert!(!project.has(DOCS));
    project.run(&["generate", "--restore"]).exits(0);
    assert!(project.read(DOCS).contains("`notes`"));
}

#[test]
fn a_file_that_is_no_longer_rendered_is_deleted_unless_it_is_edited() {
    let project = project();
    project.add("wines", &["name:string:required"]);
    let wines = "extensions/shop/src/api_resources/wines/controller.rs";
    project.edit("extensions/shop/docs/wines.md", "# Wines", "# Mine");
    project.remove("extensions/shop/resources/wines.yaml");
    project.run(&["generate"]).exits(3).says("docs/wines.md");
    assert!(!project.has(wines));
    assert!(
        project
            .read("extensions/shop/docs/wines.md")
            .contains("Mine")
    );
    assert!(
        !project
            .read("extensions/shop/src/api_resources/mod.rs")
            .contains("wines")
    );
    project.remove("extensions/shop/docs/wines.md");
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn reformatting_is_no_edit() {
    let project = project();
    project.write("rustfmt.toml", "max_width = 60\nhard_tabs = true\n");
    let status = std::process::Command::new("cargo")
        .args(["fmt", "--all"])
        .current_dir(project.root())
        .status();
    assert!(status.expect("cargo starts").success());
    assert!(
        project.read(CONTROLLER).contains("\n\ttype Model"),
        "the user's own format"
    );
    project.run(&["generate", "--check"]).exits(0);
    add_attribute(&project);
    project.run(&["generate"]).exits(0);
    assert!(
        project
            .read(MODEL)
            .contains("\n\tpub notes: Option<String>"),
        "{}",
        project.read(MODEL)
    );
}
