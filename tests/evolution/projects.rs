//! The same by the real binary: exit statuses, files that follow, branches that merge.

use formwork_tests::project::Project;

const MANIFEST: &str = "extensions/shop/resources/dishes.yaml";
const MIGRATIONS: &str = "extensions/shop/src/migrations.rs";

fn project() -> Project {
    let project = Project::new("bistro");
    let args = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "title:string:required",
        "price:integer:required",
    ];
    project.run(&args).exits(0);
    project
}

/// Names of the migrations the project lists, in order.
fn listed(project: &Project) -> Vec<String> {
    let text = project.read(MIGRATIONS);
    let names = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("name: \""));
    names
        .map(|rest| rest.trim_end_matches("\",").to_owned())
        .collect()
}

#[test]
fn a_destructive_change_is_refused_before_any_file_is_written() {
    let project = project();
    project.edit(MANIFEST, "    price: integer required\n", "");
    let before = project.snapshot();
    let statement = "ALTER TABLE \"dishes\" DROP COLUMN \"price\";";
    project
        .run(&["generate"])
        .exits(6)
        .says(statement)
        .says("--allow-destructive");
    project
        .run(&["generate", "--dry-run"])
        .exits(6)
        .says(statement);
    for args in [
        &["generate", "--check"][..],
        &["generate", "--check", "--format", "json"],
    ] {
        project
            .run(args)
            .exits(5)
            .says("ALTER TABLE")
            .says("stale")
            .says("extensions/shop/src/api_resources/dishes/model.rs")
            .says("-    pub price");
    }
    project
        .run(&["generate", "--check", "--quiet"])
        .exits(5)
        .says(statement);
    project
        .run(&["status"])
        .exits(0)
        .says("extensions/shop/src/api_resources/dishes/model.rs")
        .says(statement);
    assert_eq!(before, project.snapshot());
    // The refusal comes before what cannot be written.
    let model = project
        .root()
        .join("extensions/shop/src/api_resources/dishes/model.rs");
    let rights = std::fs::metadata(&model).expect("a file").permissions();
    let mut read_only = rights.clone();
    read_only.set_readonly(true);
    std::fs::set_permissions(&model, read_only).expect("its rights");
    project.run(&["generate"]).exits(6).says(statement);
    std::fs::set_permissions(&model, rights).expect("its rights");
    project.run(&["generate", "--allow-destructive"]).exits(0);
    assert_eq!(
        listed(&project),
        ["create_dishes", "drop_price_from_dishes"]
    );
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn files_of_a_renamed_resource_follow_it_with_their_edits() {
    let project = project();
    let old = "extensions/shop/src/api_resources/dishes";
    let new = "extensions/shop/src/api_resources/plates";
    let rule = "    const REQUIRED_ABILITIES";
    let mine = format!("    // Guests see all of them.\n{rule}");
    project.edit(&format!("{old}/controller.rs"), rule, &mine);
    let docs = project.read("extensions/shop/docs/dishes.md");
    project.write(
        "extensions/shop/docs/dishes.md",
        &format!("{docs}\nRead this last.\n"),
    );
    let manifest = project.read(MANIFEST);
    project.remove(MANIFEST);
    let renamed = manifest
        .replace("model:\n", "was: dishes\nmodel:\n")
        .replace(
            "title: string required",
            "name: { type: string, rules: required, was: title }",
        );
    project.write("extensions/shop/resources/plates.yaml", &renamed);
    project.run(&["generate", "--check"]).exits(5).says(new);
    project.run(&["generate"]).exits(0);
    let controller = project.read(&format!("{new}/controller.rs"));
    assert!(
        controller.contains("// Guests see all of them.")
            && controller.contains("pub struct Plates;"),
        "{controller}"
    );
    assert!(
        project
            .read("extensions/shop/docs/plates.md")
            .contains("Read this last.")
    );
    assert!(
        !project.has(old)
            && !project.has("extensions/shop/docs/dishes.md")
            && !project.has("tests/shop_dishes.rs")
    );
    assert!(project.has("tests/shop_plates.rs"));
    assert_eq!(
        listed(&project),
        [
            "create_dishes",
            "rename_dishes_to_plates",
            "rename_title_to_name_in_plates"
        ]
    );
    assert!(!project.has(".formwork/lock/shop.dishes.lock"));
    assert!(
        !project.has(".formwork/schema/dishes.schema")
            && project.has(".formwork/schema/plates.schema")
    );
    let lock = project.read(".formwork/lock/shop.plates.lock");
    assert!(
        lock.contains("create_dishes.sql"),
        "emitted ones are kept: {lock}"
    );
    assert!(
        project.has("extensions/shop/migrations/sqlite/20260921141320_create_dishes.sql"),
        "{lock}"
    );
    let before = project.snapshot();
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_resource_alone_is_renamed_as_well() {
    let project = project();
    let manifest = project.read(MANIFEST);
    project.remove(MANIFEST);
    let renamed = manifest.replace("model:\n", "was: dishes\nmodel:\n");
    project.write("extensions/shop/resources/plates.yaml", &renamed);
    project
        .run(&["generate", "resource", "shop", "plates"])
        .exits(0);
    assert_eq!(
        listed(&project),
        ["create_dishes", "rename_dishes_to_plates"]
    );
    assert!(!project.has("extensions/shop/src/api_resources/dishes"));
    assert!(!project.has(".formwork/lock/shop.dishes.lock"));
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn two_branches_that_both_add_migrations_merge_and_stay_in_one_order() {
    let project = project();
    project.begin_repository();
    project.git(&["switch", "-qc", "notes"]);
    project.edit(
        MANIFEST,
        "  attributes:\n",
        "  attributes:\n    notes: text nullable\n",
    );
    project.run(&["generate"]).exits(0);
    project.commit("change");
    project.git(&["switch", "-q", "main"]);
    project.edit(
        MANIFEST,
        "    price: integer required\n",
        "    price: bigint required\n    size: integer nullable\n",
    );
    project.run(&["generate"]).exits(0);
    project.commit("change");
    let _ = project.try_git(&["merge", "-q", "notes"]);
    let conflicted = project.git(&["diff", "--name-only", "--diff-filter=U"]);
    for path in conflicted.lines() {
        let own = path.starts_with(".formwork/") || path.ends_with("migrations.rs");
        if !own {
            // What both branches changed in files of the user's is theirs to settle: here, both.
            let text = project.read(path);
            let lines = text.lines().filter(|line| {
                let marker = ["<<<<<<<", "=======", ">>>>>>>"];
                !marker.iter().any(|marker| line.starts_with(marker))
            });
            project.write(path, &(lines.collect::<Vec<_>>().join("\n") + "\n"));
        }
    }
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    // Both branches emitted their first migration in the same second.
    assert_eq!(
        listed(&project),
        [
            "create_dishes",
            "add_notes_to_dishes",
            "add_size_to_dishes",
            "change_price_in_dishes"
        ]
    );
    let schema = project.read(".formwork/schema/dishes.schema");
    for column in ["notes", "size"] {
        assert_eq!(
            schema.matches(&format!(" {column} ")).count(),
            1,
            "{schema}"
        );
    }
    assert!(
        !schema.contains("<<<<") && schema.contains(" price bigint "),
        "{schema}"
    );
}

#[test]
fn histories_of_tables_with_similar_names_are_separate() {
    let project = Project::new("bistro");
    let make = |key: &str, attribute: &str| {
        let args = ["generate", "resource", "shop", key, attribute];
        project.run(&args).exits(0);
    };
    make("links_to_menus", "label:string:required");
    project.edit(
        "extensions/shop/resources/links_to_menus.yaml",
        "    label: string required\n",
        "    title: { type: string, rules: required, was: label }\n",
    );
    project.run(&["generate"]).exits(0);
    assert_eq!(
        listed(&project)[1],
        "rename_label_to_title_in_links_to_menus"
    );
    make("menus", "title:string");
    assert_eq!(listed(&project)[2], "create_menus");
}
