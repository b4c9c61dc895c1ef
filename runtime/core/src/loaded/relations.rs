//! Loaded relations by name, typed: the base of the poured traits (`MenuRelations`).

use formwork_data::{
    error::{Error, Result},
    model::{Model, described},
};
use formwork_vocabulary::did_you_mean::nearest;

use super::Loaded;

/// The related records of a loaded record.
///
/// Poured traits give each relation a method, `menu.categories()?`. For a relation of your own, write
/// one like them:
///
/// ```
/// # mod formwork {
/// #     pub mod prelude {
/// #         pub use formwork_core::loaded::{Loaded, LoadedRecord};
/// #         pub use formwork_data::{error::Result, model::Model};
/// #     }
/// # }
/// use formwork::prelude::*;
///
/// # fn example<Menu: Model, Currency: Model>() {
/// trait MenuRelations<Currency: Model>: LoadedRecord {
///     fn default_currency(&self) -> Result<Option<&Currency>> {
///         self.to_one("default_currency")
///     }
/// }
///
/// impl<Menu: Model, Currency: Model> MenuRelations<Currency> for Loaded<Menu> {}
/// # }
/// ```
///
/// A relation is there with `load: always` in the manifest (`.load_always()` in the model), or
/// where the client included it: then only with the rows that the caller may see.
pub trait LoadedRecord {
    /// The record of a to-one relation.
    ///
    /// # Errors
    ///
    /// 500 where the relation was not loaded, or leads to records of another type.
    fn to_one<T: Model>(&self, relation: &str) -> Result<Option<&T>>;

    /// The records of a to-many relation.
    ///
    /// # Errors
    ///
    /// As [`LoadedRecord::to_one`].
    fn to_many<T: Model>(&self, relation: &str) -> Result<Vec<&T>>;

    /// The record of a relation to several types; `None` where it is of another one.
    ///
    /// # Errors
    ///
    /// 500 where the relation was not loaded.
    fn morph_to<T: Model>(&self, relation: &str) -> Result<Option<&T>>;
}

impl<M: Model> LoadedRecord for Loaded<M> {
    fn to_one<T: Model>(&self, relation: &str) -> Result<Option<&T>> {
        self.expect_loaded(relation)?;
        let related = self.one(relation);
        related
            .map(|it| it.get().ok_or_else(|| other_type::<M, T>(relation)))
            .transpose()
    }

    fn to_many<T: Model>(&self, relation: &str) -> Result<Vec<&T>> {
        self.expect_loaded(relation)?;
        let related = self.many(relation);
        related
            .map(|it| it.get().ok_or_else(|| other_type::<M, T>(relation)))
            .collect()
    }

    fn morph_to<T: Model>(&self, relation: &str) -> Result<Option<&T>> {
        self.expect_loaded(relation)?;
        Ok(self.one(relation).and_then(|it| it.get()))
    }
}

impl<M: Model> Loaded<M> {
    fn expect_loaded(&self, relation: &str) -> Result<()> {
        if self.is_blank || self.has(relation) {
            return Ok(());
        }
        let table = M::TABLE;
        let known = || described::<M>().relations.iter().map(|it| it.info.name);
        let message = if known().any(|name| name == relation) {
            format!(
                "the relation `{relation}` of `{table}` was not loaded: write `load: always` in its \
                 line of the manifest, or `.load_always()` in the model"
            )
        } else {
            let hint = nearest(relation, known()).map(|name| format!(": did you mean `{name}`?"));
            format!(
                "`{table}` has no relation `{relation}`{}",
                hint.unwrap_or_default()
            )
        };
        Err(Error::internal(message))
    }
}

fn other_type<M: Model, T: Model>(relation: &str) -> Error {
    Error::internal(format!(
        "the relation `{relation}` of `{}` does not lead to records of the type `{}`",
        M::TABLE,
        std::any::type_name::<T>()
    ))
}
