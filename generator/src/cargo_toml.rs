//! Structured edits of `Cargo.toml`: idempotent; the user's lines keep their place, comments and
//! layout.

mod drivers;

use anyhow::{Context, Result, bail};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use crate::rendered::TomlEdit;

/// Makes the edits in `text`, in order. If all of them are made already, the text is returned
/// unchanged.
///
/// # Errors
/// Where `text` is not TOML, or a value is not the array or table that an edit needs.
pub fn apply(text: &str, edits: &[TomlEdit]) -> Result<String> {
    let mut document: DocumentMut = text.parse().context("it is not valid TOML")?;
    let mut changed = false;
    for edit in edits {
        changed |= match edit {
            TomlEdit::EnsureInArray { path, value } => ensure_in_array(&mut document, path, value)?,
            TomlEdit::EnsureKey { path, key, value } => {
                ensure_key(&mut document, path, key, value)?
            }
            TomlEdit::RemoveFromArray { path, value } => {
                remove_from_array(&mut document, path, value)
            }
            TomlEdit::EnsureMember {
                path,
                package,
                folder,
            } => ensure_member(&mut document, path, package, folder)?,
            TomlEdit::EnsureDrivers { path, drivers } => {
                let optional = drivers::optional(&document);
                let mut drivers = drivers.clone();
                drivers.retain(|driver| !optional.contains(driver));
                match find_table(&mut document, path).and_then(|table| table.get_mut("formwork")) {
                    Some(runtime) => drivers::ensure(runtime, &drivers)?,
                    None => false,
                }
            }
            TomlEdit::RemoveMember { path, folder } => remove_member(&mut document, path, folder),
        };
    }
    Ok(if changed {
        document.to_string()
    } else {
        text.to_owned()
    })
}

fn ensure_in_array(document: &mut DocumentMut, path: &[String], value: &str) -> Result<bool> {
    let Some((key, tables)) = path.split_last() else {
        bail!("the edit does not name an array")
    };
    let table = ensure_table(document, tables)?;
    let item = table
        .entry(key)
        .or_insert(Item::Value(Value::Array(Array::new())));
    let Some(array) = item.as_array_mut() else {
        bail!("`{}` is not an array", path.join("."))
    };
    let texts: Vec<&str> = array.iter().filter_map(Value::as_str).collect();
    if texts.contains(&value) {
        return Ok(false);
    }
    // A sorted list stays sorted; another list keeps the user's order, and new entries come last.
    let place = if texts.len() == array.len() && texts.is_sorted() {
        texts.partition_point(|text| *text < value)
    } else {
        array.len()
    };
    insert(array, place, value);
    Ok(true)
}

/// Inserts in the layout of the neighbours: one per line where they are, else with one space. An empty array
/// over two lines gets one per line, too, so that two branches merge.
fn insert(array: &mut Array, place: usize, value: &str) {
    let over_lines = array
        .trailing()
        .as_str()
        .is_some_and(|end| end.contains('\n'));
    if array.is_empty() && over_lines {
        let mut new = Value::from(value);
        new.decor_mut().set_prefix("\n    ");
        array.push_formatted(new);
        array.set_trailing("\n");
        return array.set_trailing_comma(true);
    }
    let prefix = |value: &Value| {
        value
            .decor()
            .prefix()
            .and_then(|raw| raw.as_str())
            .unwrap_or("")
            .to_owned()
    };
    let prefixes: Vec<String> = array.iter().map(prefix).collect();
    let on_lines = prefixes.iter().rev().find(|prefix| prefix.contains('\n'));
    let indent = on_lines.map(|prefix| prefix.rsplit('\n').next().unwrap_or_default().to_owned());
    let mut new = Value::from(value);
    match indent {
        // Comments in front of a neighbour stay with it.
        Some(indent) => new.decor_mut().set_prefix(format!("\n{indent}")),
        None => new
            .decor_mut()
            .set_prefix(if place == 0 { "" } else { " " }),
    }
    array.insert_formatted(place, new);
    if let (0, None, Some(second)) = (place, on_lines, array.get_mut(1)) {
        second.decor_mut().set_prefix(" ");
    }
}

fn ensure_key(document: &mut DocumentMut, path: &[String], key: &str, value: &str) -> Result<bool> {
    let table = ensure_table(document, path)?;
    if table.contains_key(key) {
        return Ok(false);
    }
    let parsed: Value = value
        .parse()
        .with_context(|| format!("`{value}` is not a TOML value"))?;
    let names: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    let sorted = names.is_sorted();
    table.insert(key, Item::Value(parsed));
    if sorted {
        table.sort_values();
    }
    Ok(true)
}

fn remove_from_array(document: &mut DocumentMut, path: &[String], value: &str) -> bool {
    let Some((key, tables)) = path.split_last() else {
        return false;
    };
    let Some(array) = find_table(document, tables)
        .and_then(|t| t.get_mut(key))
        .and_then(Item::as_array_mut)
    else {
        return false;
    };
    let Some(place) = array.iter().position(|item| item.as_str() == Some(value)) else {
        return false;
    };
    let removed = array.remove(place);
    // The first element carries no space in front of it.
    if let (0, Some(first)) = (place, array.get_mut(0)) {
        let decor = removed.decor().clone();
        *first.decor_mut() = decor;
    }
    true
}

/// Cargo finds no package by the name it had before: the line goes on under the new one.
fn ensure_member(
    document: &mut DocumentMut,
    path: &[String],
    package: &str,
    folder: &str,
) -> Result<bool> {
    let table = ensure_table(document, path)?;
    let is_former = |(name, item): &(&str, &Item)| {
        *name != package && names_folder(item, folder) && item.get("package").is_none()
    };
    let former = table.iter().filter(is_former);
    let former: Vec<String> = former.map(|(name, _)| name.to_owned()).collect();
    let known = table.contains_key(package);
    for (index, name) in former.iter().enumerate() {
        let comments = table.key(name).map(|key| key.leaf_decor().clone());
        let Some(item) = table.remove(name).filter(|_| !known && index == 0) else {
            continue;
        };
        let sorted = table.iter().map(|(name, _)| name).is_sorted();
        table.insert(package, item);
        if let (Some(mut key), Some(comments)) = (table.key_mut(package), comments) {
            *key.leaf_decor_mut() = comments;
        }
        if sorted {
            table.sort_values();
        }
    }
    let value = format!("{{ path = {folder:?} }}");
    Ok(!former.is_empty() | ensure_key(document, path, package, &value)?)
}

fn remove_member(document: &mut DocumentMut, path: &[String], folder: &str) -> bool {
    let Some(table) = find_table(document, path) else {
        return false;
    };
    let members = table.iter().filter(|(_, item)| names_folder(item, folder));
    let members: Vec<String> = members.map(|(name, _)| name.to_owned()).collect();
    for name in &members {
        table.remove(name);
    }
    !members.is_empty()
}

fn names_folder(dependency: &Item, folder: &str) -> bool {
    let path = dependency.get("path").and_then(Item::as_str);
    path.is_some_and(|path| path.trim_start_matches("./").trim_end_matches('/') == folder)
}

fn find_table<'a>(document: &'a mut DocumentMut, path: &[String]) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for key in path {
        table = table.get_mut(key)?.as_table_like_mut()?;
    }
    Some(table)
}

fn ensure_table<'a>(
    document: &'a mut DocumentMut,
    path: &[String],
) -> Result<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, key) in path.iter().enumerate() {
        let mut new = Table::new();
        // `[workspace.dependencies]` needs no empty `[workspace]` above it.
        new.set_implicit(depth + 1 < path.len());
        let item = table.entry(key).or_insert(Item::Table(new));
        let Some(inner) = item.as_table_like_mut() else {
            bail!("`{}` is not a table", path[..=depth].join("."));
        };
        table = inner;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(keys: &[&str]) -> Vec<String> {
        keys.iter().map(|key| (*key).to_owned()).collect()
    }

    fn member(value: &str) -> TomlEdit {
        TomlEdit::EnsureInArray {
            path: path(&["workspace", "members"]),
            value: value.to_owned(),
        }
    }

    fn dependency(package: &str) -> TomlEdit {
        in_folder(package, package)
    }

    fn in_folder(package: &str, folder: &str) -> TomlEdit {
        TomlEdit::EnsureMember {
            path: path(&["dependencies"]),
            package: package.to_owned(),
            folder: format!("extensions/{folder}"),
        }
    }

    fn without(folder: &str) -> TomlEdit {
        TomlEdit::RemoveMember {
            path: path(&["dependencies"]),
            folder: format!("extensions/{folder}"),
        }
    }

    #[track_caller]
    fn edited(text: &str, edits: &[TomlEdit], expected: &str) {
        let once = apply(text, edits).unwrap();
        assert_eq!(once, expected);
        assert_eq!(
            apply(&once, edits).unwrap(),
            once,
            "a second time changes nothing"
        );
    }

    #[test]
    fn a_sorted_array_stays_sorted() {
        edited(
            "[workspace]\nmembers = [\"a\", \"c\"] # ours\n",
            &[member("b"), member("0")],
            "[workspace]\nmembers = [\"0\", \"a\", \"b\", \"c\"] # ours\n",
        );
    }

    #[test]
    fn lines_and_comments_of_an_array_stay() {
        edited(
            "[workspace]\nmembers = [\n    # the shop\n    \"a\",\n    \"c\", # last\n]\n",
            &[member("b")],
            "[workspace]\nmembers = [\n    # the shop\n    \"a\",\n    \"b\",\n    \"c\", # last\n]\n",
        );
    }

    #[test]
    fn an_empty_array_over_two_lines_gets_one_per_line() {
        let text = "[workspace]\nmembers = [\n]\n";
        let three = "[workspace]\nmembers = [\n    \"a\",\n    \"b\",\n    \"c\",\n]\n";
        edited(text, &[member("b"), member("c"), member("a")], three);
        let remove = |value: &str| TomlEdit::RemoveFromArray {
            path: path(&["workspace", "members"]),
            value: value.to_owned(),
        };
        edited(
            three,
            &[remove("b")],
            "[workspace]\nmembers = [\n    \"a\",\n    \"c\",\n]\n",
        );
        let all = ["a", "b", "c"].map(remove);
        edited(three, &all, text);
    }

    #[test]
    fn an_order_chosen_by_the_user_is_kept() {
        edited(
            "[workspace]\nmembers = [\"z\", \"a\"]\n",
            &[member("b")],
            "[workspace]\nmembers = [\"z\", \"a\", \"b\"]\n",
        );
    }

    #[test]
    fn a_missing_table_and_array_are_made() {
        edited(
            "[package]\nname = \"x\"\n",
            &[member("a")],
            "[package]\nname = \"x\"\n\n[workspace]\nmembers = [\"a\"]\n",
        );
    }

    #[test]
    fn a_key_that_is_there_keeps_its_value() {
        edited(
            "[dependencies]\ncart = { git = \"x\" } # fork\n",
            &[dependency("cart"), dependency("user")],
            "[dependencies]\ncart = { git = \"x\" } # fork\nuser = { path = \"extensions/user\" }\n",
        );
    }

    #[test]
    fn removals_undo_additions() {
        let text = "[workspace]\nmembers = [\"a\", \"c\"]\n\n[dependencies]\nx = \"1\"\n";
        let added = apply(text, &[member("b"), dependency("cart")]).unwrap();
        assert_ne!(added, text);
        let removals = [
            TomlEdit::RemoveFromArray {
                path: path(&["workspace", "members"]),
                value: "b".to_owned(),
            },
            without("cart"),
        ];
        edited(&added, &removals, text);
    }

    #[test]
    fn a_dependency_from_another_source_is_left_alone() {
        let text = "[dependencies]\nshop = { git = \"x\", rev = \"1\" } # ours\nx = \"1\"\n";
        edited(text, &[without("shop")], text);
        let aliased =
            "[dependencies]\nboutique = { package = \"shop\", path = \"./extensions/shop/\" }\n";
        edited(aliased, &[without("shop")], "[dependencies]\n");
        let both = format!("{aliased}shop = {{ path = \"extensions/shop\" }}\n");
        edited(aliased, &[dependency("shop")], &both);
    }

    #[test]
    fn a_package_that_was_renamed_keeps_its_line() {
        let text = "[dependencies]\n# the shop\nshop = { path = \"extensions/shop\", features = [\"x\"] } # ours\nx = \"1\"\n";
        let renamed = "[dependencies]\n# the shop\nbistro-shop = { path = \"extensions/shop\", features = [\"x\"] } # ours\nx = \"1\"\n";
        edited(text, &[in_folder("bistro-shop", "shop")], renamed);
        let twice = format!("{renamed}shop = {{ path = \"extensions/shop\" }}\n");
        edited(&twice, &[in_folder("bistro-shop", "shop")], renamed);
    }

    #[test]
    fn unexpected_toml_is_an_error() {
        assert!(apply("[workspace\n", &[member("a")]).is_err());
        let error = apply("workspace = 1\n", &[member("a")]).unwrap_err();
        assert!(
            error.to_string().contains("`workspace` is not a table"),
            "{error}"
        );
        assert!(apply("[workspace]\nmembers = 1\n", &[member("a")]).is_err());
    }
}
