//! The templates Formwork pours from.
//!
//! They are files of this package, embedded into whoever links it; `README.md` beside them has the
//! rules for those who write templates.

use include_dir::{Dir, include_dir};

static SCOPES: [(&str, Dir<'_>); 4] = [
    ("extension", include_dir!("$CARGO_MANIFEST_DIR/extension")),
    ("model", include_dir!("$CARGO_MANIFEST_DIR/model")),
    ("project", include_dir!("$CARGO_MANIFEST_DIR/project")),
    ("resource", include_dir!("$CARGO_MANIFEST_DIR/resource")),
];

/// Every template: its path (`resource/controller.rs.tera`) and its text, by path.
pub fn all() -> impl Iterator<Item = (String, &'static str)> {
    SCOPES.iter().flat_map(|(scope, folder)| {
        folder.files().filter_map(move |file| {
            let name = file.path().to_str()?;
            Some((format!("{scope}/{name}"), file.contents_utf8()?))
        })
    })
}

/// The template at `path`, as it is built in.
pub fn find(path: &str) -> Option<&'static str> {
    all().find(|(known, _)| known == path).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_named_by_their_path_and_sorted() {
        let paths: Vec<String> = all().map(|(path, _)| path).collect();
        assert!(paths.is_sorted(), "{paths:?}");
        assert!(
            paths.iter().all(|path| path.ends_with(".tera")),
            "{paths:?}"
        );
        assert!(
            find("resource/controller.rs.tera").is_some_and(|text| text.contains("RestController"))
        );
        assert!(find("resource/nothing.tera").is_none());
    }
}
