//! What `generate resource` and `generate model` understand.

use formwork_tests::project::{Project, Ran};
use serde_json::Value;

use super::{json, project};

/// The lines of a manifest that the attributes became.
#[track_caller]
fn written(attributes: &[&str]) -> String {
    let project = Project::new("bistro");
    let args = [&["generate", "resource", "shop", "dishes"], attributes].concat();
    project.run(&args).exits(0);
    let text = project.read("extensions/shop/resources/dishes.yaml");
    let (_, text) = text.split_once("attributes:\n").expect("attributes");
    text.split_once("actions:").expect("actions").0.to_owned()
}

#[track_caller]
fn refused(attribute: &str) -> Ran {
    let project = project();
    let ran = project.run(&["generate", "resource", "shop", "wines", attribute]);
    assert!(!project.has("extensions/shop/resources/wines.yaml"));
    ran.exits(2).says(attribute)
}

#[test]
fn forms_that_people_try_are_understood() {
    let expected = "\
    price: decimal(15,4) required
    total: \"decimal(15,4)\"
    title: string(40) unique|required
    email: { type: string, rules: required, index: true }
    status: { type: \"enum(open, closed)\", default: \"open\" }
    stars: { type: integer, rules: \"min:1\", default: 3 }
    from: { type: time, default: \"09:30\" }
    shown: { type: boolean, access: read_only, default: true }
";
    let written = written(&[
        "price:decimal:required",
        "total:money",
        "title:string:40:unique:required",
        "email:string:required:index",
        "status:enum:open,closed:default=open",
        "stars:integer:default:3:min=1",
        "from:time:default=09:30",
        "shown:boolean:default=true:read_only",
    ]);
    for line in expected.lines() {
        let (name, fields) = line.trim_start().split_once(": ").expect("an entry");
        let same = |one: &str| {
            let mut fields: Vec<&str> = one.trim_matches(['{', '}', ' ']).split(", ").collect();
            fields.sort_unstable();
            fields.join(", ")
        };
        let found = written
            .lines()
            .find_map(|one| one.trim_start().strip_prefix(&format!("{name}: ")));
        assert_eq!(found.map(same), Some(same(fields)), "{written}");
    }
}

#[test]
fn belongs_to_is_a_reference() {
    let project = project();
    let args = [
        "generate",
        "resource",
        "shop",
        "orders",
        "dish:belongs_to:dishes",
    ];
    project.run(&args).exits(0);
    let text = project.read("extensions/shop/resources/orders.yaml");
    assert!(
        text.contains(
            "dish: { belongs_to: dishes, column: dish_id, nullable: false, include: true }"
        ),
        "{text}"
    );
    let manifest = "extensions/shop/resources/orders.yaml";
    let check = &["manifest", "check"];
    assert_eq!(project.run(check).exits(0).errors, "");
    project.edit(manifest, ", nullable: false", "");
    project
        .run(check)
        .exits(0)
        .says("warning[E0062]")
        .says(&format!("{manifest}:7:5"));
    // The other commands leave the advice out.
    assert_eq!(project.run(&["generate"]).exits(0).errors, "");
}

#[test]
fn unknown_shorthand_is_refused_with_a_correction() {
    refused("weight:decimal:6:nullable").says("write `decimal:6,2`");
    refused("guest:guests").says("`references:KEY`");
    refused("dishes:has_many:dishes")
        .says("write `dishes: { has_many: dishes }` below `relations:`");
    refused("title:string:defalt=x").says("did you mean `default`?");
    refused("title:string:default=").says("write `default=VALUE`");
    for word in ["title", "title:"] {
        refused(word)
            .says("the type is missing")
            .says("write `title:string`");
    }
    for word in ["title:string:", "title:string::required", "size:enum:"] {
        refused(word).says("a rule is missing behind a `:`");
    }
    refused("title:string:access=hiden").says("write its word alone: `write`");
    for word in ["", ":string"] {
        refused(word).says("the name is missing");
    }
}

#[test]
fn mistakes_point_at_the_words_that_were_typed() {
    let line = "formwork generate resource shop wines maker:references:makers title:string:min=x";
    let args: Vec<&str> = line.split(' ').skip(1).collect();
    let project = project();
    let ran = project.run(&args).exits(2);
    let shown: Vec<&str> = ran
        .errors
        .lines()
        .filter(|line| line.contains("| formwork"))
        .collect();
    assert_eq!(
        shown,
        [format!("1 | {line}"), format!("1 | {line}")],
        "{}",
        ran.errors
    );
    assert!(!ran.errors.contains("wines.yaml"), "{}", ran.errors);
    let marker = format!(
        "{}^^^^^^^^^^^^^^^^^^^^^^^",
        " ".repeat(line.find("maker").expect("it") + 1)
    );
    assert!(
        ran.errors.contains(&format!("  |{marker}")),
        "{}",
        ran.errors
    );
    let answer = json(&project.run(&[&args[..], &["--format", "json"]].concat()));
    let columns = answer["diagnostics"].as_array().expect("mistakes").iter();
    let columns: Vec<Option<u64>> = columns.map(|one| one["column"].as_u64()).collect();
    let column = |word: &str| line.find(word).map(|at| at as u64 + 1);
    assert_eq!(columns, [column("maker"), column("title")]);

    // What no attribute says comes from the name, or from an option.
    let ran = project.run(&[
        "generate",
        "resource",
        "shop",
        "api_resources",
        "name:string",
    ]);
    ran.exits(2)
        .says("1 | formwork generate resource shop api_resources name:string");
    let args = ["generate", "resource", "shop", "wines", "--table", "dishes"];
    project.run(&args).exits(2).says("--table dishes");

    // What was in the manifest before is shown there.
    let manifest = "extensions/shop/resources/dishes.yaml";
    project.edit(manifest, "title: string required", "title: strng required");
    let args = [
        "generate",
        "resource",
        "shop",
        "dishes",
        "stars:integer:max=x",
    ];
    project
        .run(&args)
        .exits(2)
        .says(&format!("--> {manifest}:"))
        .says("stars:integer:max=x");
}

#[test]
fn the_word_resource_and_the_extension_may_be_left_out() {
    let project = Project::new("bistro");
    project
        .run(&["generate", "dishes", "title:string"])
        .exits(0);
    assert!(project.has("extensions/app/resources/dishes.yaml"));
    project
        .run(&["generate", "resource", "Wine", "title:string"])
        .exits(0);
    assert!(project.has("extensions/app/resources/wines.yaml"));
    project
        .run(&[
            "generate",
            "shop",
            "plates",
            "--table",
            "china",
            "size:integer",
        ])
        .exits(0);
    assert!(project.has("extensions/shop/resources/plates.yaml"));

    let before = project.snapshot();
    let ran = project
        .run(&["generate", "resource", "cups", "size:integer"])
        .exits(2);
    let ran = ran.says("any of the extensions `app` and `shop`");
    ran.says("help: write `formwork generate resource app cups size:integer`");
    let ran = project.run(&["generate", "shop"]).exits(2);
    ran.says("`shop` is an extension")
        .says("`formwork generate resource shop NAME`");
    project
        .run(&["generate", "resorce", "shop", "cups"])
        .exits(2)
        .says("'resource'");
    assert_eq!(before, project.snapshot());

    let project = Project::new("app");
    let ran = project.run(&["generate", "dishes"]).exits(2);
    ran.says("`formwork generate resource shop dishes`");
}

#[test]
fn a_model_is_made_by_the_same_shorthand() {
    let project = project();
    let corks = [
        "generate",
        "model",
        "shop",
        "corks",
        "kind:string:required",
        "--table",
        "stoppers",
    ];
    project.run(&corks).exits(0);
    let text = project.read("extensions/shop/models/corks.yaml");
    let expected = "name: Corks\ndescription: A model for corks\nmodel:\n  table: stoppers\n  attributes:\n    kind: string required\n";
    assert!(text.ends_with(expected), "{text}");
    assert!(
        project.has("extensions/shop/src/models/cork.rs")
            || project.has("extensions/shop/src/models/corks.rs")
    );
    project
        .run(&["generate", "model", "shop", "cork", "size:integer:nullable"])
        .exits(0);
    assert!(
        project
            .read("extensions/shop/models/corks.yaml")
            .contains("size: integer nullable")
    );
    project.run(&["generate", "--check"]).exits(0);

    for (what, name, path) in [
        ("model", "dish", "resources/dishes"),
        ("resource", "cork", "models/corks"),
    ] {
        let ran = project.run(&["generate", what, "shop", name]).exits(2);
        ran.says(&format!(
            "is described by extensions/shop/{path}.yaml already"
        ));
    }
    let answer = json(&project.run(&["generate", "model", "shop", "corks", "--format", "json"]));
    assert_eq!(answer["errors"], Value::Array(Vec::new()));
}
