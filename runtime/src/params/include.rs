//! `include=categories,menu_options.menu_option_values`: a tree of relations.

use crate::error::{Error, Result};

/// How deep includes may reach: http.md, "Query parameters".
const LEVELS: usize = 3;

/// A relation to include, and what to include with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Include {
    /// The relation's name.
    pub name: String,
    /// Relations of the included records.
    pub children: Vec<Include>,
}

/// Reads a comma list of dotted paths.
pub(super) fn read(value: &str) -> Result<Vec<Include>> {
    let mut tree = Vec::new();
    for path in super::sort::list(value) {
        let names: Vec<&str> = path.split('.').collect();
        if names.iter().any(|name| name.is_empty()) {
            return Err(Error::bad_parameter(
                "include",
                format!("`{path}` is no path of relations; write it like `menu_options.menu`."),
            ));
        }
        if names.len() > LEVELS {
            return Err(Error::bad_parameter(
                "include",
                format!("`{path}` is too deep: at most {LEVELS} levels can be included."),
            ));
        }
        insert(&mut tree, &names);
    }
    Ok(tree)
}

fn insert(tree: &mut Vec<Include>, names: &[&str]) {
    let Some((first, rest)) = names.split_first() else {
        return;
    };
    let at = tree
        .iter()
        .position(|include| include.name == *first)
        .unwrap_or_else(|| {
            tree.push(Include {
                name: (*first).to_owned(),
                children: Vec::new(),
            });
            tree.len() - 1
        });
    insert(&mut tree[at].children, rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_share_their_beginnings() {
        let tree = read("menus, orders.totals,orders.menus.options").unwrap();
        assert_eq!(tree.len(), 2);
        assert_eq!(tree[1].children.len(), 2);
        assert_eq!(tree[1].children[1].children[0].name, "options");
    }

    #[test]
    fn too_deep_and_empty_parts_are_refused() {
        assert!(read("a.b.c.d").is_err());
        assert!(read("a..b").is_err());
        assert_eq!(read("").unwrap(), vec![]);
    }
}
