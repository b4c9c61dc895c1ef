//! Tables and keys that another manifest of the project has.

use crate::{import, on_sqlite};

#[test]
fn tables_that_another_extension_describes_are_left_to_it() {
    let (database, project) = on_sqlite(
        "CREATE TABLE categories (id INTEGER PRIMARY KEY); \
         CREATE TABLE dishes (id INTEGER PRIMARY KEY, category_id INTEGER REFERENCES categories(id))",
    );
    let import = |args: &[&str]| import(&project, &database, args).exits(0);
    import(&["--tables", "categories"]).says("1 created");
    let note = "categories: extensions/app/resources/categories.yaml already describes it";
    import(&["--ext", "shop"]).says("1 created").says(note);
    let dishes = project.read("extensions/shop/resources/dishes.yaml");
    assert!(dishes.contains("belongs_to: categories\n"), "{dishes}");
    project.run(&["manifest", "check"]).exits(0);
    import(&["--ext", "shop", "--check"]);
}

#[test]
fn a_table_and_a_key_of_formwork_s_own_are_left_to_it() {
    let (database, project) = on_sqlite(
        "CREATE TABLE tags (id INTEGER PRIMARY KEY, label VARCHAR(40) NOT NULL); \
         CREATE TABLE notes (id INTEGER PRIMARY KEY, tag_id INTEGER REFERENCES tags(id)); \
         CREATE TABLE words (id INTEGER PRIMARY KEY)",
    );
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
    let import = |args: &[&str]| import(&project, &database, args).exits(0);
    let note = "tags: extensions/app/resources/labels.yaml already describes it";
    import(&[]).says("2 created").says(note);
    let notes = project.read("extensions/app/resources/notes.yaml");
    assert!(notes.contains("belongs_to: labels\n"), "{notes}");
    let words = project.read("extensions/app/resources/words_2.yaml");
    assert!(words.contains("table: words\n"), "{words}");
    project.run(&["manifest", "check"]).exits(0);
    import(&["--check"]);
}
