//! `migrate --to`, on the migrations that Formwork emitted.

use formwork_tests::restaurant::House;

/// The last migration of the runtime itself, which nothing undoes.
const BEFORE: &str = "20260101000021";

#[test]
fn emitted_migrations_are_undone_and_applied_again_but_never_with_rows() {
    let house = House::empty();
    let run = |args: &[&str]| {
        let (done, out, errors) = house.console(args);
        assert!(done, "{args:?}: {errors}");
        out
    };
    let lines = |text: &str, word: &str| {
        let lines = text.lines().filter(|line| line.starts_with(word));
        lines.count()
    };
    run(&["migrate"]);
    let undone = run(&["migrate", "--to", BEFORE]);
    let all = lines(&undone, "undone ");
    assert!(all > 40, "{undone}");
    assert!(
        undone.starts_with("undone   20261121013436 create_addresses"),
        "{undone}"
    );
    let status = run(&["migrate", "--status"]);
    assert_eq!(lines(&status, "pending "), all, "{status}");
    assert_eq!(lines(&run(&["migrate"]), "applied "), all);
    run(&["seed"]);

    let (done, _, errors) = house.console(&["migrate", "--to", BEFORE]);
    assert!(
        !done && errors.contains("the table `addresses` holds rows"),
        "{errors}"
    );
    let status = run(&["migrate", "--status"]);
    assert_eq!(lines(&status, "pending "), 0, "{status}");
}
