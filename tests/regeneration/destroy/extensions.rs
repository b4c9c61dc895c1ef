//! Whole extensions.

use super::{CONTROLLER, MANIFEST, MODEL, SET_ASIDE, TEST, migrations, project};

#[test]
fn an_extension_goes_in_two_steps_because_its_crate_drops_its_tables() {
    let project = project();
    let blog = ["generate", "resource", "blog", "posts", "title:string"];
    project.run(&blog).exits(0);
    project.edit(CONTROLLER, "/// Serves", "/// Mine: serves");
    project.edit(MANIFEST, "name: Wines\n", "name: My wines\n");
    project.run(&["generate"]).exits(0);
    let destroy = ["destroy", "extension", "shop"];
    let before = project.snapshot();
    project
        .run(&[&destroy[..], &["--dry-run"]].concat())
        .exits(3);
    assert_eq!(before, project.snapshot());

    let ran = project.run(&destroy).exits(3).says(CONTROLLER);
    ran.says(SET_ASIDE).says("extensions/shop stays");
    assert!(project.has(CONTROLLER) && !project.has(MODEL) && !project.has(TEST));
    for name in ["drop_wines", "drop_beers", "create_wines"] {
        assert_eq!(migrations(&project, name).len(), 1, "{name}");
    }
    project.remove(CONTROLLER);
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);

    project.edit(
        "extensions/shop/Cargo.toml",
        "[dependencies]\n",
        "[dependencies]\n# mine\n",
    );
    project.run(&destroy).exits(0);
    for path in ["Cargo.toml", "migrations", "src/lib.rs", "src/models"] {
        assert!(!project.has(&format!("extensions/shop/{path}")), "{path}");
    }
    assert!(project.has(".formwork/destroyed/shop.toml"));
    for path in ["Cargo.toml", "src/lib.rs"] {
        let text = project.read(path);
        assert!(!text.contains("shop") && text.contains("blog"), "{text}");
    }
    let ran = project.run(&["generate"]).exits(0);
    assert!(!ran.output.contains("note: "), "{}", ran.output);
    project.run(&["generate", "--check"]).exits(0);
    project
        .run(&destroy)
        .exits(2)
        .says("there is no extension `shop`: one of `blog`");
}

#[test]
fn the_notice_of_a_removed_extension_folder_has_an_end() {
    let project = project();
    let blog = ["generate", "resource", "blog", "posts", "title:string"];
    project.run(&blog).exits(0);
    std::fs::remove_dir_all(project.root().join("extensions/shop")).expect("a folder");
    for _ in 0..2 {
        let ran = project.run(&["generate"]).exits(0);
        assert_eq!(
            ran.output.matches("is missing").count(),
            1,
            "{}",
            ran.output
        );
        ran.says("`formwork destroy extension shop` forgets it");
    }
    let ran = project.run(&["destroy", "extension", "shop"]).exits(0);
    ran.says("no migration can drop its tables");
    let ran = project.run(&["generate"]).exits(0);
    assert_eq!(ran.output, "26 files, all as rendered\n");
    assert!(!project.has(".formwork/schema/wines.schema"));
    project.run(&["generate", "--check"]).exits(0);
}
