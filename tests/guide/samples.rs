//! The fenced blocks of the guide.

use std::{
    fs,
    path::{Path, PathBuf},
};

use formwork_tests::checkout;

/// What the comment above a sample says.
#[derive(Debug, PartialEq)]
pub enum Mark {
    /// The sample is checked here.
    None,
    /// It is part of something, and not checked.
    Fragment,
    /// This test reads it.
    TriedIn(String),
}

/// A fenced block.
pub struct Sample {
    /// The file name of its page.
    pub page: String,
    /// The line of its fence.
    pub line: usize,
    /// Its number among the samples of its page and language, from 1.
    pub number: usize,
    /// The language.
    pub language: String,
    /// What the comment above it says.
    pub mark: Mark,
    /// The lines between the fences.
    pub text: String,
}

impl Sample {
    /// Page and line, for messages.
    pub fn place(&self) -> String {
        format!("docs/guide/{}:{}", self.page, self.line)
    }

    /// A name for the module or file it becomes.
    pub fn name(&self) -> String {
        let page = self.page.trim_end_matches(".md").replace('-', "_");
        format!("guide_{}_{}", page.to_lowercase(), self.number)
    }
}

/// The pages of the guide, and the README.
pub fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(checkout().join("docs/guide")).expect("the guide");
    let mut pages: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    pages.sort();
    pages
}

/// Every sample of the guide.
pub fn all() -> Vec<Sample> {
    let mut pages = pages();
    pages.push(checkout().join("README.md"));
    pages.iter().flat_map(|page| in_page(page)).collect()
}

/// The samples of a language that are checked here.
pub fn of(language: &str) -> Vec<Sample> {
    let mut samples = all();
    samples.retain(|sample| sample.language == language && sample.mark == Mark::None);
    samples
}

fn in_page(page: &Path) -> Vec<Sample> {
    let text = fs::read_to_string(page).expect("a page");
    let name = page.file_name().expect("a name").to_string_lossy();
    let (mut samples, mut above) = (Vec::<Sample>::new(), "");
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, line)| line);
            let inside: Vec<&str> = inside.take_while(|line| !line.starts_with("```")).collect();
            let language = info.split(',').next().unwrap_or_default().to_owned();
            let alike = |sample: &&Sample| sample.language == language;
            samples.push(Sample {
                page: name.clone().into_owned(),
                line: at + 1,
                number: samples.iter().filter(alike).count() + 1,
                language,
                mark: mark(above),
                text: inside.join("\n") + "\n",
            });
        }
        above = line;
    }
    samples
}

fn mark(above: &str) -> Mark {
    let comment = above.strip_prefix("<!-- ");
    let comment = comment.and_then(|comment| comment.strip_suffix(" -->"));
    match comment {
        Some("fragment") => Mark::Fragment,
        Some(comment) => match comment.strip_prefix("tried in ") {
            Some(test) => Mark::TriedIn(test.to_owned()),
            None => Mark::None,
        },
        None => Mark::None,
    }
}
