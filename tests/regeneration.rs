//! Running formwork again, by the real binary (regeneration.md): each row of the file table, and the exit statuses.

use formwork_tests::project::Project;

const CONTROLLER: &str = "extensions/shop/src/api_resources/dishes/controller.rs";
const MODEL: &str = "extensions/shop/src/api_resources/dishes/model.rs";
const REQUEST: &str = "extensions/shop/src/api_resources/dishes/request.rs";
const MANIFEST: &str = "extensions/shop/resources/dishes.yaml";
const DOCS: &str = "extensions/shop/docs/dishes.md";
/// A line of the docs that follows the manifest.
const PAGES: &str = "Pages hold 20 records unless the client asks otherwise, at most 100.";

fn project() -> Project {
    let project = Project::new("bistro");
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "dishes",
            "title:string:required",
            "price:decimal:15,4:required:min=0",
        ])
        .exits(0);
    project
}

/// What a change of the manifest brings into every file of the resource.
fn add_attribute(project: &Project) {
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    title: string required\n    notes: text nullable\n",
    );
}

#[test]
fn a_second_run_writes_nothing_and_touches_nothing() {
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
        "/// Validates what is stored",
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
fn what_was_there_before_is_never_overwritten() {
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
fn a_file_that_is_as_rendered_is_adopted() {
    let (project, other) = (project(), project());
    other.write(MANIFEST, &project.read(MANIFEST));
    std::fs::remove_dir_all(other.root().join(".formwork")).expect("the state is removed");
    for migration in walkdir::WalkDir::new(other.root().join("extensions/shop/migrations")) {
        let migration = migration.expect("a file");
        if migration.file_type().is_file() {
            std::fs::remove_file(migration.path()).expect("removed");
        }
    }
    other.run(&["generate"]).exits(0);
    other.run(&["generate", "--check"]).exits(0);
}

#[test]
fn both_sides_in_the_same_lines_is_a_conflict_with_markers_and_exit_3() {
    let project = project();
    project.edit(DOCS, PAGES, "Mine");
    project.edit(MANIFEST, "page_limit: 20", "page_limit: 30");
    project.run(&["generate"]).exits(3).says(DOCS);
    let docs = project.read(DOCS);
    for line in [
        "<<<<<<< ",
        "||||||| ",
        "=======",
        ">>>>>>> ",
        "Mine",
        "Pages hold 30",
        PAGES,
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
        .filter(|line| !line.starts_with("Pages hold"));
    project.write(DOCS, &(resolved.collect::<Vec<_>>().join("\n") + "\n"));
    project.run(&["generate"]).exits(0);
    assert!(project.read(DOCS).contains("Mine"));
}

#[test]
fn ours_keeps_and_theirs_takes() {
    for (switch, kept) in [("--ours", "Mine"), ("--theirs", "Pages hold 30")] {
        let project = project();
        project.edit(DOCS, PAGES, "Mine");
        project.edit(MANIFEST, "page_limit: 20", "page_limit: 30");
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
fn what_is_no_longer_rendered_goes_unless_it_is_edited() {
    let project = project();
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "wines",
            "name:string:required",
        ])
        .exits(0);
    let wines = "extensions/shop/src/api_resources/wines/controller.rs";
    project.edit("extensions/shop/docs/wines.md", PAGES, "Mine");
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
fn what_only_a_formatter_changes_is_no_change() {
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

#[test]
fn check_and_dry_run_write_nothing_and_say_what_would_be_done() {
    let project = project();
    add_attribute(&project);
    let before = project.snapshot();
    project
        .run(&["generate", "--check"])
        .exits(5)
        .says("+    pub notes: Option<String>,")
        .says("formwork generate");
    project.run(&["generate", "--dry-run"]).exits(0).says(MODEL);
    project
        .run(&["generate", "--dry-run", "--diff"])
        .exits(0)
        .says("+    pub notes: Option<String>,");
    project.run(&["status"]).exits(0).says(MODEL);
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_report_is_json_where_it_is_asked_for() {
    let project = project();
    add_attribute(&project);
    let ran = project
        .run(&["generate", "--check", "--format", "json"])
        .exits(5);
    let report: serde_json::Value = serde_json::from_str(&ran.output).expect("JSON");
    assert_eq!(
        (&report["version"], &report["exit"]),
        (&1.into(), &5.into()),
        "{report}"
    );
    let files = report["files"].as_array().expect("files");
    let model = files
        .iter()
        .find(|file| file["path"] == MODEL)
        .expect("the model");
    assert_eq!(model["class"], "stale");
    assert_eq!(model["mend"], "formwork generate");
}

#[test]
fn nothing_is_written_when_anything_is_refused() {
    let project = project();
    let before = project.snapshot();
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "wines",
            "name:strng:required",
        ])
        .exits(2)
        .says("string");
    project
        .run(&["generate", "resource", "shop", "docs", "name:string"])
        .exits(2);
    project
        .run(&["generate", "resource", "shop", "dishes", "--table", "other"])
        .exits(2);
    project
        .run(&["generate", "resource", "no/good", "dishes"])
        .exits(2);
    assert_eq!(before, project.snapshot());
    project.edit(MANIFEST, "actions:", "actoins:");
    let before = project.snapshot();
    project
        .run(&["generate"])
        .exits(2)
        .says("did you mean")
        .says(MANIFEST);
    assert_eq!(before, project.snapshot());
}

#[test]
fn what_comes_later_is_refused_and_never_ignored() {
    let project = project();
    for args in [
        vec!["import", "--database-url", "sqlite://x"],
        vec!["new", "other", "--database", "postgres"],
    ] {
        project.run(&args).exits(2).says("not yet");
    }
}

#[test]
fn a_state_of_a_newer_formwork_is_left_alone() {
    let project = project();
    let lock = ".formwork/lock/shop.dishes.lock";
    let text = project.read(lock);
    let newer = text.replacen("formwork 0.", "formwork 99.", 1);
    assert_ne!(text, newer, "{text}");
    project.write(lock, &newer);
    add_attribute(&project);
    let before = project.snapshot();
    project.run(&["generate"]).exits(2).says("99.");
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_git_merge_of_two_branches_is_mended_by_one_run() {
    let project = project();
    let git = |args: &[&str]| {
        let name = [
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.com",
            "-c",
            "commit.gpgsign=false",
        ];
        let output = std::process::Command::new("git")
            .args(name)
            .args(args)
            .current_dir(project.root())
            .output();
        let output = output.expect("git starts");
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let commit = || assert!(git(&["add", "-A"]).0 && git(&["commit", "-qm", "change"]).0);
    assert!(git(&["init", "-q", "-b", "main"]).0);
    commit();
    assert!(git(&["switch", "-qc", "wines"]).0);
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "wines",
            "name:string:required",
        ])
        .exits(0);
    commit();
    assert!(git(&["switch", "-q", "main"]).0);
    project
        .run(&[
            "generate",
            "resource",
            "shop",
            "beers",
            "name:string:required",
        ])
        .exits(0);
    commit();
    let _ = git(&["merge", "-q", "wines"]);
    // Only Formwork's own aggregates may conflict, and a run mends them.
    let (_, conflicted) = git(&["diff", "--name-only", "--diff-filter=U"]);
    let foreign = conflicted.lines().filter(|path| {
        !path.starts_with(".formwork/")
            && !path.ends_with("mod.rs")
            && !path.ends_with("migrations.rs")
    });
    assert_eq!(
        foreign.collect::<Vec<_>>(),
        Vec::<&str>::new(),
        "{conflicted}"
    );
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    let aggregate = project.read("extensions/shop/src/api_resources/mod.rs");
    assert!(
        aggregate.contains("beers") && aggregate.contains("wines") && !aggregate.contains("<<<<"),
        "{aggregate}"
    );
}

#[test]
fn resources_made_at_the_same_time_are_all_registered() {
    let project = Project::new("bistro");
    project.run(&["generate", "extension", "shop"]).exits(0);
    std::thread::scope(|scope| {
        for name in ["cups", "mugs", "pots"] {
            let project = &project;
            scope.spawn(move || {
                let make = ["generate", "resource", "shop", name, "name:string"];
                project.run(&make).exits(0);
            });
        }
    });
    let aggregate = project.read("extensions/shop/src/api_resources/mod.rs");
    for name in ["cups", "mugs", "pots"] {
        assert!(
            aggregate.contains(&format!("pub mod {name};")),
            "{aggregate}"
        );
    }
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_migration_that_the_state_lost_is_listed_all_the_same() {
    let project = project();
    project.remove(".formwork/lock/shop.dishes.lock");
    project.run(&["generate"]);
    let migrations = project.read("extensions/shop/src/migrations.rs");
    assert!(migrations.contains("create_dishes"), "{migrations}");
}
