//! Links between pages: the file is there, and so is the heading.

use std::{
    fs,
    path::{Path, PathBuf},
};

use formwork_tests::checkout;

/// Every relative link that leads nowhere: the page, and the link.
pub fn broken() -> Vec<String> {
    let files = walkdir::WalkDir::new(checkout().join("docs")).into_iter();
    let files = files.map(|entry| entry.expect("an entry").into_path());
    let mut pages: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect();
    pages.extend(["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|it| checkout().join(it)));
    pages.sort();
    let mut broken = Vec::new();
    for page in pages {
        let text = prose(&page);
        let links = targets(&text).filter(|link| !link.contains("://"));
        let links = links.filter(|link| !leads_somewhere(&page, link));
        broken.extend(links.map(|link| format!("{}: {link}", page.display())));
    }
    broken
}

/// The text of a page without its samples.
fn prose(page: &Path) -> String {
    let text = fs::read_to_string(page).expect("a page");
    let parts = text.split("\n```").step_by(2);
    parts.collect::<Vec<_>>().join("\n")
}

/// The targets of `[…](target)`.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let rest = text.split("](").skip(1);
    rest.filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

fn leads_somewhere(page: &Path, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_owned(),
        file => page.parent().expect("a folder").join(file),
    };
    if heading.is_empty() {
        return target.exists();
    }
    target.is_file()
        && prose(&target)
            .lines()
            .filter_map(anchor)
            .any(|it| it == heading)
}

/// What a heading is called in links: lower-case letters, hyphens for spaces, no punctuation.
fn anchor(line: &str) -> Option<String> {
    let heading = line.trim_start_matches('#').strip_prefix(' ')?;
    line.starts_with('#').then(|| {
        let kept = heading
            .chars()
            .filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    })
}
