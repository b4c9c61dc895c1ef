//! A table as text, one fact per line, so that two branches that change two tables merge:
//!
//! ```text
//! table@20261121120000 menus
//! unit igniter_cart.menus
//! primary menu_id counted
//! column menu_id bigint not_null
//! column@20261203090000 menu_price decimal(15,4) not_null default="0.0000"
//! column category_id bigint null references=categories.category_id
//! dropped@20261203090001 column menu_photo
//! index category_id
//! unique menu_name
//! ```
//!
//! After the `@` is the migration that made the table, or last touched the fact. Where git leaves a
//! conflict because two branches changed one table, the later word on each fact counts.

use super::table::{Column, ForeignKey, Index, Part, Table};
use crate::column;
use crate::project::ColumnType;
use crate::state::lock::is_left_of_a_marker;

impl Table {
    /// The table as text.
    pub fn to_text(&self) -> String {
        let counted = if self.counted { " counted" } else { "" };
        let made = self.since.map(|version| format!("@{version}"));
        let made = made.unwrap_or_default();
        let mut text = format!("table{made} {}\nunit {}\n", self.name, self.unit);
        text.push_str(&format!("primary {}{counted}\n", self.primary.join(",")));
        for (name, version) in &self.was {
            text.push_str(&format!("was@{version} {name}\n"));
        }
        // Most tables were made by one migration, and no part was touched since.
        let since = |part: &dyn Fn() -> Part| {
            let touched = (!self.touched.is_empty()).then(|| self.touched.get(&part()));
            let version = touched.flatten().map(|version| format!("@{version}"));
            version.unwrap_or_default()
        };
        for column in &self.columns {
            let since = since(&|| Part::Column(column.name.clone()));
            push(&mut text, &["column", &since, " "]);
            push_column(&mut text, column);
            text.push('\n');
        }
        for (part, version) in self.touched.iter().filter(|(part, _)| !self.has(part)) {
            text.push_str(&format!("dropped@{version} {}\n", words(part)));
        }
        for index in &self.indexes {
            let since = since(&|| Part::Index(index.clone()));
            let columns = index.columns.join(",");
            push(&mut text, &[word(index), &since, " ", &columns, "\n"]);
        }
        text
    }

    /// Reads a table. Lines that are not as [`Table::to_text`] writes them are passed over. Returns `None` without a
    /// name.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::read(text).0
    }

    /// Reads a table, and lists the lines that are not as [`Table::to_text`] writes them.
    pub(super) fn read(text: &str) -> (Option<Self>, Vec<&str>) {
        let mut table = Self::default();
        let lines = text.lines().map(str::trim_end);
        let lines = lines.filter(|line| !is_left_of_a_marker(line));
        let odd: Vec<&str> = lines.filter(|line| table.take(line).is_none()).collect();
        ((!table.name.is_empty()).then_some(table), odd)
    }

    /// Takes a line; `None` if it is not understood.
    fn take(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ')?;
        let (word, version) = match word.split_once('@') {
            Some((word, version)) => (word, Some(version.parse::<i64>().ok()?)),
            None => (word, None),
        };
        match word {
            "table" => {
                rest.clone_into(&mut self.name);
                self.since = version;
            }
            "was" => {
                let version = version.unwrap_or_default();
                self.was.insert(rest.to_owned(), version);
            }
            "unit" => rest.clone_into(&mut self.unit),
            "primary" => {
                self.counted = rest.ends_with(" counted");
                self.primary = names(rest.trim_end_matches(" counted"));
            }
            word => {
                let (part, column) = fact(word, rest)?;
                self.learn(part, column, word != "dropped", version);
            }
        }
        Some(())
    }

    /// Takes what a migration says about a part: that it exists, or was dropped. After a git merge two may speak of
    /// one part: the later counts, of equal ones the first.
    pub(super) fn learn(
        &mut self,
        part: Part,
        column: Option<Column>,
        exists: bool,
        version: Option<i64>,
    ) {
        let known = self.touched.get(&part).copied();
        if (known.is_some() || self.has(&part)) && known >= version {
            return;
        }
        match &part {
            Part::Column(name) => {
                let place = self.columns.iter().position(|column| column.name == *name);
                match (column, place) {
                    (Some(column), Some(place)) => self.columns[place] = column,
                    (None, Some(place)) => drop(self.columns.remove(place)),
                    (column, None) => self.columns.extend(column),
                }
            }
            Part::Index(index) if exists => self.indexes.extend([index.clone()]),
            Part::Index(index) => self.indexes.retain(|own| own != index),
        }
        if let Some(version) = version {
            self.touch([part], version);
        }
    }

    pub(super) fn has(&self, part: &Part) -> bool {
        match part {
            Part::Column(name) => self.column(name).is_some(),
            Part::Index(index) => self.indexes.contains(index),
        }
    }
}

/// The part that a line is about; with the column, where it describes one.
fn fact(word: &str, rest: &str) -> Option<(Part, Option<Column>)> {
    let index = |unique, rest: &str| {
        let columns = names(rest);
        Part::Index(Index { columns, unique })
    };
    Some(match (word, rest.split_once(' ')) {
        ("column", _) => {
            let column = column(rest)?;
            let mut line = String::with_capacity(rest.len());
            push_column(&mut line, &column);
            if line != rest {
                return None;
            }
            (Part::Column(column.name.clone()), Some(column))
        }
        ("index" | "unique", _) => (index(word == "unique", rest), None),
        ("dropped", Some(("column", name))) => (Part::Column(name.to_owned()), None),
        ("dropped", Some((kind @ ("index" | "unique"), rest))) => {
            (index(kind == "unique", rest), None)
        }
        _ => return None,
    })
}

fn word(index: &Index) -> &'static str {
    if index.unique { "unique" } else { "index" }
}

fn words(part: &Part) -> String {
    match part {
        Part::Column(name) => format!("column {name}"),
        Part::Index(index) => format!("{} {}", word(index), index.columns.join(",")),
    }
}

fn names(list: &str) -> Vec<String> {
    list.split(',').map(ToOwned::to_owned).collect()
}

fn push(text: &mut String, parts: &[&str]) {
    text.extend(parts.iter().copied());
}

fn push_column(text: &mut String, column: &Column) {
    let null = if column.nullable { "null" } else { "not_null" };
    let kind = column::column(&column.kind).manifest;
    push(text, &[&column.name, " ", &kind, " ", null]);
    if column.native {
        text.push_str(" native");
    }
    if let Some(to) = &column.references {
        push(text, &[" references=", &to.table, ".", &to.column]);
    }
    if column.deferred {
        text.push_str(" deferred");
    }
    // The default comes last, because it may contain any text.
    if let Some(default) = &column.default {
        push(
            text,
            &[
                " default=",
                &serde_json::Value::from(default.as_str()).to_string(),
            ],
        );
    }
}

fn column(rest: &str) -> Option<Column> {
    let (facts, default) = match rest.split_once(" default=") {
        Some((facts, default)) => (facts, serde_json::from_str::<String>(default).ok()),
        None => (rest, None),
    };
    let mut words = facts.split(' ');
    let (name, kind) = (words.next()?, kind(words.next()?)?);
    let mut column = Column {
        default,
        ..Column::new(name, &kind)
    };
    for word in words {
        match word.split_once('=') {
            Some(("references", to)) => {
                let (table, key) = to.split_once('.')?;
                let to = ForeignKey {
                    table: table.to_owned(),
                    column: key.to_owned(),
                };
                column.references = Some(to);
            }
            _ => {
                column.nullable |= word == "null";
                column.native |= word == "native";
                column.deferred |= word == "deferred";
            }
        }
    }
    Some(column)
}

fn kind(word: &str) -> Option<ColumnType> {
    match word.split_once('(') {
        Some((name, arguments)) => column::parse(name, Some(arguments.strip_suffix(')')?)),
        None => column::parse(word, None),
    }
}
