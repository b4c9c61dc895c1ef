//! Names of the project and its extensions, from their `Cargo.toml`s and folders.

use toml_edit::{Document, Item};

use crate::diagnostic::Code;
use crate::manifest::{Sources, Span};
use crate::name::{self, ExtensionNames};

use super::report::Report;

/// Package name of a project whose `Cargo.toml` does not exist yet.
const UNNAMED: &str = "app";

/// Package and library name of the project.
pub fn project(sources: &Sources, report: &mut Report<'_>) -> (String, String) {
    let cargo = sources.cargo().and_then(|text| parse(&text, report));
    let package = cargo
        .as_ref()
        .and_then(|cargo| text(cargo, &["package", "name"]));
    let library = cargo
        .as_ref()
        .and_then(|cargo| text(cargo, &["lib", "name"]));
    if cargo.is_some() && package.is_none() {
        report
            .error(Code::Missing, Span::default(), "the package has no name")
            .help("write `[package]` and below it `name = \"…\"`, the name of the service");
    }
    let package = package.unwrap_or_else(|| UNNAMED.to_owned());
    let library = library.unwrap_or_else(|| package.replace('-', "_"));
    (package, library)
}

/// Names of the extension in a folder: as declared, as its `Cargo.toml` says, or from the folder.
pub fn names(sources: &Sources, folder: &str, report: &mut Report<'_>) -> Option<ExtensionNames> {
    let cargo = sources
        .extension_cargo(folder)
        .and_then(|text| parse(&text, report));
    let written = cargo
        .as_ref()
        .and_then(|cargo| text(cargo, &["package", "metadata", "formwork", "id"]));
    let declared = sources.declared_id(folder).map(ToOwned::to_owned);
    let id = declared.or(written).unwrap_or_else(|| folder.to_owned());
    let names = match name::extension(&id) {
        Ok(names) => names,
        Err(reason) => {
            report.error(Code::IllegalName, Span::default(), reason);
            return None;
        }
    };
    if !name::is_plain(folder) {
        report
            .error(
                Code::IllegalName,
                Span::default(),
                format!("`{folder}` cannot be an extension's folder"),
            )
            .help("name it by lower-case letters, digits and `_`, a letter first");
        return None;
    }
    let package = cargo
        .as_ref()
        .and_then(|cargo| text(cargo, &["package", "name"]));
    let package = package.unwrap_or_else(|| folder.replace('_', "-"));
    Some(ExtensionNames {
        library: package.replace('-', "_"),
        package,
        folder: folder.to_owned(),
        ..names
    })
}

fn parse(text: &str, report: &mut Report<'_>) -> Option<Document<String>> {
    match Document::parse(text.to_owned()) {
        Ok(document) => Some(document),
        Err(_) if report.conflict(text) => None,
        Err(error) => {
            let span = error
                .span()
                .map_or_else(Span::default, |span| Span::new(span.start, span.end));
            let reason = error.message().to_owned();
            report
                .error(
                    Code::Syntax,
                    span,
                    format!("this is not TOML: {}", reason.trim()),
                )
                .help("correct the file: Cargo cannot read it either");
            None
        }
    }
}

fn text(document: &Document<String>, path: &[&str]) -> Option<String> {
    let mut item: &Item = document.as_item();
    for key in path {
        item = item.get(key)?;
    }
    item.as_str().map(ToOwned::to_owned)
}
