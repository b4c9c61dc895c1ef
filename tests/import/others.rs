//! Tables and keys that another manifest of the project has.

use formwork_tests::project::Project;

use crate::database::Scratch;

#[test]
fn tables_that_another_extension_describes_are_left_to_it() {
    let database = Scratch::sqlite();
    database.run(
        "CREATE TABLE categories (id INTEGER PRIMARY KEY); \
         CREATE TABLE dishes (id INTEGER PRIMARY KEY, category_id INTEGER REFERENCES categories(id))",
    );
    let import = ["import", "--database-url", database.url()];
    let project = Project::new("bistro");
    let first = [&import[..], &["--tables", "categories"]].concat();
    project.run(&first).exits(0).says("1 created");
    let second = [&import[..], &["--ext", "shop"]].concat();
    let said = "categories: extensions/app/resources/categories.yaml already describes it";
    project.run(&second).exits(0).says("1 created").says(said);
    let dishes = project.read("extensions/shop/resources/dishes.yaml");
    assert!(dishes.contains("belongs_to: categories\n"), "{dishes}");
    project.run(&["manifest", "check"]).exits(0);
    project.run(&[&second[..], &["--check"]].concat()).exits(0);
}

#[test]
fn a_table_and_a_key_of_formwork_s_own_are_left_to_it() {
    let database = Scratch::sqlite();
    database.run(
        "CREATE TABLE tags (id INTEGER PRIMARY KEY, label VARCHAR(40) NOT NULL); \
         CREATE TABLE notes (id INTEGER PRIMARY KEY, tag_id INTEGER REFERENCES tags(id)); \
         CREATE TABLE words (id INTEGER PRIMARY KEY)",
    );
    let project = Project::new("bistro");
    for (key, table) in [("labels", "tags"), ("words", "own_words")] {
        let make = [
            "generate",
            "resource",
            "app",
            key,
            "label:string:required",
            "--table",
            table,
        ];
        project.run(&make).exits(0);
    }
    let import = ["import", "--database-url", database.url()];
    let said = "tags: extensions/app/resources/labels.yaml already describes it";
    project.run(&import).exits(0).says("2 created").says(said);
    let notes = project.read("extensions/app/resources/notes.yaml");
    assert!(notes.contains("belongs_to: labels\n"), "{notes}");
    let words = project.read("extensions/app/resources/words_2.yaml");
    assert!(words.contains("table: words\n"), "{words}");
    project.run(&["manifest", "check"]).exits(0);
    project.run(&[&import[..], &["--check"]].concat()).exits(0);
}
