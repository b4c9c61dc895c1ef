//! `include=categories,menu_options.menu_option_values`: a tree of relations.

use formwork_data::error::{Error, Result};

/// How deep includes may reach.
pub const LEVELS: usize = 3;

/// Most paths of one parameter.
const MOST_PATHS: usize = 100;

/// A relation to include, and what to include with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Include {
    /// The relation's name.
    pub name: String,
    /// Relations of the included records.
    pub children: Vec<Include>,
}

/// Reads the comma list of dotted paths of `include`.
pub fn read(value: &str) -> Result<Vec<Include>> {
    let mut tree = Vec::new();
    for path in paths("include", value)? {
        let names: Vec<&str> = path.split('.').collect();
        insert(&mut tree, &names);
    }
    Ok(tree)
}

/// The dotted paths of a comma list.
pub fn paths<'v>(parameter: &str, value: &'v str) -> Result<Vec<&'v str>> {
    let paths: Vec<&str> = super::list::items(parameter, value)?
        .take(MOST_PATHS + 1)
        .collect();
    let refused = |message: String| Err(Error::bad_parameter(parameter, message));
    if paths.len() > MOST_PATHS {
        return refused(format!("A list has at most {MOST_PATHS} relations."));
    }
    for path in &paths {
        if path.split('.').any(str::is_empty) {
            return refused(format!(
                "`{path}` is not a path of relations: a name is missing beside a dot or a comma."
            ));
        }
        if path.split('.').nth(LEVELS).is_some() {
            return refused(format!(
                "`{path}` is too deep: at most {LEVELS} levels can be {parameter}d."
            ));
        }
    }
    Ok(paths)
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
        assert!(paths("exclude", "a.b.c.d").is_err() && paths("exclude", "a,b.c.d").is_ok());
        assert!(read(&vec!["a"; MOST_PATHS].join(",")).is_ok());
        assert!(read(&vec!["a"; MOST_PATHS + 1].join(",")).is_err());
    }
}
