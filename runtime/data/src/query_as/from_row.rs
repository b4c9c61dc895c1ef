//! Rows as types.

use crate::{
    column::{Column, Columns},
    database::Row,
    error::Result,
    model::Model,
};

/// A type that is read from a row by the names of its columns. Models are, and tuples of columns by
/// position; for a struct of your own write a line for each field:
///
/// ```
/// # mod formwork {
/// #     pub mod data { pub use formwork_data::{database, query_as}; }
/// #     pub mod prelude { pub use formwork_data::{decimal::Decimal, error::Result}; }
/// # }
/// use formwork::{data::{database::Row, query_as::FromRow}, prelude::*};
///
/// struct Sales {
///     day: String,
///     total: Decimal<2>,
/// }
///
/// impl FromRow for Sales {
///     fn from_row(row: &Row) -> Result<Self> {
///         Ok(Self { day: row.get("day")?, total: row.get("total")? })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a row",
    label = "expected a type that implements `FromRow`",
    note = "write `impl FromRow for {Self} {{ fn from_row(row: &Row) -> Result<Self> {{ Ok(Self {{ name: row.get(\"name\")? }}) }} }}`; a single column is a tuple, `(i64,)`"
)]
pub trait FromRow: Sized + Send {
    /// Reads a row.
    ///
    /// # Errors
    /// 500 where it has no such column, or one that holds another type.
    fn from_row(row: &Row) -> Result<Self>;
}

impl Row {
    /// The column of this name, as the type of a model's field: a decimal that SQLite stores as a
    /// scaled integer is read as a decimal.
    ///
    /// # Errors
    /// 500 where there is no such column, or it holds another type.
    pub fn get<T: Column>(&self, column: &str) -> Result<T> {
        T::read(self, self.position(column)?)
    }

    /// As [`Row::get`], of a decimal column with `storage: native`, or a number that a statement
    /// computed, such as an average.
    ///
    /// # Errors
    /// As [`Row::get`].
    pub fn get_native<T: Column>(&self, column: &str) -> Result<T> {
        T::read_native(self, self.position(column)?)
    }
}

impl<M: Model> FromRow for M {
    fn from_row(row: &Row) -> Result<Self> {
        let mut record = Self::default();
        record.columns(&mut ReadByName(row))?;
        Ok(record)
    }
}

/// Reads a row by the names of its columns.
struct ReadByName<'r>(&'r Row);

impl Columns for ReadByName<'_> {
    fn column<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        *field = self.0.get(name)?;
        Ok(())
    }

    fn native<T: Column>(&mut self, name: &'static str, field: &mut T) -> Result<()> {
        *field = self.0.get_native(name)?;
        Ok(())
    }
}

macro_rules! tuple {
    ($($column:ident $index:tt),+) => {
        impl<$($column: Column),+> FromRow for ($($column,)+) {
            fn from_row(row: &Row) -> Result<Self> {
                Ok(($($column::read(row, $index)?,)+))
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
