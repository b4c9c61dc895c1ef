//! Running formwork again, by the real binary (regeneration.md): each row of the file table, and the exit statuses.

#[path = "regeneration/chosen.rs"]
mod chosen;
#[cfg(unix)]
#[path = "regeneration/ci.rs"]
mod ci;
#[cfg(unix)]
#[path = "regeneration/meanwhile.rs"]
mod meanwhile;
#[path = "regeneration/migrations.rs"]
mod migrations;
#[path = "regeneration/refused.rs"]
mod refused;
#[path = "regeneration/reports.rs"]
mod reports;
#[path = "regeneration/rows.rs"]
mod rows;
#[path = "regeneration/workspace.rs"]
mod workspace;

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
