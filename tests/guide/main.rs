//! The samples and links of the guide.
//!
//! Rust compiles in a project poured from `fixtures/guide`; a sample with `#[test]` in it runs there.
//! YAML whose first line names a file (`# extensions/shop/resources/dishes.yaml`) passes
//! `formwork manifest check`. JSON and TOML parse. A comment in the line above a sample says
//! otherwise: `<!-- fragment -->`, or `<!-- tried in tests/… -->` with the test that reads the page.

mod links;
mod poured;
mod samples;
mod warnings;

use std::fs;

use formwork_tests::{checkout, project::Project};
use samples::{Mark, Sample};

#[test]
fn rust_samples_compile_in_a_poured_project_and_their_tests_pass() {
    let samples = samples::of("rust");
    assert!(samples.len() >= 10, "{} samples", samples.len());
    let project = poured::project();
    for sample in &samples {
        poured::add(&project, sample);
    }
    poured::test(&project);
}

#[test]
fn manifests_and_settings_pass_the_check() {
    let samples = samples::of("yaml");
    assert!(samples.len() >= 5, "{} samples", samples.len());
    for page in samples.chunk_by(|one, other| one.page == other.page) {
        let project = Project::new("bistro");
        for sample in page {
            project.write(&sample.path(), &sample.text);
        }
        let ran = project.run(&["manifest", "check"]);
        assert_eq!(
            ran.exit, 0,
            "{}:\n{}{}",
            page[0].page, ran.output, ran.errors
        );
    }
}

#[test]
fn json_and_toml_samples_parse() {
    for sample in samples::of("json") {
        let parsed = serde_json::from_str::<serde_json::Value>(&sample.text);
        assert!(parsed.is_ok(), "{}: {parsed:?}", sample.place());
    }
    for sample in samples::of("toml") {
        let parsed = sample.text.parse::<toml_edit::DocumentMut>();
        assert!(parsed.is_ok(), "{}: {parsed:?}", sample.place());
    }
}

#[test]
fn a_sample_that_is_tried_elsewhere_is_read_there() {
    for sample in samples::all() {
        let Mark::TriedIn(test) = &sample.mark else {
            continue;
        };
        let text = fs::read_to_string(checkout().join(test)).unwrap_or_default();
        assert!(text.contains(&sample.page), "{}: {test}", sample.place());
    }
}

#[test]
fn links_lead_to_pages_and_headings() {
    let broken = links::broken();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_index_lists_every_page() {
    let index = fs::read_to_string(checkout().join("docs/README.md")).expect("the index");
    for page in samples::pages() {
        let name = page.file_name().expect("a name").to_string_lossy();
        assert!(index.contains(&format!("(guide/{name})")), "{name}");
    }
}

impl Sample {
    /// The file that the first line of a YAML sample names.
    fn path(&self) -> String {
        let first = self.text.lines().next().unwrap_or_default();
        let path = first.strip_prefix("# ").unwrap_or_default();
        let path = path.split([' ', ',']).next().unwrap_or_default();
        assert!(
            path.ends_with(".yaml"),
            "{}: the first line names no file, and no comment calls it a fragment",
            self.place()
        );
        path.to_owned()
    }
}
