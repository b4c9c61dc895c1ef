//! Shapes: the declared JSON of a transformer's records.
//!
//! The OpenAPI description and `fields[…]` read shapes. A shape mirrors the struct that is
//! serialised, one line for each field:
//!
//! ```
//! # use formwork_data::{decimal::Decimal, shape::{Shape, Shaped}};
//! struct LineData {
//!     name: String,
//!     price: Decimal<2>,
//!     note: Option<String>,
//! }
//!
//! impl Shaped for LineData {
//!     fn shape(to: &mut Shape) {
//!         to.field::<String>("name");
//!         to.field::<Decimal<2>>("price");
//!         to.field::<Option<String>>("note");
//!     }
//! }
//!
//! struct BasketData {
//!     lines: Vec<LineData>,
//! }
//!
//! impl Shaped for BasketData {
//!     fn shape(to: &mut Shape) {
//!         to.field::<Vec<LineData>>("lines");
//!     }
//! }
//! ```

mod check;
mod types;

use crate::column::{ColumnInfo, Kind};

/// A type whose JSON is declared.
///
/// The types of columns are, every model is, and lists, maps and `Option`s of them are. For a struct
/// of your own write `impl Shaped`, with a line for each field.
#[diagnostic::on_unimplemented(
    message = "the JSON of `{Self}` is not declared",
    label = "this type has no shape",
    note = "write `impl Shaped for` your struct `{{ fn shape(to: &mut Shape) {{ to.field::<i64>(\"price\"); }} }}`; lists and `Option`s of it follow"
)]
pub trait Shaped {
    /// Declares its JSON: a line for each field.
    fn shape(to: &mut Shape);
}

/// The JSON of a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its type where it is not null.
    pub kind: ShapeKind,
    /// Whether it may be null.
    pub nullable: bool,
}

/// The type of a value where it is not null.
#[derive(Debug, Clone, PartialEq)]
pub enum ShapeKind {
    /// Anything.
    Any,
    /// The JSON of a column of this kind.
    Scalar(Kind),
    /// The links of a record.
    Links,
    /// A list of these.
    List(Box<Shape>),
    /// An object with these members.
    Object(Members),
    /// An object whose names are data, with these values.
    Map(Box<Shape>),
}

/// Names and shapes of members, in the order they are shown in.
pub type Members = Vec<(&'static str, Shape)>;

impl Shape {
    /// The shape of a type; any JSON without a declaration.
    #[must_use]
    pub fn of<T: Shaped>() -> Self {
        Self::declared(T::shape)
    }

    /// A member of this type. Of two members of one name the first counts, as in the JSON.
    pub fn field<T: Shaped>(&mut self, name: &'static str) {
        self.add(name, Self::of::<T>());
    }

    /// All members of this type, as `#[serde(flatten)]` shows them. Where those are not declared, the
    /// members of the whole are not.
    pub fn flatten<T: Shaped>(&mut self) {
        match Self::of::<T>().kind {
            ShapeKind::Object(members) => {
                for (name, shape) in members {
                    self.add(name, shape);
                }
            }
            _ => self.set(ShapeKind::Any),
        }
    }

    /// The members of a model's records: every column that is not hidden, the key as `id`.
    pub(crate) fn columns(&mut self, columns: &[ColumnInfo], key: &str, hidden: &[&str]) {
        let is_shown = |column: &&ColumnInfo| !hidden.contains(&column.name);
        for column in columns.iter().filter(is_shown) {
            let kind = match column.kind {
                Kind::Json => ShapeKind::Any,
                kind => ShapeKind::Scalar(kind),
            };
            let nullable = column.nullable || kind == ShapeKind::Any;
            let name = if column.name == key {
                "id"
            } else {
                column.name
            };
            self.add(name, Self { kind, nullable });
        }
    }

    /// The declared shape; any JSON without a declaration.
    pub fn declared(declare: fn(&mut Self)) -> Self {
        let mut shape = Self {
            kind: ShapeKind::Object(Members::new()),
            nullable: false,
        };
        declare(&mut shape);
        if shape.kind == ShapeKind::Object(Members::new()) {
            shape.set(ShapeKind::Any);
        }
        shape
    }

    /// The members of an object; `None` where they are not declared.
    pub fn members(&self) -> Option<&Members> {
        match &self.kind {
            ShapeKind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Says that it is the links of a record.
    pub fn links(&mut self) {
        self.set(ShapeKind::Links);
    }

    fn set(&mut self, kind: ShapeKind) {
        self.nullable |= kind == ShapeKind::Any;
        self.kind = kind;
    }

    pub(crate) fn add(&mut self, name: &'static str, shape: Self) {
        if let ShapeKind::Object(members) = &mut self.kind
            && members.iter().all(|(known, _)| *known != name)
        {
            members.push((name, shape));
        }
    }
}

#[cfg(test)]
mod tests;
