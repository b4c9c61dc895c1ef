//! Loading relations: one statement for each relation and level, whatever its kind.

mod fetch;
mod fields;
mod load;
mod plan;
mod source;

pub use crate::includes::Includes;
use fields::Fieldsets;
pub use load::load;
pub use plan::plan;
pub use source::of_resource;
