//! Running formwork again, by the real binary: each row of the file table, the exit statuses, changed templates, and
//! `destroy`.

mod chosen;
#[cfg(unix)]
mod ci;
mod databases;
mod destroy;
#[cfg(unix)]
mod meanwhile;
mod migrations;
mod refused;
mod renames;
mod reports;
mod restaurant;
mod rows;
mod templates;
mod upgrade;
mod workspace;

use std::sync::OnceLock;

use formwork_tests::project::{Files, Project};

const CONTROLLER: &str = "extensions/shop/src/api_resources/dishes/controller.rs";
const MODEL: &str = "extensions/shop/src/api_resources/dishes/model.rs";
const REQUEST: &str = "extensions/shop/src/api_resources/dishes/request.rs";
const MANIFEST: &str = "extensions/shop/resources/dishes.yaml";
const DOCS: &str = "extensions/shop/docs/dishes.md";
/// A line of the docs that follows the manifest.
const SENTENCE: &str = "A dish that guests order.";

/// Returns a project with one resource.
fn project() -> Project {
    static FILES: OnceLock<Files> = OnceLock::new();
    Project::copy_of_one(&FILES, || {
        let project = Project::new("bistro");
        let attributes = ["title:string:required", "price:decimal:15,4:required:min=0"];
        project.add("dishes", &attributes);
        describe(&project, "An API resource for dishes", SENTENCE);
        project.run(&["generate"]).exits(0);
        project
    })
}

/// Another description.
fn describe(project: &Project, before: &str, after: &str) {
    let line = |text| format!("description: {text}\n");
    project.edit(MANIFEST, &line(before), &line(after));
}

/// What a change of the manifest brings into the docs and the controller.
fn change(project: &Project) {
    describe(project, SENTENCE, "A dish that guests love.");
    project.edit(MANIFEST, "abilities: dishes:*", "abilities: kitchen:*");
}

/// What a change of the manifest brings into every file of the resource.
fn add_attribute(project: &Project) {
    project.edit(
        MANIFEST,
        "    title: string required\n",
        "    title: string required\n    notes:\n      type: text\n      rules: nullable\n      description: What the cook says.\n",
    );
}
