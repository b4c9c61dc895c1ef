//! Two people on two branches, with real git: what Formwork owns merges,
//! or one `formwork generate` mends it; what they wrote is theirs to merge.

use formwork_tests::repository::{DISHES, Repository, is_formworks};

const CONTROLLER: &str = "extensions/shop/src/api_resources/dishes/controller.rs";
const REQUEST: &str = "extensions/shop/src/api_resources/dishes/request.rs";

fn assert_formworks(conflicts: &[String]) {
    let others: Vec<_> = conflicts
        .iter()
        .filter(|path| !is_formworks(path))
        .collect();
    assert!(others.is_empty(), "git could not merge {others:?}");
}

#[test]
fn two_resources_in_two_extensions_merge_without_any_conflict_in_the_state() {
    let repository = Repository::with_dishes();
    repository.branch("wines", |mine| drop(mine.make("cellar", "wines").exits(0)));
    repository.branch("tables", |mine| drop(mine.make("rooms", "tables").exits(0)));
    let conflicts = repository.merge(&["wines", "tables"]);
    let state = conflicts
        .iter()
        .filter(|path| path.starts_with(".formwork/lock/") && !path.ends_with("/project.lock"));
    assert_eq!(state.count(), 0, "{conflicts:?}");
    // Both branches add a member at the same place of Cargo.toml: that is theirs to merge.
    let others: Vec<_> = conflicts
        .iter()
        .filter(|path| !is_formworks(path))
        .collect();
    assert!(
        others.iter().all(|path| path.starts_with("Cargo.")),
        "{others:?}"
    );
    if !others.is_empty() {
        let cargo = repository.project.read("Cargo.toml");
        repository.project.write("Cargo.toml", &both_sides(&cargo));
    }
    repository.mend();
    let cargo = repository.project.read("Cargo.toml");
    assert!(
        cargo.contains("extensions/cellar") && cargo.contains("extensions/rooms"),
        "{cargo}"
    );
    let extensions = repository.project.read("src/lib.rs");
    assert!(
        extensions.contains("Cellar") && extensions.contains("Rooms"),
        "{extensions}"
    );
}

#[test]
fn extensions_at_two_places_of_the_workspace_merge_in_cargo_toml() {
    let repository = Repository::with_dishes();
    repository.branch("wines", |mine| drop(mine.make("cellar", "wines").exits(0)));
    repository.branch("guests", |mine| {
        drop(mine.make("tables", "guests").exits(0))
    });
    let conflicts = repository.merge(&["wines", "guests"]);
    assert_formworks(&conflicts);
    repository.mend();
    let cargo = repository.project.read("Cargo.toml");
    let members = "members = [\n    \"extensions/cellar\",\n    \"extensions/shop\",\n    \"extensions/tables\",\n]\n";
    assert!(cargo.contains(members), "{cargo}");
}

/// What an editor's "accept both" makes of conflicts in a TOML file: here the first side, which a
/// run completes.
fn both_sides(text: &str) -> String {
    let mut kept = String::new();
    let mut side = 0;
    for line in text.lines() {
        match line.get(..7) {
            Some("<<<<<<<") => side = 1,
            Some("|||||||") => side = 2,
            Some("=======") if side > 0 => side = 3,
            Some(">>>>>>>") => side = 0,
            _ if side < 2 => kept.push_str(&format!("{line}\n")),
            _ => {}
        }
    }
    kept
}

#[test]
fn two_resources_in_one_extension_are_mended_by_one_run() {
    let repository = Repository::with_dishes();
    repository.branch("wines", |mine| drop(mine.make("shop", "wines").exits(0)));
    repository.branch("beers", |mine| drop(mine.make("shop", "beers").exits(0)));
    let conflicts = repository.merge(&["wines", "beers"]);
    assert_formworks(&conflicts);
    repository.mend();
    for aggregate in ["api_resources/mod.rs", "migrations.rs"] {
        let text = repository
            .project
            .read(&format!("extensions/shop/src/{aggregate}"));
        assert!(
            ["dishes", "wines", "beers"]
                .iter()
                .all(|name| text.contains(name)),
            "{text}"
        );
    }
    let versions = repository.versions("shop");
    assert!(versions.len() == 3 && versions.is_sorted(), "{versions:?}");
}

#[test]
fn attributes_that_both_add_to_one_resource_with_edits_between_are_merged() {
    let repository = Repository::with_dishes();
    repository.branch("notes", |mine| {
        let project = &mine.project;
        project.edit(
            DISHES,
            "description: ",
            "# what the first added\ndescription: ",
        );
        project.edit(
            DISHES,
            "    title: string required\n",
            "    notes: text nullable\n    title: string required\n",
        );
        project.edit(
            REQUEST,
            "/// Validates the bodies of store",
            "/// Checks what is stored",
        );
        mine.run(&["generate"]).exits(0);
    });
    repository.branch("limit", |mine| {
        let project = &mine.project;
        project.edit(DISHES, "page_limit: 20", "page_limit: 30");
        project.edit(CONTROLLER, "/// Serves", "/// Mine: serves");
        mine.run(&["generate"]).exits(0);
    });
    let conflicts = repository.merge(&["notes", "limit"]);
    assert_formworks(&conflicts);
    repository.mend();
    let controller = repository.project.read(CONTROLLER);
    assert!(
        controller.contains("/// Mine: serves") && controller.contains("PAGE_LIMIT: u32 = 30"),
        "{controller}"
    );
    let request = repository.project.read(REQUEST);
    assert!(
        request.contains("/// Checks what is stored") && request.contains("\"notes\""),
        "{request}"
    );
}

#[test]
fn attributes_next_to_each_other_are_the_manifests_conflict_alone() {
    let repository = Repository::with_dishes();
    for name in ["notes", "stars"] {
        repository.branch(name, |mine| {
            let line = format!("    title: string required\n    {name}: text nullable\n");
            mine.project
                .edit(DISHES, "    title: string required\n", &line);
            mine.run(&["generate"]).exits(0);
        });
    }
    let conflicts = repository.merge(&["notes", "stars"]);
    assert!(conflicts.iter().any(|path| path == DISHES), "{conflicts:?}");
    // The manifest is theirs: they take both lines. A run renders the files that follow it.
    let manifest = repository.project.read(DISHES);
    let marks = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"];
    let is_mark = |line: &&str| marks.iter().any(|mark| line.starts_with(mark));
    let both: Vec<&str> = manifest.lines().filter(|line| !is_mark(line)).collect();
    repository.project.write(DISHES, &(both.join("\n") + "\n"));
    repository.run(&["generate"]).exits(0);
    repository.mend();
    let model = repository
        .project
        .read("extensions/shop/src/api_resources/dishes/model.rs");
    assert!(
        model.contains("pub notes") && model.contains("pub stars"),
        "{model}"
    );
    let request = repository.project.read(REQUEST);
    assert!(
        request.contains("\"notes\"") && request.contains("\"stars\""),
        "{request}"
    );
    let versions = repository.versions("shop");
    assert!(versions.len() == 3 && versions.is_sorted(), "{versions:?}");
}

#[test]
fn one_destroys_while_the_other_changes_something_else() {
    let repository = Repository::with_dishes();
    repository.make("shop", "wines").exits(0);
    repository.project.commit("wines");
    repository.branch("gone", |mine| {
        mine.run(&["destroy", "resource", "shop", "wines"]).exits(0);
    });
    repository.branch("limit", |mine| {
        mine.project.edit(
            DISHES,
            "    title: string required\n",
            "    title: string required\n    notes: text nullable\n",
        );
        mine.run(&["generate"]).exits(0);
    });
    let conflicts = repository.merge(&["gone", "limit"]);
    assert_formworks(&conflicts);
    repository.mend();
    let text = repository.project.read("extensions/shop/src/migrations.rs");
    assert!(
        text.contains("drop_wines") && text.contains("add_notes_to_dishes"),
        "{text}"
    );
    assert!(
        !repository
            .project
            .has("extensions/shop/src/api_resources/wines")
    );
}

#[test]
fn one_renames_a_resource_that_was_edited_while_the_other_adds_one() {
    let repository = Repository::with_dishes();
    let mine = "\n/// Mine.\npub const MINE: u32 = 1;\n";
    let controller = repository.project.read(CONTROLLER) + mine;
    repository.project.write(CONTROLLER, &controller);
    repository.project.commit("an edit");
    repository.branch("plates", |mine| {
        let manifest = mine.project.read(DISHES);
        mine.project.remove(DISHES);
        let renamed = manifest.replace("name: Dishes\n", "name: Plates\nwas: dishes\n");
        mine.project
            .write("extensions/shop/resources/plates.yaml", &renamed);
        mine.run(&["generate"]).exits(0);
    });
    repository.branch("wines", |mine| drop(mine.make("shop", "wines").exits(0)));
    let conflicts = repository.merge(&["plates", "wines"]);
    assert_formworks(&conflicts);
    repository.mend();
    let controller = "extensions/shop/src/api_resources/plates/controller.rs";
    let controller = repository.project.read(controller);
    assert!(
        controller.ends_with(mine) && controller.contains("/api/plates"),
        "{controller}"
    );
    let aggregate = repository
        .project
        .read("extensions/shop/src/api_resources/mod.rs");
    assert!(
        aggregate.contains("plates")
            && aggregate.contains("wines")
            && !aggregate.contains("mod dishes"),
        "{aggregate}"
    );
}
