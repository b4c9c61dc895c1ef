//! Names of projects that are keywords of Rust.

use formwork_tests::formwork;

#[test]
fn a_keyword_of_the_edition_is_no_name_of_a_project() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["gen", "match", "yield"] {
        let output = formwork()
            .args(["new", name])
            .current_dir(folder.path())
            .output()
            .expect("formwork starts");
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("a keyword of Rust"), "{errors}");
        assert!(!folder.path().join(name).exists());
    }
}
