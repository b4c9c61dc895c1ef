//! A table, independent of the database.

use std::collections::{BTreeMap, BTreeSet};

use crate::column;
use crate::project::{ColumnType, Literal};

/// Tables by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Schema {
    /// The tables.
    pub tables: BTreeMap<String, Table>,
}

impl Schema {
    /// Puts a table in the place of the one of its name.
    pub(super) fn put(&mut self, table: Table) {
        self.tables.insert(table.name.clone(), table);
    }

    /// Tables that are in both schemas: as in this one, and as in `other`.
    pub(super) fn pairs<'s>(
        &'s self,
        other: &'s Schema,
    ) -> impl Iterator<Item = (&'s Table, &'s Table)> {
        let others = other.tables.values();
        others.filter_map(|table| Some((self.tables.get(&table.name)?, table)))
    }
}

/// One table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The unit that owns it, `igniter_cart.menus`.
    pub unit: String,
    /// Columns of the primary key.
    pub primary: Vec<String>,
    /// Whether the database counts the primary key.
    pub counted: bool,
    /// Columns, the primary key's first.
    pub columns: Vec<Column>,
    /// Indexes.
    pub indexes: BTreeSet<Index>,
    /// When it was made, by the version of its migration; `None` where that was not written down.
    pub since: Option<i64>,
    /// Names it had, each with the migration that gave it another.
    pub was: BTreeMap<String, i64>,
    /// When its parts were last touched, by the version of a migration: of two branches that changed
    /// one table, the later word on each part counts.
    pub touched: BTreeMap<Part, i64>,
}

/// A part of a table, whether it is there or not (any more).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The column of this name.
    Column(String),
    /// An index.
    Index(Index),
}

/// One column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type; enumerations are strings here, because their values are not part of the table.
    pub kind: ColumnType,
    /// `storage: native`.
    pub native: bool,
    /// Whether it holds NULL.
    pub nullable: bool,
    /// Its default in one canonical form.
    pub default: Option<String>,
    /// Its target, if it has a foreign key.
    pub references: Option<ForeignKey>,
    /// The constraint was left out, because the table it points to came later (a cycle).
    pub deferred: bool,
}

/// Target of a foreign key: a primary key of a table of this project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignKey {
    /// Table.
    pub table: String,
    /// Column.
    pub column: String,
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index {
    /// Columns, in order.
    pub columns: Vec<String>,
    /// Whether values occur once.
    pub unique: bool,
}

impl Table {
    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether it is a pivot: they alone have a key of several columns.
    pub fn is_pivot(&self) -> bool {
        self.primary.len() > 1
    }

    /// Other tables this one points to.
    pub(crate) fn targets(&self) -> impl Iterator<Item = &str> {
        let targets = self.columns.iter();
        let targets = targets.filter_map(|column| column.references.as_ref());
        let names: BTreeSet<&str> = targets.map(|to| to.table.as_str()).collect();
        names.into_iter().filter(|name| *name != self.name)
    }

    /// Puts a column in the place of the one of its name.
    pub(crate) fn replace(&mut self, column: Column) {
        let known = self.columns.iter_mut();
        let known = known.filter(|one| one.name == column.name);
        known.for_each(|one| one.clone_from(&column));
    }

    /// Removes a column, and the indexes that need it.
    pub(crate) fn drop_column(&mut self, name: &str) {
        self.columns.retain(|column| column.name != name);
        let needs = |index: &Index| index.columns.iter().any(|column| column == name);
        self.indexes.retain(|index| !needs(index));
    }

    /// Records that a migration touched these parts.
    pub(crate) fn touch(&mut self, parts: impl IntoIterator<Item = Part>, version: i64) {
        let parts = parts.into_iter().map(|part| (part, version));
        self.touched.extend(parts);
    }

    /// Adds an index unless the primary key or a unique index does the same.
    pub(crate) fn index(&mut self, columns: Vec<String>, unique: bool) {
        let there = columns.iter().all(|name| self.column(name).is_some());
        let covered = self.primary == columns
            || self.indexes.contains(&Index {
                columns: columns.clone(),
                unique: true,
            });
        if !there || covered || columns.is_empty() {
            return;
        }
        if unique {
            self.indexes.remove(&Index {
                columns: columns.clone(),
                unique: false,
            });
        }
        self.indexes.insert(Index { columns, unique });
    }
}

impl Index {
    /// Where it is, as migrations name what they touch: `menus(name,price)`.
    pub(super) fn touched(&self, table: &str) -> String {
        format!("{table}({})", self.columns.join(","))
    }
}

impl Column {
    /// A plain NOT NULL column.
    pub fn new(name: impl Into<String>, kind: &ColumnType) -> Self {
        Self {
            name: name.into(),
            kind: neutral(kind),
            native: false,
            nullable: false,
            default: None,
            references: None,
            deferred: false,
        }
    }

    /// Its type as manifests write it.
    pub fn type_name(&self) -> String {
        column::column(&self.kind).manifest.into_owned()
    }

    /// The constraint that is really there.
    pub fn constraint(&self) -> Option<&ForeignKey> {
        self.references.as_ref().filter(|_| !self.deferred)
    }

    /// Its default as a value of its type.
    pub fn default_value(&self) -> Option<Literal> {
        self.default.as_ref().map(|text| value(&self.kind, text))
    }

    /// Whether a row needs a value for it.
    pub fn needs_value(&self) -> bool {
        !self.nullable && self.default.is_none()
    }

    /// The value of rows without one for a NOT NULL column.
    pub(crate) fn filler(&self) -> Literal {
        self.default_value()
            .unwrap_or_else(|| value(&self.kind, zero(&self.kind)))
    }
}

fn zero(kind: &ColumnType) -> &'static str {
    match kind {
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Float | ColumnType::Decimal(..) => {
            "0"
        }
        ColumnType::Boolean => "false",
        ColumnType::Date => "1970-01-01",
        ColumnType::Time => "00:00:00",
        ColumnType::DateTime => "1970-01-01T00:00:00Z",
        ColumnType::Json => "null",
        ColumnType::Uuid => "00000000-0000-0000-0000-000000000000",
        ColumnType::String(_) | ColumnType::Text | ColumnType::Enum(_) => "",
    }
}

fn neutral(kind: &ColumnType) -> ColumnType {
    match kind {
        ColumnType::Enum(_) => ColumnType::String(255),
        other => other.clone(),
    }
}

/// A default in the one form in which it is compared and kept.
pub(crate) fn canonical(kind: &ColumnType, value: &Literal) -> Option<String> {
    Some(match (neutral(kind), value) {
        (_, Literal::Null) => return None,
        (ColumnType::Decimal(..) | ColumnType::DateTime | ColumnType::Time, value) => {
            let sql = column::sql(crate::project::Database::Postgres, kind, true, value);
            let text = sql.trim_matches('\'');
            text.replace(".000000Z", "Z")
        }
        (ColumnType::Json, value) => column::json(value).to_string(),
        (_, Literal::Bool(value)) => value.to_string(),
        (_, Literal::Int(value)) => value.to_string(),
        (_, Literal::Number(text) | Literal::Text(text) | Literal::Json(text)) => text.clone(),
    })
}

fn value(kind: &ColumnType, text: &str) -> Literal {
    match kind {
        ColumnType::Boolean => Literal::Bool(text == "true"),
        ColumnType::Integer | ColumnType::BigInt | ColumnType::Float | ColumnType::Decimal(..) => {
            Literal::Number(text.to_owned())
        }
        ColumnType::Json => Literal::Json(text.to_owned()),
        _ => Literal::Text(text.to_owned()),
    }
}
