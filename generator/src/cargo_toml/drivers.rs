//! The runtime's drivers: a feature for each database. SQLite's is one of the default features, so that a project
//! without SQLite names the others of them.

use anyhow::{Result, bail};
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, Value};

/// The runtime's features, one for each database.
const DRIVERS: [&str; 3] = ["sqlite", "postgres", "mysql"];

/// The runtime's default features, but for the driver.
const OTHER_DEFAULTS: [&str; 3] = ["admin", "docs", "openapi"];

/// Makes a dependency on the runtime compile these drivers and no other; says whether it changed.
pub(super) fn ensure(runtime: &mut Item, drivers: &[String]) -> Result<bool> {
    let has = |driver: &str| drivers.iter().any(|one| one == driver);
    let defaults = default_features(runtime);
    let known = features(runtime);
    let mut wanted: Vec<String> = known.clone();
    wanted.retain(|feature| has(feature) || !DRIVERS.contains(&feature.as_str()));
    let leaves_defaults = defaults && !has("sqlite");
    let new = OTHER_DEFAULTS.into_iter().filter(|_| leaves_defaults);
    let own = DRIVERS.into_iter().filter(|driver| has(driver));
    let own = own.filter(|driver| *driver != "sqlite" || !defaults);
    for feature in new.chain(own) {
        if !wanted.iter().any(|one| one == feature) {
            wanted.push(feature.to_owned());
        }
    }
    if wanted == known && !leaves_defaults {
        return Ok(false);
    }
    let table = as_table(runtime)?;
    if leaves_defaults {
        table.insert("default-features", Item::Value(false.into()));
    }
    match wanted.is_empty() {
        true => table.remove("features"),
        false => table.insert("features", Item::Value(Array::from_iter(wanted).into())),
    };
    if let Item::Value(Value::InlineTable(table)) = runtime {
        table.fmt();
    }
    Ok(true)
}

/// Returns the drivers that a feature of the project compiles (`postgres = ["formwork/postgres"]`). The project
/// selects them when it is built, so its dependency does not name them.
pub(super) fn optional(document: &DocumentMut) -> Vec<String> {
    let features = document.get("features").and_then(Item::as_table_like);
    let values = features.into_iter().flat_map(|table| table.iter());
    let enabled = values.filter_map(|(_, value)| value.as_array()).flatten();
    let drivers = enabled.filter_map(|value| value.as_str()?.strip_prefix("formwork/"));
    drivers.map(str::to_owned).collect()
}

fn default_features(runtime: &Item) -> bool {
    let declared = runtime.get("default-features").and_then(Item::as_bool);
    declared.unwrap_or(true)
}

fn features(runtime: &Item) -> Vec<String> {
    let written = runtime.get("features").and_then(Item::as_array);
    let features = written.into_iter().flatten().filter_map(Value::as_str);
    features.map(str::to_owned).collect()
}

/// `"0.1"` is short for `{ version = "0.1" }`.
fn as_table(runtime: &mut Item) -> Result<&mut dyn TableLike> {
    if let Some(version) = runtime.as_str() {
        let table = InlineTable::from_iter([("version", version)]);
        *runtime = Item::Value(Value::InlineTable(table));
    }
    match runtime.as_table_like_mut() {
        Some(table) => Ok(table),
        None => bail!("the dependency `formwork` is neither a version nor a table"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo_toml::apply;
    use crate::rendered::TomlEdit;

    #[track_caller]
    fn edited(dependency: &str, drivers: &[&str], expected: &str) {
        let edit = TomlEdit::EnsureDrivers {
            path: ["workspace", "dependencies"].map(str::to_owned).to_vec(),
            drivers: drivers.iter().map(|&one| one.to_owned()).collect(),
        };
        let text = |line: &str| {
            format!("[workspace.dependencies]\n# ours\nformwork = {line}\nserde = \"1\"\n")
        };
        let once = apply(&text(dependency), std::slice::from_ref(&edit)).unwrap();
        assert_eq!(once, text(expected));
        assert_eq!(apply(&once, &[edit]).unwrap(), once, "a second time");
    }

    #[test]
    fn a_driver_that_a_feature_of_the_project_compiles_is_left_to_it() {
        let features = "[features]\nservers = [\"formwork/postgres\"]\n";
        let edit = |drivers: [&str; 2]| {
            let edit = TomlEdit::EnsureDrivers {
                path: ["workspace", "dependencies"].map(str::to_owned).to_vec(),
                drivers: drivers.map(str::to_owned).to_vec(),
            };
            let text = format!("{features}[workspace.dependencies]\nformwork = \"0.1\"\n");
            apply(&text, &[edit]).unwrap()
        };
        assert!(edit(["sqlite", "postgres"]).ends_with("formwork = \"0.1\"\n"));
        assert!(edit(["sqlite", "mysql"]).contains("features = [\"mysql\"]"));
    }

    #[test]
    fn a_project_on_sqlite_alone_stays_as_it_is() {
        edited("\"0.1\"", &["sqlite"], "\"0.1\"");
        let own = "{ path = \"x\", features = [\"oidc\"] }";
        edited(own, &["sqlite"], own);
        let without = "{ path = \"x\", default-features = false, features = [\"sqlite\"] }";
        edited(without, &["sqlite"], without);
    }

    #[test]
    fn drivers_are_added_and_taken_away() {
        let both = "{ version = \"0.1\", features = [\"postgres\", \"mysql\"] }";
        edited("\"0.1\"", &["sqlite", "postgres", "mysql"], both);
        edited(both, &["sqlite"], "{ version = \"0.1\" }");
        edited(
            "{ path = \"x\", features = [\"oidc\", \"mysql\"] }",
            &["sqlite", "postgres"],
            "{ path = \"x\", features = [\"oidc\", \"postgres\"] }",
        );
    }

    #[test]
    fn without_sqlite_the_other_default_features_are_named() {
        let server = "{ version = \"0.1\", default-features = false, features = [\"admin\", \"docs\", \"openapi\", \"postgres\"] }";
        edited("\"0.1\"", &["postgres"], server);
        let after = server.replace("\"postgres\"", "\"sqlite\", \"postgres\"");
        let back = after.replace("\"sqlite\", \"postgres\"", "\"postgres\", \"sqlite\"");
        edited(server, &["sqlite", "postgres"], &back);
        // Left out on purpose, they stay out.
        edited(
            "{ path = \"x\", default-features = false, features = [\"sqlite\"] }",
            &["mysql"],
            "{ path = \"x\", default-features = false, features = [\"mysql\"] }",
        );
    }

    #[test]
    fn the_default_features_are_those_of_the_runtime() {
        let runtime = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../runtime/Cargo.toml"
        ));
        let runtime: toml_edit::DocumentMut = runtime.parse().unwrap();
        let defaults = runtime["features"]["default"].as_array().unwrap();
        let mut defaults: Vec<&str> = defaults.iter().filter_map(Value::as_str).collect();
        defaults.sort_unstable();
        let mut own = OTHER_DEFAULTS.to_vec();
        own.push("sqlite");
        own.sort_unstable();
        assert_eq!(defaults, own);
        for driver in DRIVERS {
            assert!(runtime["features"].get(driver).is_some(), "{driver}");
        }
    }
}
