//! The manifests of the guide, without warnings: a reader who copies one gets none either.

use formwork_tests::project::Project;

use crate::samples;

#[test]
fn manifests_of_the_guide_have_no_warnings() {
    let samples = samples::of("yaml");
    for page in samples.chunk_by(|one, other| one.page == other.page) {
        let project = Project::new("bistro");
        for sample in page {
            project.write(&sample.path(), &sample.text);
        }
        let ran = project.run(&["manifest", "check"]);
        assert!(
            !ran.errors.contains("warning"),
            "{}:\n{}",
            page[0].page,
            ran.errors
        );
    }
}
