//! The catalogue of a database: values that are the same for every kind of database.

use std::collections::BTreeMap;

use crate::project::{ColumnType, Database};

/// A table that is not read, and the reason.
pub type Unreachable = (String, String);

/// The tables of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalogue {
    /// The kind of the database.
    pub database: Database,
    /// Its tables and views, by name.
    pub tables: Vec<CatalogueTable>,
    /// Tables that cannot be imported: outside of the search path, not readable, or kept by a module of the database.
    pub unreachable: Vec<Unreachable>,
}

/// A table, or a view.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueTable {
    /// Its name.
    pub name: String,
    /// Whether it is a view.
    pub is_view: bool,
    /// Its comment.
    pub comment: Option<String>,
    /// Its columns, in their order.
    pub columns: Vec<CatalogueColumn>,
    /// The columns of the primary key, in their order.
    pub primary: Vec<String>,
    /// Indexes, the primary key's left out.
    pub indexes: Vec<CatalogueIndex>,
    /// Foreign keys of one column.
    pub foreign: Vec<CatalogueForeignKey>,
    /// The texts of check constraints.
    pub checks: Vec<String>,
    /// Notes about parts of the table that a manifest cannot express.
    pub notes: Vec<String>,
    /// Why the database takes no new row.
    pub closed: Option<String>,
    /// Sentences about rows that were not read in time, and the consequence: for the manifest and
    /// for the report.
    pub unlooked: Vec<String>,
    /// The values found in the text columns named `*_type`, sorted.
    pub kinds_found: BTreeMap<String, Vec<String>>,
}

/// A column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueColumn {
    /// Its name.
    pub name: String,
    /// Its type as the database writes it.
    pub declared: String,
    /// Its type in a manifest; `None` where a manifest has none.
    pub kind: Option<ColumnType>,
    /// Why `kind` is not exactly the declared type.
    pub note: Option<String>,
    /// Whether `kind` is a guess, which `note` explains.
    pub is_guessed: bool,
    /// Whether it may be null.
    pub nullable: bool,
    /// The value of rows that do not set it.
    pub default: Option<ColumnDefault>,
    /// Whether the database computes it.
    pub is_generated: bool,
    /// Whether the database counts it: rows that do not set it get the next number.
    pub is_counted: bool,
    /// Maximum number of characters of a text that is too long for a manifest's `string`.
    pub longest: Option<u32>,
    /// Smallest and largest number of its type, where the range of `kind` is larger.
    pub range: Option<(i64, i64)>,
    /// Whether its type is one of the database's own, as an enum or an array.
    pub is_native: bool,
    /// Whether the database compares its values with texts.
    pub is_comparable: bool,
    /// The members of a `SET`, whose text lists some of them with commas between; empty for other types.
    pub members: Vec<String>,
    /// The words of a list, where an enum of a manifest cannot list them.
    pub words: Vec<String>,
    /// A pattern that a text must match, so that the database stores it as a text.
    pub pattern: Option<&'static str>,
    /// Whether rows may hold a date without year, month and day, which is read as null.
    pub holds_zero_dates: bool,
    /// Whether rows hold empty texts in it.
    pub holds_empty_texts: bool,
    /// Whether the service can only read it.
    pub is_read_only: bool,
    /// The rules for the items of an array.
    pub items: Option<String>,
    /// Its comment.
    pub comment: Option<String>,
}

/// The default of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnDefault {
    /// A value, without quotes.
    Value(String),
    /// An expression that the database evaluates.
    Expression(String),
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueIndex {
    /// Its columns, in their order.
    pub columns: Vec<String>,
    /// Whether no two rows have the same values.
    pub is_unique: bool,
}

/// A foreign key of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueForeignKey {
    /// The column.
    pub column: String,
    /// The table it names.
    pub table: String,
    /// The column there; `None` for its primary key.
    pub other: Option<String>,
}

impl CatalogueTable {
    /// The column of this name; databases ignore case.
    pub fn column(&self, name: &str) -> Option<&CatalogueColumn> {
        let same = |column: &&CatalogueColumn| column.name.eq_ignore_ascii_case(name);
        self.columns.iter().find(same)
    }

    /// Adds a foreign key by its columns, each with the column there. A key of several columns is only noted.
    pub fn add_foreign_key(&mut self, columns: &[(String, Option<String>)], to: &str) {
        if let [(column, other)] = columns {
            return self.foreign.push(CatalogueForeignKey {
                column: column.clone(),
                table: to.to_owned(),
                other: other.clone(),
            });
        }
        let columns: Vec<&str> = columns.iter().map(|(own, _)| own.as_str()).collect();
        self.notes.push(format!(
            "Not a relation, because the foreign key has several columns: {} to `{to}`.",
            columns.join(", ")
        ));
    }

    /// Notes that its rows could not be read.
    pub fn note_unread(&mut self, error: &dyn std::fmt::Display) {
        let note = format!("Its rows could not be read: {error}.");
        if !self.unlooked.contains(&note) {
            self.unlooked.push(note);
        }
    }

    /// Notes that there was no time to read its rows, and the consequence.
    pub fn note_unlooked(&mut self, what: &str) {
        self.unlooked.push(format!(
            "No time was left to look at its rows (`--look-seconds`): {what}."
        ));
    }

    /// Whether no two rows share a value of this column.
    pub fn is_unique(&self, column: &str) -> bool {
        let alone = |columns: &[String]| columns.len() == 1 && columns[0] == column;
        let mut unique = self.indexes.iter().filter(|index| index.is_unique);
        alone(&self.primary) || unique.any(|index| alone(&index.columns))
    }
}

impl CatalogueColumn {
    /// Whether a row without a value for it is refused.
    pub fn needs_value(&self) -> bool {
        !self.nullable && self.default.is_none() && !self.is_generated && !self.is_counted
    }

    /// Whether an empty text of it is another value than none.
    pub fn may_be_empty(&self) -> bool {
        let is_text = matches!(self.kind, Some(ColumnType::String(_) | ColumnType::Text));
        is_text && self.needs_value()
    }

    /// A nullable column without anything else.
    pub fn new(name: &str, declared: &str) -> CatalogueColumn {
        CatalogueColumn {
            name: name.to_owned(),
            declared: declared.to_owned(),
            nullable: true,
            is_comparable: true,
            ..CatalogueColumn::default()
        }
    }
}

/// The type for these values: an enum where a manifest can list them, else text with a note; its words become a rule.
pub fn enumeration(values: &[String]) -> (ColumnType, Option<String>) {
    match unlisted(values) {
        None if !values.is_empty() => (ColumnType::Enum(values.to_vec()), None),
        None => (ColumnType::String(255), None),
        Some(odd) => {
            let note = format!(
                "Imported as text with a rule, because an enum of a manifest cannot list {odd:?}."
            );
            (ColumnType::String(255), Some(note))
        }
    }
}

/// A value that an enum of a manifest cannot list.
pub fn unlisted(values: &[String]) -> Option<&String> {
    let fits = |value: &String| {
        !value.trim().is_empty()
            && value.trim() == value
            && !value.contains([',', '(', ')', '"', '\''])
            && !value.chars().any(char::is_control)
    };
    values.iter().find(|value| !fits(value))
}
