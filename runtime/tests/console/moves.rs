//! A service that moves to another database.

use super::program::{project, transcript};

/// To another database, with all its rows: accounts and tokens of the runtime too.
pub fn a_service_moves() {
    let yaml = |file: &str| {
        format!("auth: {{ customers: members }}\ndatabase: {{ url: 'sqlite://{file}' }}\n")
    };
    let project = project(&yaml("old.sqlite"));
    let folder = project.path();
    let before = "
        migrate
        seed
        user create --password formwork --email m@example.com
        token --name till --email m@example.com";
    transcript(folder, before);
    let tokens = transcript(folder, "token list");
    std::fs::write(folder.join("formwork.yaml"), yaml("new.sqlite")).expect("formwork.yaml");
    let rejected = transcript(folder, "copy --from sqlite://old.sqlite");
    transcript(folder, "migrate");
    let copy = "
        copy --from sqlite://older.sqlite
        copy --from sqlite://old.sqlite
        copy --from sqlite://old.sqlite
        copy --from sqlite://old.sqlite --replace";
    let copied = transcript(folder, copy);
    insta::assert_snapshot!("moves", format!("{rejected}\n{copied}"));
    assert!(!folder.join("older.sqlite").exists(), "no file is made");
    assert_eq!(transcript(folder, "token list"), tokens);
}
