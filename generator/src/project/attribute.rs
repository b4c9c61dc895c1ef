//! Columns: types, values, access.

use serde::Serialize;

use super::rule::Rules;

/// A column's type, as the manifest names it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ColumnType {
    /// Length in characters, 255 by default.
    String(u32),
    Text,
    /// 32 bits.
    Integer,
    /// 64 bits.
    BigInt,
    Float,
    /// Precision (at most 18) and scale.
    Decimal(u8, u8),
    Boolean,
    Date,
    Time,
    DateTime,
    Json,
    Uuid,
    /// Values in the order of the manifest; stored as text.
    Enum(Vec<String>),
}

/// One column that is neither key nor timestamp.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attribute {
    /// Column name, and attribute name of bodies and answers.
    pub name: String,
    /// `was:` the name the column had before.
    #[serde(skip)]
    pub was: Option<String>,
    /// `was: { canceled: cancelled }`: values that its enum listed before, and the values that replace them.
    #[serde(skip)]
    pub former_values: Vec<(String, String)>,
    /// Rust field: the name, made a legal identifier (`type` becomes `r#type`).
    pub field: String,
    /// Type.
    pub kind: ColumnType,
    /// Whether the column holds NULL.
    pub nullable: bool,
    /// Default value, already of the column's type.
    pub default: Option<Literal>,
    /// Its access for reading and writing.
    pub access: Access,
    /// `set_by: hook`: a hook of the controller fills it.
    pub set_by_hook: bool,
    /// `set_by: database`: the database gives it a value where none was sent.
    pub set_by_database: bool,
    /// Unique index.
    pub unique: bool,
    /// Plain index.
    pub index: bool,
    /// Doc comment.
    pub description: Option<String>,
    /// A value for documentation and tests.
    pub example: Option<Literal>,
    /// Rules, complete: those the type brings and the implied `required` included.
    pub rules: Rules,
    /// `storage: native`: a decimal stored as the database's own number; a text as its enum, a list
    /// as its array.
    pub native_storage: bool,
    /// False: no foreign key constraint for a `belongs_to` column.
    pub constraint: bool,
    /// For a `belongs_to` column: the relation it belongs to, target table and column.
    #[serde(skip)]
    pub references: Option<Reference>,
}

impl Attribute {
    /// Whether its field may be null: a value that the database gives is null before.
    pub fn is_optional(&self) -> bool {
        self.nullable || self.set_by_database
    }

    /// Whether the database alone gives it a value: no statement writes it.
    pub fn is_computed(&self) -> bool {
        self.set_by_database && matches!(self.access, Access::ReadOnly | Access::Hidden)
    }
}

/// The target of a `belongs_to` column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Key of the registered target.
    pub resource: String,
    /// Table of the target.
    pub table: String,
    /// Column of the target.
    pub column: String,
    /// Whether that column is the target's primary key.
    pub is_primary: bool,
}

/// A default or example value.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    /// As written, checked to be a number of the column's scale (also floats).
    Number(String),
    /// Strings, enums, dates (`2026-01-31`), times (`12:00:00`), datetimes (RFC 3339), uuids.
    Text(String),
    /// JSON text.
    Json(String),
}

/// The access to an attribute for reading and writing (docs/guide/manifest.md, "Attributes").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Access {
    Write,
    ReadOnly,
    WriteOnly,
    Hidden,
    AdminWrite,
}
