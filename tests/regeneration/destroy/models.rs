//! Supporting models.

use super::{migrations, project};

#[test]
fn a_supporting_model_is_destroyed_as_well() {
    let project = project();
    let manifest = "extensions/shop/models/labels.yaml";
    project.write(
        manifest,
        "name: Labels\nmodel:\n  attributes:\n    text: string required\n",
    );
    project.run(&["generate"]).exits(0);
    project
        .run(&["destroy", "model", "shop", "labels"])
        .exits(0);
    assert!(!project.has("extensions/shop/src/models/labels.rs"));
    assert!(
        project.has(".formwork/destroyed/shop.labels.yaml"),
        "it was written by hand"
    );
    assert_eq!(migrations(&project, "drop_labels").len(), 1);
    project.run(&["generate", "--check"]).exits(0);
}

#[test]
fn a_model_is_destroyed_like_a_resource_and_by_its_own_word() {
    let project = project();
    project.write(
        "extensions/shop/models/corks.yaml",
        "model:\n  attributes:\n    kind: string required\n",
    );
    project.run(&["generate"]).exits(0);
    let before = project.snapshot();
    let ran = project.run(&["destroy", "model", "shop", "wines"]).exits(2);
    ran.says("`wines` is a resource: write `formwork destroy resource shop wines`");
    for (kind, word, hint) in [
        ("model", "crks", "did you mean `corks`?"),
        ("resource", "wins", "did you mean `wines`?"),
        // Something of the other kind is named with its command only.
        (
            "model",
            "wins",
            "`wines` is a resource: write `formwork destroy resource shop wines`",
        ),
        (
            "resource",
            "crks",
            "`corks` is a model: write `formwork destroy model shop corks`",
        ),
        ("model", "nothing", "one of `corks`"),
        ("resource", "nothing", "one of `beers` and `wines`"),
    ] {
        let ran = project.run(&["destroy", kind, "shop", word]).exits(2);
        let said = format!("the extension `shop` has no {kind} `{word}`: {hint}\n");
        ran.says(&said);
    }
    project
        .run(&["destroy", "resource", "shop", "corks"])
        .exits(2)
        .says("error: `corks` is a model: write `formwork destroy model shop corks`");
    assert_eq!(before, project.snapshot());
    project.run(&["destroy", "model", "shop", "corks"]).exits(0);
    assert!(!project.has("extensions/shop/src/models/corks.rs"));
    assert_eq!(migrations(&project, "drop_corks").len(), 1);
    assert!(
        project.has(".formwork/destroyed/shop.corks.yaml"),
        "a manifest written by hand is set aside"
    );
    project.run(&["generate", "--check"]).exits(0);
}
