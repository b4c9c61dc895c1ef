//! A manifest that is not UTF-8 is rejected, as by `generate`.

use formwork_tests::project::Project;

use crate::database::Scratch;

#[test]
fn a_manifest_that_is_not_utf8_is_rejected_and_stays() {
    let database = Scratch::sqlite();
    database.run("CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT)");
    let project = Project::new("bistro");
    let import = ["import", "--database-url", database.url()];
    project.run(&import).exits(0);
    let path = project.root().join("extensions/app/resources/tags.yaml");
    let mut bytes = std::fs::read(&path).expect("a manifest");
    bytes.extend(b"# caf\xe9\n");
    std::fs::write(&path, &bytes).expect("written");
    database.run("ALTER TABLE tags ADD COLUMN weight INTEGER");
    project
        .run(&import)
        .exits(2)
        .says("extensions/app/resources/tags.yaml: this is not UTF-8");
    assert_eq!(std::fs::read(&path).expect("a manifest"), bytes);
}
