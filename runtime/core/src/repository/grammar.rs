//! The names that the query string of a resource may use.

use formwork_data::model::Model;

use super::Repository;
use crate::{filters::Filters, params::Grammar};

/// The grammar of this repository.
pub fn grammar<R: Repository>() -> Grammar {
    let mut filters = Filters::default();
    R::filters(&mut filters);
    Grammar {
        key: <R::Model as Model>::KEY,
        sort: R::SORT,
        filter: R::FILTER,
        named: filters.names().collect(),
        search: !R::SEARCH.is_empty(),
        type_attribute: None,
    }
}
