//! Names of indexes and constraints.

use super::table::Index;
use crate::digest::Digest;

/// The longest name PostgreSQL keeps, in bytes; MySQL keeps 64 characters. Names are ASCII.
const LONGEST: usize = 63;

/// `menus_menu_name_unique`, shortened by a hash where it is too long for some database.
pub(crate) fn index_name(table: &str, index: &Index) -> String {
    let kind = if index.unique { "unique" } else { "index" };
    shortened(format!("{table}_{}_{kind}", index.columns.join("_")))
}

/// `dishes_menu_id_foreign`: MySQL knows one set of these names in all of a database.
pub(crate) fn foreign_key_name(table: &str, column: &str) -> String {
    shortened(format!("{table}_{column}_foreign"))
}

/// `menus_pkey`.
pub(crate) fn primary_key_name(table: &str) -> String {
    shortened(format!("{table}_pkey"))
}

fn shortened(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let hash = Digest::of(&name).to_string();
    let start: String = name.chars().take(LONGEST - 9).collect();
    format!("{start}_{}", hash.chars().take(8).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_and_stay_apart() {
        let index = |column: &str| Index {
            columns: vec![column.to_owned()],
            unique: false,
        };
        assert_eq!(index_name("menus", &index("name")), "menus_name_index");
        let (one, two) = ("a".repeat(60), format!("{}b", "a".repeat(59)));
        let (one, two) = (
            index_name("menus", &index(&one)),
            index_name("menus", &index(&two)),
        );
        assert_eq!((one.len(), two.len()), (63, 63));
        assert_ne!(one, two);
    }
}
