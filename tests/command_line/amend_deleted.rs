//! `generate --amend` where a draft was deleted before it was committed.

use super::project;

const ORDERS: &str = "extensions/shop/resources/orders.yaml";
const FOLDER: &str = "extensions/shop/migrations/sqlite";

#[test]
fn a_draft_that_was_deleted_counts_as_a_draft() {
    let project = project();
    project.begin_repository();
    for name in ["orders", "wines"] {
        let args = ["generate", "shop", name, "title:string:required"];
        project.run(&args).exits(0);
    }
    let entries = std::fs::read_dir(project.root().join(FOLDER)).expect("migrations");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let wines = names
        .map(|name| name.to_string_lossy().into_owned())
        .find(|name| name.ends_with("_create_wines.sql"));
    project.remove(&format!("{FOLDER}/{}", wines.expect("a draft")));
    project.edit(
        ORDERS,
        "    title: string required\n",
        "    title: integer required\n",
    );
    project
        .run(&["generate"])
        .exits(6)
        .says("_create_orders and later ones are not committed")
        .says("the same command with `--amend` replaces them");
}
