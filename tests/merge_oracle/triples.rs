//! Random triples: poured files with edits of the kind that users and templates make, and short
//! texts of few different lines.

use std::fs;

use formwork_cli::merge::Language;
use formwork_tests::checkout;

/// Base, ours, theirs.
#[derive(Debug)]
pub struct Triple {
    /// What the texts are written in.
    pub language: Language,
    /// As last rendered.
    pub base: String,
    /// With a user's edits.
    pub ours: String,
    /// With a template's.
    pub theirs: String,
}

/// Xorshift: the same numbers everywhere.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        (0..4).for_each(|_| {
            random.next();
        });
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }

    pub fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Whether it is Rust.
pub fn parses(text: &str) -> bool {
    Language::Rust.parses(text)
}

/// Poured files of the restaurant that are short enough for many triples.
pub fn poured_texts() -> Vec<(Language, String)> {
    let folder = checkout().join("fixtures/restaurant/.formwork/base/extensions");
    let files = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let mut texts: Vec<(Language, String)> = files
        .map(|entry| entry.expect("a base"))
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            (
                Language::of(&entry.path().to_string_lossy()),
                entry.into_path(),
            )
        })
        .filter(|(language, _)| *language != Language::Other)
        .map(|(language, path)| (language, fs::read_to_string(path).expect("a base")))
        .filter(|(_, text)| (8..=48).contains(&text.lines().count()))
        .collect();
    texts.push((Language::Rust, MODEL.to_owned()));
    assert!(texts.len() > 20, "{} texts", texts.len());
    texts
}

const MODEL: &str = "\
//! Dish model.

use formwork::prelude::*;
use serde::Serialize;

/// A dish.
#[derive(Debug, Clone, Serialize)]
pub struct Dish {
    pub title: String,
    /// What it costs.
    pub price: Decimal<4>,
    #[serde(skip)]
    pub hash: String,
    #[serde(skip)]
    pub salt: String,
}

impl Dish {
    fn first(&self) -> u8 {
        1
    }

    fn second(&self) -> u8 {
        2
    }
}
";

/// The number of triples that git merges in one file.
pub const BATCH: usize = 200;

/// Some of the triples of a seed.
pub fn batch(seed: u64, number: usize, texts: &[(Language, String)]) -> Vec<Triple> {
    let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number as u64 + 1));
    let triples = (0..BATCH).map(|_| Triple::random(&mut random, texts));
    triples.collect()
}

impl Triple {
    /// One of three that a file of a project might be, or a text of few lines.
    pub fn random(random: &mut Random, texts: &[(Language, String)]) -> Triple {
        if random.below(4) == 0 {
            return Triple::of_few_lines(random);
        }
        let (language, base) = &texts[random.below(texts.len())];
        let language = if random.below(4) == 0 {
            Language::Other
        } else {
            *language
        };
        let lines: Vec<&str> = base.lines().collect();
        // Both sides edit near one another more often than not.
        let near = random.below(lines.len());
        // Most users and templates leave what parses.
        let mut side = |name| {
            let tries = (0..20).map(|_| edited(random, &lines, near, name));
            let mut tries = tries.skip_while(|text| language == Language::Rust && !parses(text));
            tries.next().unwrap_or_else(|| base.clone())
        };
        let (ours, theirs) = (side("mine"), side("new"));
        Triple {
            language,
            base: base.clone(),
            ours,
            theirs,
        }
    }

    fn of_few_lines(random: &mut Random) -> Triple {
        let mut text = |side: &str| {
            let line = |random: &mut Random| match random.below(7) {
                // A carriage return ends no line.
                0 => "line\r0\n".to_owned(),
                line @ 1..5 => format!("line {line}\n"),
                line => format!("{side} {line}\n"),
            };
            (0..random.below(10))
                .map(|_| line(random))
                .collect::<String>()
        };
        Triple {
            language: Language::Other,
            base: text("base"),
            ours: text("ours"),
            theirs: text("theirs"),
        }
    }
}

fn edited(random: &mut Random, base: &[&str], near: usize, side: &str) -> String {
    let mut lines: Vec<String> = base.iter().map(|line| (*line).to_owned()).collect();
    for _ in 0..=random.below(3) {
        let at = match random.below(3) {
            0 => random.below(lines.len()),
            _ => (near + random.below(5)).min(lines.len().saturating_sub(1)),
        };
        edit(random, &mut lines, at, side);
    }
    lines.join("\n") + "\n"
}

fn edit(random: &mut Random, lines: &mut Vec<String>, at: usize, side: &str) {
    if lines.is_empty() {
        lines.push(format!("{side} alone"));
        return;
    }
    match random.below(9) {
        0..4 => {
            let added = added(random, &lines[at], side);
            let at = at + random.below(2);
            lines.splice(at..at, added);
        }
        4 | 5 => lines[at] = changed(random, &lines[at], side),
        // No edit removes or moves only the head or the end of a block; sometimes the result would
        // even parse.
        6 | 8 if lines[at].ends_with('{') || lines[at].trim() == "}" => {}
        6 => drop(lines.remove(at)),
        7 => drop(lines.drain(at..(at + 1 + random.below(3)).min(lines.len()))),
        _ => {
            let line = lines.remove(at);
            lines.insert(random.below(lines.len() + 1), line);
        }
    }
}

/// Lines that fit beside `beside`; now and then both sides add the same.
fn added(random: &mut Random, beside: &str, side: &str) -> Vec<String> {
    let indent: String = beside.chars().take_while(|sign| *sign == ' ').collect();
    let name = match random.below(4) {
        0 => "both".to_owned(),
        _ => format!("{side}_{}", random.below(50)),
    };
    let kind = random.below(6);
    let texts: Vec<String> = match () {
        () if beside.starts_with('|') => vec![format!("| `{name}` | string | write |  |  |")],
        () if beside.starts_with("* ") => vec![format!("* `{name}`: What it means.")],
        () if kind == 0 => vec![format!("/// Of {name}.")],
        () if beside.contains("pub ") && beside.ends_with(',') => {
            let attached = (kind == 1).then(|| "#[serde(skip)]".to_owned());
            attached
                .into_iter()
                .chain([format!("pub {name}: {},", random.of(&["String", "u8"]))])
                .collect()
        }
        () if beside.trim_start().starts_with("to.") => {
            vec![format!("to.column(\"{name}\", &mut self.{name})?;")]
        }
        () if beside.trim_start().starts_with("pub const ") => {
            let constant = name.to_uppercase();
            vec![format!("pub const {constant}: &'static str = \"{name}\";")]
        }
        () if beside.contains("attribute(") => vec![format!("attribute(\"{name}\", &[string()]),")],
        () if beside.trim() == "}" => {
            let body = format!("    {}", random.below(3));
            vec![
                String::new(),
                format!("fn {name}() -> u8 {{"),
                body,
                "}".to_owned(),
            ]
        }
        () if indent.is_empty() => vec![format!("use crate::{name};")],
        () => vec![format!("// {name}")],
    };
    texts
        .into_iter()
        .map(|text| {
            if text.is_empty() {
                text
            } else {
                format!("{indent}{text}")
            }
        })
        .collect()
}

fn changed(random: &mut Random, line: &str, side: &str) -> String {
    match line.strip_suffix(',') {
        Some(rest) if line.contains(": ") && !line.contains('(') => format!("{rest}Of{side},"),
        _ if line.contains("String") && random.below(2) == 0 => line.replace("String", "Text"),
        _ => format!("{line} // {side}"),
    }
}
