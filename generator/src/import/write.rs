//! Manifests as YAML, with their notes as comments.

use super::describe::{DescribedAttribute, DescribedManifest, DescribedRelation};
use crate::column;
use crate::manifest::ManifestKind;
use crate::project::ColumnType;

/// The text of a manifest.
pub fn text(manifest: &DescribedManifest) -> String {
    let mut lines = Lines::default();
    lines.add(
        0,
        &format!(
            "# Imported from `{}`. Your edits are kept when it is imported again.",
            manifest.table
        ),
    );
    lines.notes(0, &manifest.notes);
    lines.add(
        0,
        &format!("name: {}", quoted(&crate::name::title(&manifest.key))),
    );
    lines.add(
        0,
        &format!("description: {}", quoted(&manifest.description)),
    );
    lines.add(0, "model:");
    lines.add(1, &format!("table: {}", quoted(&manifest.table)));
    lines.add(1, &key(manifest));
    if !manifest.timestamps {
        lines.add(1, "timestamps: false");
    }
    lines.add(1, "managed: false");
    if !manifest.attributes.is_empty() {
        lines.add(1, "attributes:");
    }
    manifest
        .attributes
        .iter()
        .for_each(|one| lines.attribute(one));
    if !manifest.relations.is_empty() {
        lines.add(1, "relations:");
    }
    manifest
        .relations
        .iter()
        .for_each(|one| lines.relation(one));
    if !manifest.indexes.is_empty() {
        lines.add(1, &format!("indexes: [{}]", indexes(&manifest.indexes)));
    }
    if manifest.kind == ManifestKind::Model {
        return lines.0;
    }
    let actions: Vec<String> = manifest.actions.iter().map(|one| quoted(one)).collect();
    lines.add(0, &format!("actions: [{}]", actions.join(", ")));
    lines.list("search", &manifest.search);
    lines.list("sort", &manifest.filter);
    lines.list("filter", &manifest.filter);
    lines.0
}

fn key(manifest: &DescribedManifest) -> String {
    let (name, kind) = &manifest.primary;
    let mut entries = vec![format!("name: {}", quoted(name))];
    if *kind != ColumnType::BigInt {
        let kind = column::column(kind).manifest;
        entries.push(format!("type: {}", quoted(&kind)));
    }
    if !manifest.key_with.is_empty() {
        let with: Vec<String> = manifest.key_with.iter().map(|one| quoted(one)).collect();
        entries.push(format!("with: [{}]", with.join(", ")));
    }
    match entries.as_slice() {
        [_] => format!("key: {}", quoted(name)),
        _ => format!("key: {{ {} }}", entries.join(", ")),
    }
}

/// A text in YAML: bare where that is safe, else in quotes.
fn quoted(text: &str) -> String {
    let is_bare = text.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && text
            .chars()
            .all(|sign| sign.is_ascii_alphanumeric() || "_ .".contains(sign))
        && !text.ends_with(' ')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&text.to_lowercase().as_str());
    match is_bare {
        true => text.to_owned(),
        false => serde_json::to_string(text).unwrap_or_default(),
    }
}

/// `day, [day, hour]`.
fn indexes(indexes: &[Vec<String>]) -> String {
    let one = |columns: &Vec<String>| {
        let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
        match names.as_slice() {
            [only] => only.clone(),
            several => format!("[{}]", several.join(", ")),
        }
    };
    indexes.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Rules with `|` between, or as a list where one of them has a `|` of its own.
fn rules(rules: &[String]) -> String {
    match rules.iter().any(|rule| rule.contains('|')) {
        true => {
            let rules: Vec<String> = rules.iter().map(|rule| quoted(rule)).collect();
            format!("[{}]", rules.join(", "))
        }
        false => quoted(&rules.join("|")),
    }
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, depth: usize, line: &str) {
        self.0.push_str(&"  ".repeat(depth));
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn notes(&mut self, depth: usize, notes: &[String]) {
        for note in notes {
            let one = note.split_whitespace().collect::<Vec<_>>().join(" ");
            self.add(depth, &format!("# {one}"));
        }
    }

    fn attribute(&mut self, one: &DescribedAttribute) {
        self.notes(2, &one.notes);
        self.add(2, &format!("{}:", quoted(&one.name)));
        self.add(
            3,
            &format!("type: {}", quoted(&column::column(&one.kind).manifest)),
        );
        if one.is_native || matches!(one.kind, ColumnType::Decimal(..)) {
            self.add(3, "storage: native");
        }
        if one.nullable {
            self.add(3, "nullable: true");
        }
        if let Some(default) = &one.default {
            self.add(3, &format!("default: {default}"));
        }
        if let Some(access) = one.access {
            self.add(3, &format!("access: {access}"));
        }
        if let Some(setter) = one.set_by {
            self.add(3, &format!("set_by: {setter}"));
        }
        if one.is_unique {
            self.add(3, "unique: true");
        }
        match &one.items {
            Some(items) => {
                let (all, items) = (rules(&one.rules), quoted(items));
                self.add(3, &format!("rules: {{ all: {all}, items: {items} }}"));
            }
            None if one.rules.is_empty() => {}
            None => self.add(3, &format!("rules: {}", rules(&one.rules))),
        }
        if let Some(example) = &one.example {
            self.add(3, &format!("example: {}", quoted(example)));
        }
        if let Some(description) = &one.description {
            self.add(3, &format!("description: {}", quoted(description)));
        }
    }

    fn relation(&mut self, one: &DescribedRelation) {
        self.notes(2, &one.notes);
        self.add(2, &format!("{}:", quoted(&one.name)));
        for (key, value) in &one.entries {
            self.add(3, &format!("{key}: {value}"));
        }
    }

    fn list(&mut self, key: &str, names: &[String]) {
        if names.is_empty() {
            return;
        }
        self.add(0, &format!("{key}:"));
        for name in names {
            self.add(1, &format!("- {}", quoted(name)));
        }
    }
}
