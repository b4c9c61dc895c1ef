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

mod types;

use crate::{
    column::{ColumnInfo, Kind},
    value::Json,
};

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

impl Shape {
    /// The first difference from the declaration, in a sentence.
    pub fn mistake(&self, shown: &Json) -> Option<String> {
        self.mistake_at("", shown)
    }

    fn mistake_at(&self, place: &str, shown: &Json) -> Option<String> {
        let within = |name: &str| match place {
            "" => name.to_owned(),
            place => format!("{place}.{name}"),
        };
        let fits = match (&self.kind, shown) {
            (ShapeKind::Any, _) => true,
            (_, Json::Null) => self.nullable,
            (ShapeKind::Scalar(kind), shown) => fits(*kind, shown),
            (ShapeKind::Links, shown) => shown.is_array(),
            (ShapeKind::List(items), Json::Array(shown)) => {
                return shown
                    .iter()
                    .find_map(|item| items.mistake_at(&within("*"), item));
            }
            (ShapeKind::Map(values), Json::Object(shown)) => {
                return shown
                    .values()
                    .find_map(|value| values.mistake_at(&within("*"), value));
            }
            (ShapeKind::Object(members), Json::Object(shown)) => {
                return shown.iter().find_map(|(name, value)| {
                    let place = within(name);
                    match members.iter().find(|(known, _)| known == name) {
                        Some((_, shape)) => shape.mistake_at(&place, value),
                        None => Some(format!("`{place}` is shown and not declared")),
                    }
                });
            }
            _ => false,
        };
        (!fits).then(|| format!("`{place}` is shown as {shown}, declared is {self:?}"))
    }
}

/// Whether a column of this kind is shown like this.
fn fits(kind: Kind, shown: &Json) -> bool {
    match kind {
        Kind::Integer | Kind::BigInt => shown.is_i64() || shown.is_u64(),
        Kind::Float => shown.is_number(),
        Kind::Boolean => shown.is_boolean(),
        Kind::Json => true,
        Kind::Text | Kind::Decimal(_) | Kind::Date | Kind::Time | Kind::DateTime | Kind::Uuid => {
            shown.is_string()
        }
    }
}
