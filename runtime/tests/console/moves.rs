//! A service that moves to another database.

use super::program::{failed, printed, project};

/// To another database, with all its rows: accounts and tokens of the runtime too.
pub fn a_service_moves() {
    let yaml = |file: &str| {
        format!("auth: {{ customers: members }}\ndatabase: {{ url: 'sqlite://{file}' }}\n")
    };
    let project = project(&yaml("old.sqlite"));
    let folder = project.path();
    printed(folder, &["migrate"]);
    printed(folder, &["seed"]);
    let email = ["--email", "m@example.com"];
    printed(
        folder,
        &[&["user", "create", "--password", "formwork"], &email[..]].concat(),
    );
    printed(folder, &[&["token", "--name", "till"], &email[..]].concat());
    let tokens = printed(folder, &["token", "list"]);

    std::fs::write(folder.join("formwork.yaml"), yaml("new.sqlite")).expect("formwork.yaml");
    let copy = ["copy", "--from", "sqlite://old.sqlite"];
    let (code, said) = failed(folder, &copy);
    assert!(
        code == Some(1) && said.contains("run `migrate` first"),
        "{said}"
    );
    printed(folder, &["migrate"]);
    let (code, said) = failed(folder, &["copy", "--from", "sqlite://older.sqlite"]);
    assert!(
        code == Some(1) && said.contains("there is no database at"),
        "{said}"
    );
    assert!(!folder.join("older.sqlite").exists(), "no file is made");
    let copied = printed(folder, &copy);
    assert!(copied.contains("       1  api_tokens\n"), "{copied}");
    assert!(copied.ends_with(" rows copied.\n"), "{copied}");
    assert_eq!(printed(folder, &["token", "list"]), tokens);

    let (code, said) = failed(folder, &copy);
    assert!(
        code == Some(1) && said.contains("`--replace` deletes them"),
        "{said}"
    );
    let again = printed(folder, &[&copy[..], &["--replace"]].concat());
    assert_eq!(again, copied);
}
