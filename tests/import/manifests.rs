//! The manifests that an import writes for tables of every kind, and its report.

use formwork_tests::project::Project;
use formwork_tests::server::Database;

use crate::{ERP, LARAVEL, LEGACY, SHOP, import};

/// Returns the report of an import and all manifests that it wrote. The project is without a diagnostic.
fn imported(project: &Project, database: &Database, args: &[&str]) -> String {
    let ran = import(project, database, args).exits(0);
    let report = ran.output.replace(&database.url(), "<url>");
    project.run(&["manifest", "check"]).exits(0);
    format!("{report}{}", manifests(project))
}

fn manifests(project: &Project) -> String {
    let folder = project.root().join("extensions/app");
    let files = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let paths = files.map(|entry| entry.expect("a file").into_path());
    let written = paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    let texts = written.map(|path| {
        let path = path.strip_prefix(project.root()).expect("below it");
        let path = path.to_str().expect("text");
        format!("\n===== {path}\n{}", project.read(path))
    });
    texts.collect()
}

#[test]
fn tables_of_sqlite_become_manifests() {
    let (shop, project) = crate::on_sqlite(SHOP);
    shop.run(LEGACY);
    insta::assert_snapshot!("sqlite", imported(&project, &shop, &[]));
}

#[test]
fn tables_of_mariadb_become_manifests() {
    // Dropped after the one that refers to it.
    let Some(elsewhere) = Database::on("mysql") else {
        return;
    };
    let database = Database::on("mysql").expect("the same server");
    database.run(LARAVEL);
    elsewhere.run("CREATE TABLE lv_members (id BIGINT UNSIGNED PRIMARY KEY)");
    let url = elsewhere.url();
    let name = url.rsplit('/').next().expect("a name");
    database.run(&format!(
        "CREATE TABLE lv_abroad (id INT AUTO_INCREMENT PRIMARY KEY, person BIGINT UNSIGNED, \
         FOREIGN KEY (person) REFERENCES {name}.lv_members (id)); \
         CREATE TABLE gone (id INT); CREATE VIEW lv_broken AS SELECT id FROM gone; DROP TABLE gone; \
         CREATE VIEW lv_twice AS SELECT label_id AS id FROM lv_labels UNION ALL SELECT label_id FROM lv_labels"
    ));
    let project = Project::new("bistro");
    let imported = imported(&project, &database, &["--prefix", "lv_"]);
    insta::assert_snapshot!("mariadb", imported.replace(name, "<elsewhere>"));
    project.run(&["generate"]).exits(0);
}

#[test]
fn tables_of_postgresql_become_manifests() {
    let Some(erp) = Database::on("postgres") else {
        return;
    };
    erp.run(ERP);
    let project = Project::new("bistro");
    insta::assert_snapshot!("postgres", imported(&project, &erp, &[]));
    project.run(&["generate"]).exits(0);
}

#[test]
fn schemas_of_the_search_path_are_read() {
    let Some(erp) = Database::on("postgres") else {
        return;
    };
    erp.run(ERP);
    let project = Project::new_on("bistro", "postgres");
    let unset = "  # search_path: null ";
    project.edit("formwork.yaml", unset, "  search_path: other,public #");
    import(&project, &erp, &[])
        .exits(0)
        .says("public.houses: not imported: a schema before `public` on the search path");
    assert!(project.has("extensions/app/resources/hiddens.yaml"));
    import(&project, &erp, &["--check"]).exits(0);
}

#[test]
fn a_table_that_the_user_may_not_read_is_skipped() {
    let Some(erp) = Database::on("postgres") else {
        return;
    };
    erp.run(ERP);
    let role = format!("import_reader_{}", std::process::id());
    erp.run(&format!(
        "CREATE ROLE {role} LOGIN; GRANT SELECT ON houses, rooms, faulty TO {role}"
    ));
    let url = erp.url();
    let (_, host) = url.rsplit_once('@').expect("a user");
    let url = format!("postgres://{role}@{host}");
    let project = Project::new_on("bistro", "postgres");
    let ran = project.run(&["import", "--database-url", &url]);
    erp.run(&format!("DROP OWNED BY {role}; DROP ROLE {role}"));
    ran.exits(0)
        .says("guests: not imported: this user may not read it");
    let rooms = project.read("extensions/app/resources/rooms.yaml");
    assert!(rooms.contains("belongs_to: houses"), "{rooms}");
}
