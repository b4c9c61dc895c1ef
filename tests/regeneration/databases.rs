//! The databases of a project: `new --database`, and `database.kinds` that changes later.

use std::fs;

use serde_json::Value;

use super::{Project, project};

const MIGRATIONS: &str = "extensions/shop/migrations";
const LIST: &str = "extensions/shop/src/migrations.rs";

/// Names of the migrations of a kind, without versions.
fn names(project: &Project, kind: &str) -> Vec<String> {
    let files = fs::read_dir(project.root().join(MIGRATIONS).join(kind)).expect("a folder");
    let name = |file: std::io::Result<fs::DirEntry>| {
        let file = file.expect("a file").file_name();
        file.to_string_lossy().into_owned()
    };
    let mut names: Vec<String> = files.map(name).collect();
    names.sort();
    let bare = names.iter().filter_map(|name| name.split_once('_'));
    bare.map(|(_, name)| name.to_owned()).collect()
}

/// A project that `new --database` makes, with a resource.
fn on(databases: &str) -> Project {
    let project = Project::new_on("bistro", databases);
    project.add("dishes", &["title:string:required"]);
    project.run(&["generate", "--check"]).exits(0);
    project
}

#[test]
fn a_project_on_sqlite_alone_has_nothing_of_servers() {
    let project = on("sqlite");
    assert!(!project.has("compose.yaml"));
    let cargo = project.read("Cargo.toml");
    assert!(
        !cargo.contains("postgres") && !cargo.contains("mysql"),
        "{cargo}"
    );
    assert_eq!(
        fs::read_dir(project.root().join(MIGRATIONS))
            .unwrap()
            .count(),
        1
    );
}

/// What a container of the database is started from, and the migrations and the service wait for.
#[test]
fn a_server_is_started_by_compose() {
    for (databases, image, address) in [
        ("sqlite,postgres", "postgres:", "postgres://"),
        ("mysql", "mariadb:", "mysql://"),
    ] {
        let project = Project::new_on("bistro", databases);
        let text = project.read("compose.yaml");
        let compose: Value = serde_saphyr::from_str(&text).expect("YAML");
        let services = &compose["services"];
        let database = &services["database"];
        let starts =
            |value: &Value, with: &str| value.as_str().is_some_and(|it| it.starts_with(with));
        assert!(starts(&database["image"], image), "{text}");
        let checked = database["healthcheck"]["test"].as_array();
        assert_eq!(checked.expect("a check")[0], "CMD", "{text}");
        for service in ["migrate", "service"] {
            let url = &services[service]["environment"]["DATABASE_URL"];
            assert!(starts(url, address), "{service}: {text}");
        }
        let waits = |service: &str, other: &str| {
            services[service]["depends_on"][other]["condition"].clone()
        };
        assert_eq!(waits("migrate", "database"), "service_healthy");
        assert_eq!(
            waits("service", "migrate"),
            "service_completed_successfully"
        );
        // The volume, and what the image is built without.
        let volume = database["volumes"][0].as_str().expect("a volume");
        let (name, _) = volume.split_once(':').expect("a name");
        assert!(compose["volumes"].get(name).is_some(), "{text}");
        let ignored = project.read(".dockerignore");
        for line in [".env", "data", "target"] {
            assert!(ignored.lines().any(|it| it == line), "{ignored}");
        }
        assert!(project.read("Dockerfile").contains(" ca-certificates "));
    }
}

#[test]
fn a_project_on_a_server_alone_compiles_no_sqlite() {
    let project = on("postgres");
    let cargo = project.read("Cargo.toml");
    let features =
        r#"default-features = false, features = ["admin", "docs", "openapi", "postgres"]"#;
    assert!(cargo.contains(features), "{cargo}");
    let config = project.read("formwork.yaml");
    assert!(config.contains("kinds: [postgres]"), "{config}");
    assert!(config.contains("\n  url: postgres://"), "{config}");
    let compose = project.read("compose.yaml");
    assert!(compose.contains("image: postgres:"), "{compose}");
    assert_eq!(names(&project, "postgres"), ["create_dishes.sql"]);
    assert!(!project.read(LIST).contains("sqlite"));
}

#[test]
fn every_kind_has_sql_of_its_own() {
    let project = on("sqlite,mysql,postgres");
    assert!(
        project
            .read("formwork.yaml")
            .contains("kinds: [sqlite, postgres, mysql]")
    );
    let list = project.read(LIST);
    for kind in ["sqlite", "postgres", "mysql"] {
        assert_eq!(names(&project, kind), ["create_dishes.sql"]);
        assert!(list.contains(&format!("../migrations/{kind}/")), "{list}");
    }
}

#[test]
fn a_kind_that_is_added_gets_the_tables_that_are_there() {
    let project = project();
    let by_hand = format!("{MIGRATIONS}/sqlite/00010101000000_fill.sql");
    project.write(&by_hand, "SELECT 1;\n");
    project.add("dishes", &["note:text:nullable"]);
    project.edit("formwork.yaml", "kinds: [sqlite]", "kinds: [sqlite, mysql]");
    let ran = project.run(&["generate"]).exits(0);
    ran.says(&format!(
        "{by_hand} has no SQL for mysql: write {MIGRATIONS}/mysql/"
    ));
    assert!(
        project
            .read("Cargo.toml")
            .contains(r#"features = ["mysql"]"#)
    );
    let (sqlite, mysql) = (names(&project, "sqlite"), names(&project, "mysql"));
    let all = [
        "create_dishes.sql",
        "add_note_to_dishes.sql",
        "create_dishes.sql",
    ];
    assert_eq!(sqlite[1..], all);
    assert_eq!(mysql, all);
    project.write(
        &by_hand.replace("/sqlite/", "/mysql/"),
        "-- Nothing to do.\n",
    );
    project.run(&["generate"]).exits(0);
    project.run(&["generate", "--check"]).exits(0);
    // What changes from now on has SQL of both.
    project.add("dishes", &["weight:integer:nullable"]);
    for kind in ["sqlite", "mysql"] {
        assert_eq!(
            names(&project, kind).last().unwrap(),
            "add_weight_to_dishes.sql"
        );
    }
    assert!(
        project
            .read(&latest(&project, "sqlite"))
            .contains("ALTER TABLE \"dishes\"")
    );
    assert!(
        project
            .read(&latest(&project, "mysql"))
            .contains("ALTER TABLE `dishes`")
    );
}

fn latest(project: &Project, kind: &str) -> String {
    let folder = format!("{MIGRATIONS}/{kind}");
    let files = fs::read_dir(project.root().join(&folder)).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name());
    let latest = names.max().expect("a migration");
    format!("{folder}/{}", latest.to_string_lossy())
}
