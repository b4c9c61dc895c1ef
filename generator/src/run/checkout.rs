//! Where the runtime crate comes from: the checkout this binary was built in, or the release of its version.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use toml_edit::{DocumentMut, InlineTable, Item, Value, value};

/// The checkout this binary was built in, if it still exists.
///
/// A released binary was built in a registry's folder, which holds no `runtime` beside it.
pub fn root() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    root.join("runtime/Cargo.toml")
        .is_file()
        .then(|| root.to_path_buf())
}

/// Cargo's target folder: that of the checkout, so that compiled crates are shared; otherwise the
/// project's own.
pub fn target_dir(project: &Path) -> PathBuf {
    match (std::env::var_os("CARGO_TARGET_DIR"), root()) {
        (Some(named), _) => PathBuf::from(named),
        (None, Some(checkout)) => checkout.join("target"),
        (None, None) => project.join("target"),
    }
}

/// The dependency on the runtime as TOML, for the `Cargo.toml` of a project: by path in a checkout, else by version.
pub fn runtime_dependency() -> String {
    dependency().to_string().trim().to_owned()
}

/// The dependency on the runtime as the project's `Cargo.toml` names it, otherwise that of a new
/// project. So the render is the same on every machine.
pub fn runtime_of(project: &Path) -> String {
    let written = std::fs::read_to_string(project.join("Cargo.toml")).ok();
    let named = written.and_then(|text| {
        let document: DocumentMut = text.parse().ok()?;
        let value = document
            .get("workspace")?
            .get("dependencies")?
            .get("formwork")?
            .as_value()?;
        Some(value.clone().decorated("", "").to_string())
    });
    named.unwrap_or_else(runtime_dependency)
}

fn dependency() -> Value {
    let Some(checkout) = root() else {
        return Value::from(env!("CARGO_PKG_VERSION"));
    };
    let mut table = InlineTable::new();
    table.insert(
        "path",
        checkout.join("runtime").display().to_string().into(),
    );
    Value::InlineTable(table)
}

/// Points `[workspace.dependencies] formwork` of a laid-out project to the runtime; its features stay.
pub fn name_runtime(cargo_toml: &str) -> Result<String> {
    let mut document: DocumentMut = cargo_toml.parse().context("the example's Cargo.toml")?;
    let dependencies = document
        .get_mut("workspace")
        .and_then(|workspace| workspace.get_mut("dependencies"))
        .and_then(Item::as_table_mut)
        .context("the example's Cargo.toml has no [workspace.dependencies]")?;
    let features = dependencies
        .get("formwork")
        .and_then(|written| written.get("features"))
        .and_then(Item::as_value)
        .cloned();
    dependencies["formwork"] = value(with_features(dependency(), features));
    Ok(document.to_string())
}

fn with_features(dependency: Value, features: Option<Value>) -> Value {
    let Some(features) = features else {
        return dependency;
    };
    let mut table = match dependency {
        Value::InlineTable(table) => table,
        version => InlineTable::from_iter([("version", version)]),
    };
    table.insert("features", features);
    Value::InlineTable(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_that_names_its_runtime_keeps_it() {
        let project = tempfile::tempdir().unwrap();
        assert_eq!(runtime_of(project.path()), runtime_dependency());
        let text = "[workspace.dependencies]\nformwork = { path = \"../../runtime\" } # mine\n";
        std::fs::write(project.path().join("Cargo.toml"), text).unwrap();
        assert_eq!(runtime_of(project.path()), "{ path = \"../../runtime\" }");
    }

    #[test]
    fn the_runtime_is_named_and_the_rest_is_kept() {
        let before = "[workspace.dependencies]\n# kept\nformwork = { path = \"../../runtime\" }\nserde = \"1\"\n";
        let after = name_runtime(before).unwrap();
        assert!(after.contains("# kept\n"), "{after}");
        assert!(after.contains("serde = \"1\""), "{after}");
        assert!(after.contains(&runtime_dependency()), "{after}");
    }

    #[test]
    fn the_features_of_the_runtime_are_kept() {
        let before =
            "[workspace.dependencies]\nformwork = { path = \"x\", features = [\"oidc\"] }\n";
        let after: DocumentMut = name_runtime(before).unwrap().parse().unwrap();
        let runtime = &after["workspace"]["dependencies"]["formwork"];
        assert_eq!(runtime["features"][0].as_str(), Some("oidc"), "{after}");
        let path = root().unwrap().join("runtime");
        assert_eq!(runtime["path"].as_str(), path.to_str(), "{after}");
        let released = with_features("0.1.0".into(), Some(Value::from_iter(["oidc"])));
        assert_eq!(
            released.to_string().trim(),
            "{ version = \"0.1.0\", features = [\"oidc\"] }"
        );
    }
}
