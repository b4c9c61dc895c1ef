//! Templates evolve: a next Formwork's changed templates merge into
//! edited projects, a renamed output moves the edited file, and ejected templates are merged as well.

mod data;
mod outputs;

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use formwork_tests::checkout;
use formwork_tests::project::{Files, Project, Ran};
use tempfile::TempDir;

const TEMPLATE: &str = "resource/controller.rs.tera";
const EJECTED: &str = "templates/resource/controller.rs.tera";
const CONTROLLER: &str = "extensions/shop/src/api_resources/dishes/controller.rs";
const DOCS: &str = "extensions/shop/docs/dishes.md";
const HOOK: &str = "\n    async fn before_save(&self, _ctx: &Context, dish: &mut Dish) -> Result<()> {\n        dish.title = dish.title.trim().to_owned();\n        Ok(())\n    }\n";

fn project() -> Project {
    static FILES: OnceLock<Files> = OnceLock::new();
    Project::copy_of_one(&FILES, || {
        let project = Project::new("bistro");
        project.add("dishes", &["title:string:required"]);
        project
    })
}

fn built_in(template: &str) -> String {
    fs::read_to_string(checkout().join("templates").join(template)).expect("a built-in template")
}

/// The templates of the next Formwork.
struct Next(TempDir);

impl Next {
    fn new() -> Next {
        Next(TempDir::new().expect("a temporary folder"))
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file is written");
    }

    /// Replaces the only occurrence of `before` in a built-in template.
    fn change(&self, template: &str, before: &str, after: &str) {
        let text = built_in(template);
        assert_eq!(text.matches(before).count(), 1, "{before:?} in {text}");
        self.write(template, &text.replace(before, after));
    }

    fn run(&self, project: &Project, args: &[&str]) -> Ran {
        project.run_with(args, &[("FORMWORK_BUILT_IN_TEMPLATES", self.0.path())])
    }
}

fn add_hook(project: &Project) {
    let last = "    const REQUIRED_ABILITIES: &'static [&'static str] = &[\"dishes:*\"];\n";
    project.edit(CONTROLLER, last, &format!("{last}{HOOK}"));
}

#[test]
fn the_next_formworks_template_merges_into_an_edited_file() {
    let (project, next) = (project(), Next::new());
    add_hook(&project);
    next.change(
        TEMPLATE,
        "/// Serves `",
        "/// A resource controller.\n///\n/// Serves `",
    );
    next.run(&project, &["generate", "--check"])
        .exits(5)
        .says(CONTROLLER);
    next.run(&project, &["generate"]).exits(0).says("merged");
    let text = project.read(CONTROLLER);
    assert!(
        text.contains(HOOK) && text.contains("/// A resource controller.\n///\n/// Serves"),
        "{text}"
    );
    let before = project.snapshot();
    next.run(&project, &["generate"]).exits(0);
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_renamed_output_moves_the_edited_file() {
    let (project, next) = (project(), Next::new());
    project.write(DOCS, &format!("Of the house.\n\n{}", project.read(DOCS)));
    let notes = "{%- if resource.api.docs.notes %}";
    let more = format!("\n\n## What it answers\n{notes}");
    next.change("resource/docs.md.tera", notes, &more);
    next.write(
        "outputs",
        "resource/docs.md.tera extensions/<folder>/guide/<key>.md\n",
    );
    let moved = "extensions/shop/guide/dishes.md";
    next.run(&project, &["generate", "--dry-run"])
        .exits(0)
        .says(moved);
    next.run(&project, &["generate"]).exits(0);
    assert!(!project.has(DOCS) && !project.has(&format!(".formwork/base/{DOCS}")));
    let text = project.read(moved);
    assert!(
        text.contains("Of the house.") && text.contains("## What it answers"),
        "{text}"
    );
    next.run(&project, &["generate", "--check"]).exits(0);
}

#[test]
fn a_renamed_output_moves_a_file_that_nobody_edited() {
    let (project, next) = (project(), Next::new());
    let text = project.read(DOCS);
    next.write(
        "outputs",
        "resource/docs.md.tera extensions/<folder>/guide/<key>.md\n",
    );
    next.run(&project, &["generate"]).exits(0).says("moved");
    assert_eq!(project.read("extensions/shop/guide/dishes.md"), text);
    assert!(!project.has(DOCS));
}

#[test]
fn an_ejected_template_is_merged_with_the_built_in_one_when_that_changes() {
    let (project, next) = (project(), Next::new());
    add_hook(&project);
    project
        .run(&["templates", "eject", TEMPLATE])
        .exits(0)
        .says(EJECTED);
    assert_eq!(project.read(EJECTED), built_in(TEMPLATE));
    project.run(&["generate", "--check"]).exits(0);
    project.edit(
        EJECTED,
        "    type Model =",
        "    // Ours.\n    type Model =",
    );
    project.run(&["generate"]).exits(0);
    assert!(
        project
            .read(CONTROLLER)
            .contains("    // Ours.\n    type Model")
    );
    // The next Formwork changes another line: template and controller get both, in one run.
    next.change(
        TEMPLATE,
        "/// Serves `",
        "/// A resource controller. Serves `",
    );
    next.run(&project, &["generate", "--check"])
        .exits(5)
        .says(EJECTED);
    next.run(&project, &["generate"]).exits(0).says(EJECTED);
    for path in [EJECTED, CONTROLLER] {
        let text = project.read(path);
        assert!(
            text.contains("// Ours.") && text.contains("/// A resource controller."),
            "{path}: {text}"
        );
    }
    assert!(project.read(CONTROLLER).contains(HOOK));
    let before = project.snapshot();
    next.run(&project, &["generate"]).exits(0);
    next.run(&project, &["generate", "--check"]).exits(0);
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_conflict_in_an_ejected_template_leaves_its_poured_files_unchanged() {
    let (project, next) = (project(), Next::new());
    project.run(&["templates", "eject", TEMPLATE]).exits(0);
    project.edit(EJECTED, "/// Serves `", "/// Mine. Serves `");
    project.run(&["generate"]).exits(0);
    next.change(
        TEMPLATE,
        "/// Serves `",
        "/// A resource controller. Serves `",
    );
    next.run(&project, &["generate"]).exits(3).says(EJECTED);
    let text = project.read(EJECTED);
    assert!(
        text.contains("<<<<<<< ours")
            && text.contains("Mine.")
            && text.contains("A resource controller."),
        "{text}"
    );
    let controller = project.read(CONTROLLER);
    assert!(
        controller.contains("/// Mine. Serves") && !controller.contains("<<<<"),
        "{controller}"
    );
    next.run(&project, &["generate"]).exits(4).says(EJECTED);
    // Resolved to both lines.
    let resolved: String = text
        .lines()
        .filter(|line| !is_marker_or_base(line))
        .map(|line| format!("{line}\n"))
        .collect();
    project.write(EJECTED, &resolved);
    next.run(&project, &["generate"]).exits(0);
    assert!(project.read(CONTROLLER).contains("A resource controller."));
}

fn is_marker_or_base(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| line.starts_with(mark))
        || line.starts_with("/// Serves `")
}

#[test]
fn one_resource_alone_takes_the_merged_template_as_well() {
    let (project, next) = (project(), Next::new());
    project.run(&["templates", "eject", TEMPLATE]).exits(0);
    next.change(
        TEMPLATE,
        "/// Serves `",
        "/// A resource controller. Serves `",
    );
    next.run(&project, &["generate", "resource", "shop", "dishes"])
        .exits(0);
    assert!(project.read(EJECTED).contains("A resource controller."));
    assert!(project.read(CONTROLLER).contains("A resource controller."));
    next.run(&project, &["generate", "--check"]).exits(0);
}

#[test]
fn templates_are_listed_compared_and_given_back() {
    let project = project();
    project
        .run(&["templates", "list"])
        .exits(0)
        .says(TEMPLATE)
        .says("built-in");
    project.run(&["templates", "eject", EJECTED]).exits(0);
    project.run(&["templates", "list"]).exits(0).says("ejected");
    assert_eq!(project.run(&["templates", "diff"]).exits(0).output, "");
    project.edit(
        EJECTED,
        "    type Model =",
        "    // Ours.\n    type Model =",
    );
    project
        .run(&["templates", "diff"])
        .exits(0)
        .says("+    // Ours.");
    let listed = project
        .run(&["templates", "list", "--format", "json"])
        .exits(0);
    let listed: serde_json::Value = serde_json::from_str(&listed.output).expect("JSON");
    let rows = listed["templates"].as_array().expect("templates");
    let row = rows
        .iter()
        .find(|row| row["template"] == TEMPLATE)
        .expect("the controller's");
    assert_eq!(row["standing"], "ejected, edited");
    // Ejecting again keeps edits.
    project.run(&["templates", "eject", TEMPLATE]).exits(0);
    assert!(project.read(EJECTED).contains("// Ours."));
    // Without the file, the built-in one is used again, and the state forgets it.
    project.remove(EJECTED);
    project.run(&["generate"]).exits(0);
    project.run(&["templates", "list"]).exits(0);
    assert!(!Path::new(&project.root().join(".formwork/base").join(EJECTED)).exists());
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_template_of_ones_own_is_never_overwritten_by_ejecting() {
    let project = project();
    project.write(EJECTED, "//! {{ resource.title }}\n");
    project
        .run(&["templates", "eject", TEMPLATE])
        .exits(3)
        .says(EJECTED);
    assert_eq!(project.read(EJECTED), "//! {{ resource.title }}\n");
    project
        .run(&["templates", "eject", "resource/controler.rs.tera"])
        .exits(2)
        .says(TEMPLATE);
}

#[test]
fn unused_own_templates_are_ignored_and_a_misspelt_name_is_reported() {
    let project = project();
    project.write("templates/email/welcome.tera", "{% nonsense");
    project.write("templates/resource/controler.rs.tera", "mine");
    let meant = "did you mean templates/resource/controller.rs.tera?";
    project.run(&["generate"]).exits(0).says(meant);
    project.run(&["templates", "diff"]).exits(0);
    project.remove("templates/resource/controler.rs.tera");
    // A mistake in one that is used is wrong usage.
    project.write(EJECTED, "{% nonsense");
    project.run(&["generate"]).exits(2).says(EJECTED);
}
