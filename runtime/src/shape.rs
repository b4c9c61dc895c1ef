//! Shapes: what a transformer shows, as it is declared beside it.
//!
//! The OpenAPI description and `fields[…]` read shapes. A shape mirrors the struct that is
//! serialised, one line for each field:
//!
//! ```
//! # use formwork::prelude::*;
//! # use formwork::shape::Shaped;
//! struct LineData {
//!     name: String,
//!     price: Decimal<2>,
//!     note: Option<String>,
//! }
//!
//! impl Shaped for LineData {
//!     fn shape() -> Shape {
//!         Shape::object()
//!             .field::<String>("name")
//!             .field::<Decimal<2>>("price")
//!             .field::<Option<String>>("note")
//!     }
//! }
//!
//! /// What a basket shows.
//! fn basket() -> Shape {
//!     Shape::object().field::<Vec<LineData>>("lines")
//! }
//! # basket();
//! ```

#[cfg(any(test, all(feature = "testing", debug_assertions)))]
mod check;
mod types;

use crate::{
    column::{ColumnInfo, Kind},
    model::{Model, Schema},
};

/// A type whose JSON is declared.
///
/// Every type of a column is one, and every model; so are lists, maps and `Option`s of them. A
/// struct of your own is one by `impl Shaped`, a line for each field.
#[diagnostic::on_unimplemented(
    message = "the JSON of `{Self}` is not declared",
    label = "no shape is known of this type",
    note = "write `impl Shaped for {Self} {{ fn shape() -> Shape {{ Shape::object().field::<…>(\"…\") }} }}`"
)]
pub trait Shaped {
    /// What its JSON looks like.
    fn shape() -> Shape;
}

/// What the JSON of a value looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub(crate) kind: ShapeKind,
    /// Whether it may be null.
    pub(crate) nullable: bool,
}

/// What a value is where it is not null.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShapeKind {
    /// Anything.
    Any,
    /// What a column of this kind shows.
    Scalar(Kind),
    /// [`Links`](crate::transformer::Links).
    Links,
    /// A list of these.
    List(Box<Shape>),
    /// An object with these members.
    Object(Members),
    /// An object whose names are data, with these values.
    Map(Box<Shape>),
}

/// Names and shapes of members, in the order they are shown in.
pub(crate) type Members = Vec<(&'static str, Shape)>;

impl Shape {
    /// Anything: nothing is promised.
    #[must_use]
    pub fn any() -> Self {
        Self::new(ShapeKind::Any).or_null()
    }

    /// An object; each [`Shape::field`] adds a member.
    #[must_use]
    pub fn object() -> Self {
        Self::new(ShapeKind::Object(Members::new()))
    }

    /// The shape of a type.
    #[must_use]
    pub fn of<T: Shaped>() -> Self {
        T::shape()
    }

    /// The object with a member of this type. Of two members of one name the first counts, as in
    /// what is shown.
    #[must_use]
    pub fn field<T: Shaped>(mut self, name: &'static str) -> Self {
        self.add(name, T::shape());
        self
    }

    /// The object with all members of this type, as `#[serde(flatten)]` shows them. Where their
    /// names are not known, neither are those of this object any more.
    #[must_use]
    pub fn flatten<T: Shaped>(mut self) -> Self {
        let ShapeKind::Object(members) = T::shape().kind else {
            return Self::any();
        };
        for (name, shape) in members {
            self.add(name, shape);
        }
        self
    }

    /// The same, or null.
    #[must_use]
    pub fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// What records of `M` show: every column that is not hidden, the key as `id`.
    pub(crate) fn of_columns<M: Model>() -> Self {
        let schema = Schema::of::<M>();
        let is_shown = |column: &&ColumnInfo| !M::HIDDEN.contains(&column.name);
        let mut shape = Self::object();
        for column in schema.columns.iter().filter(is_shown) {
            let name = match column.name {
                key if key == schema.key => "id",
                name => name,
            };
            shape.add(name, Self::of_column(column));
        }
        shape
    }

    /// The members of an object; `None` where they are not declared.
    pub(crate) fn members(&self) -> Option<&Members> {
        match &self.kind {
            ShapeKind::Object(members) => Some(members),
            _ => None,
        }
    }

    fn new(kind: ShapeKind) -> Self {
        Self {
            kind,
            nullable: false,
        }
    }

    fn of_column(column: &ColumnInfo) -> Self {
        match column.kind {
            Kind::Json => Self::any(),
            kind => Self {
                kind: ShapeKind::Scalar(kind),
                nullable: column.nullable,
            },
        }
    }

    fn add(&mut self, name: &'static str, shape: Self) {
        if let ShapeKind::Object(members) = &mut self.kind
            && members.iter().all(|(known, _)| *known != name)
        {
            members.push((name, shape));
        }
    }
}

#[cfg(test)]
mod tests;
