//! Lays an embedded example out.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::checkout;
use crate::cli::Example;

/// Writes an example's files below `path`, its runtime dependency pointed to the checkout or the release.
///
/// # Errors
/// When a folder or file cannot be written.
pub fn lay_out(example: Example, path: &Path) -> Result<()> {
    for (name, content) in formwork_examples::files(example.name()) {
        let file = path.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let content = match name {
            "Cargo.toml" => checkout::name_runtime(std::str::from_utf8(content)?)?.into_bytes(),
            _ => content.to_vec(),
        };
        fs::write(&file, content).with_context(|| file.display().to_string())?;
    }
    Ok(())
}
