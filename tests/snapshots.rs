//! Snapshots in the folders of the cases.

use std::path::Path;

/// Compares a text with `expected.snap` in the folder of a case; `cargo insta review` accepts a new one.
#[track_caller]
pub fn assert_expected(folder: &Path, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("expected", text));
}
