//! A manifest that is not UTF-8 is rejected, as by `generate`.

use crate::{import, on_sqlite};

#[test]
fn a_manifest_that_is_not_utf8_is_rejected_and_stays() {
    let (database, project) = on_sqlite("CREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT)");
    import(&project, &database, &[]).exits(0);
    let path = project.root().join("extensions/app/resources/tags.yaml");
    let mut bytes = std::fs::read(&path).expect("a manifest");
    bytes.extend(b"# caf\xe9\n");
    std::fs::write(&path, &bytes).expect("written");
    database.run("ALTER TABLE tags ADD COLUMN weight INTEGER");
    import(&project, &database, &[])
        .exits(2)
        .says("extensions/app/resources/tags.yaml: this is not UTF-8");
    assert_eq!(std::fs::read(&path).expect("a manifest"), bytes);
}
