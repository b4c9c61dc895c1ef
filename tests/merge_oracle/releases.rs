//! The restaurant as it is poured, and as it would be after its manifests change.

use std::collections::BTreeMap;

use formwork_cli::format::{Formatter, Job};
use formwork_cli::manifest::Sources;
use formwork_cli::merge::Language;
use formwork_cli::moment::Clock;
use formwork_cli::render::{RenderOptions, render};
use formwork_cli::rendered::Content;
use formwork_cli::resolve;
use formwork_cli::schema::{MigrationOptions, Previous};
use formwork_tests::checkout;

use crate::triples::Random;

/// Texts by path.
pub type Pour = BTreeMap<String, String>;

/// So many manifests may be tried until one has no mistake.
const TRIES: usize = 400;

/// The restaurant, and then `many` later releases of it. Each changes some manifests.
pub fn pours(random: &mut Random, many: usize) -> (Pour, Vec<Pour>) {
    let sources = Sources::read(&checkout().join("fixtures/restaurant")).expect("the restaurant");
    let first = pour(&sources).expect("the restaurant has no mistakes");
    let tries = (0..TRIES).filter_map(|_| pour(&changed(random, &sources)));
    let later: Vec<Pour> = tries.take(many).collect();
    assert_eq!(later.len(), many, "too many manifests have mistakes");
    (first, later)
}

/// What is poured, formatted; `None` where a manifest has a mistake.
fn pour(sources: &Sources) -> Option<Pour> {
    let project = resolve::resolve(sources).ok()?.project;
    let options = RenderOptions {
        migrations: MigrationOptions {
            clock: Clock::at(1_790_000_000),
            ..MigrationOptions::default()
        },
        ..RenderOptions::default()
    };
    let rendered = render(&project, &Previous::default(), &options).ok()?;
    let texts = rendered
        .files
        .into_iter()
        .filter_map(|file| match file.content {
            Content::Text(text) if Language::of(&file.path) != Language::Other => {
                Some((file.path, text))
            }
            _ => None,
        });
    Some(formatted(texts.collect()))
}

/// The texts as `cargo fmt` leaves them.
pub fn formatted(texts: Vec<(String, String)>) -> Pour {
    let rust: Vec<Job<'_>> = texts
        .iter()
        .filter(|(path, _)| Language::of(path) == Language::Rust)
        .map(|(path, text)| Job { path, text })
        .collect();
    let batch = Formatter::find(&checkout().join("fixtures")).format(&rust);
    let mut done: BTreeMap<String, String> = rust
        .iter()
        .zip(batch.texts)
        .map(|(job, text)| (job.path.to_owned(), text.expect("it parses")))
        .collect();
    for (path, text) in texts {
        done.entry(path).or_insert(text);
    }
    done
}

/// Three to eight changes in manifests.
fn changed(random: &mut Random, sources: &Sources) -> Sources {
    let mut changed = sources.clone();
    let paths: Vec<String> = sources
        .manifests()
        .map(|file| file.path.to_owned())
        .collect();
    for _ in 0..3 + random.below(6) {
        let path = &paths[random.below(paths.len())];
        let text = changed.text(path).expect("a manifest").into_owned();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        change(random, &mut lines);
        changed.set(path.as_str(), lines.join("\n") + "\n");
    }
    changed
}

/// One change, where the line that was drawn allows one.
fn change(random: &mut Random, lines: &mut Vec<String>) {
    let at = random.below(lines.len());
    let line = lines[at].clone();
    let number = random.below(100);
    let is_attribute = line.starts_with("    ") && !line.starts_with("     ");
    let is_short = is_attribute && line.contains(": ") && !line.contains(['{', '#']);
    match random.below(4) {
        0 | 1 if line == "  attributes:" || is_short => {
            let types = [
                "string required|max:80",
                "integer nullable|min:3",
                "text nullable",
            ];
            lines.insert(at + 1, format!("    new_{number}: {}", random.of(&types)));
        }
        2 if is_attribute => drop(lines.remove(at)),
        _ => lines[at] = reworded(random, &line, number),
    }
}

/// The line with another number, another description, another list.
fn reworded(random: &mut Random, line: &str, number: usize) -> String {
    let key = line.trim_start().split(':').next().unwrap_or_default();
    match key {
        "description" => format!("{line} New {number}."),
        "page_limit" => format!("page_limit: {}", 5 + number),
        "search" | "sort" | "filter" | "actions" => match line.split_once(", ") {
            Some((first, rest)) => match random.below(2) {
                0 => first.split('[').next().unwrap_or_default().to_owned() + "[" + rest,
                _ => format!(
                    "{}]",
                    line.rsplit_once(", ").map_or(first, |(most, _)| most)
                ),
            },
            None => line.to_owned(),
        },
        _ => line
            .replace("255", &(120 + number).to_string())
            .replace("include: true", "include: default")
            .replace("min:0", &format!("min:{number}"))
            .replace("required", "required|sometimes"),
    }
}
