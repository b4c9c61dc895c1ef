//! Names of indexes and constraints, which are made of those of their table and its columns. The
//! columns of one are joined by `_`.

use sha2::{Digest as _, Sha256};

/// The longest name PostgreSQL keeps, in bytes; MySQL keeps 64 characters. Names are ASCII.
const LONGEST: usize = 63;

/// `menus_menu_name_unique`, shortened by a hash where it is too long for some database.
#[must_use]
pub fn index(table: &str, columns: &str, unique: bool) -> String {
    let kind = if unique { "unique" } else { "index" };
    shortened(format!("{table}_{columns}_{kind}"))
}

/// `dishes_menu_id_foreign`: MySQL knows one set of these names in all of a database.
#[must_use]
pub fn foreign_key(table: &str, column: &str) -> String {
    shortened(format!("{table}_{column}_foreign"))
}

/// The name of the primary key of a table: `menus_pkey`.
#[must_use]
pub fn primary_key(table: &str) -> String {
    shortened(format!("{table}_pkey"))
}

fn shortened(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let hash = Sha256::digest(&name);
    let hash: String = hash[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let start: String = name.chars().take(LONGEST - 9).collect();
    format!("{start}_{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_and_stay_apart() {
        assert_eq!(index("menus", "name", false), "menus_name_index");
        let (one, two) = ("a".repeat(60), format!("{}b", "a".repeat(59)));
        let (one, two) = (index("menus", &one, false), index("menus", &two, false));
        assert_eq!((one.len(), two.len()), (63, 63));
        assert_ne!(one, two);
        // Databases have names of this form: they stay.
        let long = index("menus", &"a".repeat(60), false);
        assert!(long.ends_with("aaa_d1de60e6"), "{long}");
    }
}
