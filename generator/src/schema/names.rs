//! Names of indexes and constraints.

use formwork_vocabulary::constraint_name;

use super::table::Index;

/// `menus_menu_name_unique`, shortened by a hash where it is too long for some database.
pub(crate) fn index_name(table: &str, index: &Index) -> String {
    constraint_name::index(table, &index.columns.join("_"), index.unique)
}

/// `dishes_menu_id_foreign`: MySQL knows one set of these names in all of a database.
pub(crate) fn foreign_key_name(table: &str, column: &str) -> String {
    constraint_name::foreign_key(table, column)
}

/// `menus_pkey`.
pub(crate) fn primary_key_name(table: &str) -> String {
    constraint_name::primary_key(table)
}
