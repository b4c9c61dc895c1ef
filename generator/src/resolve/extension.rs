//! Names of the project and its extensions, from their `Cargo.toml`s and folders.

use toml_edit::{Document, Item};

use crate::diagnostic::Code;
use crate::manifest::{Sources, Span};
use crate::name::{self, ExtensionNames};

use super::report::Report;

/// Package name of a project whose `Cargo.toml` does not exist yet.
const UNNAMED: &str = "app";

/// Returns the package and library name of the project.
pub fn project(sources: &Sources, report: Report<'_>) -> (String, String) {
    let cargo = sources.cargo().and_then(|text| parse(&text, report));
    let key = |path: &[&str]| text(cargo.as_ref()?, path);
    let package = key(&["package", "name"]);
    if cargo.is_some() && package.is_none() {
        let help = "write `[package]` and below it `name = \"…\"`, the name of the service";
        report.reject(
            Code::Missing,
            Span::default(),
            "the package has no name",
            help,
        );
    }
    let package = package.unwrap_or_else(|| UNNAMED.to_owned());
    let library = key(&["lib", "name"]).unwrap_or_else(|| package.replace('-', "_"));
    (package, library)
}

/// Returns the names of the extension in a folder: as declared, as its `Cargo.toml` says, or from the folder.
pub fn names(sources: &Sources, folder: &str, report: Report<'_>) -> Option<ExtensionNames> {
    let cargo = sources.extension_cargo(folder);
    let cargo = cargo.and_then(|text| parse(&text, report));
    let key = |path: &[&str]| text(cargo.as_ref()?, path);
    let declared = sources.declared_id(folder).map(ToOwned::to_owned);
    let id = declared.or_else(|| key(&["package", "metadata", "formwork", "id"]));
    let id = id.unwrap_or_else(|| folder.to_owned());
    let names = match name::extension(&id) {
        Ok(names) => names,
        Err(reason) => {
            report.error(Code::IllegalName, Span::default(), reason);
            return None;
        }
    };
    if !name::is_plain(folder) {
        let message = format!("`{folder}` cannot be an extension's folder");
        let help = "name it by lower-case letters, digits and `_`, a letter first";
        report.reject(Code::IllegalName, Span::default(), message, help);
        return None;
    }
    let package = key(&["package", "name"]).unwrap_or_else(|| folder.replace('_', "-"));
    Some(ExtensionNames {
        library: package.replace('-', "_"),
        package,
        folder: folder.to_owned(),
        ..names
    })
}

fn parse(text: &str, report: Report<'_>) -> Option<Document<String>> {
    match Document::parse(text.to_owned()) {
        Ok(document) => return Some(document),
        Err(_) if report.conflict(text) => {}
        Err(error) => {
            let span = error.span().unwrap_or_default();
            let span = Span::new(span.start, span.end);
            let message = format!("this is not TOML: {}", error.message().trim());
            let help = "correct the file: Cargo cannot read it either";
            report.reject(Code::Syntax, span, message, help);
        }
    }
    None
}

fn text(document: &Document<String>, path: &[&str]) -> Option<String> {
    let mut item: &Item = document.as_item();
    for key in path {
        item = item.get(key)?;
    }
    item.as_str().map(ToOwned::to_owned)
}
