//! The shorthand of the command line, and the manifest it writes (docs/guide/manifest.md).
//!
//! `menu_name:string:required menu_price:decimal:15,4:required:min=0 category:references:categories`

mod attribute;

use formwork_vocabulary::inflect::words;
use thiserror::Error;

use crate::name;

use super::ManifestKind;
use super::vocabulary::{DEFAULT_ACTIONS, RelationWord};
use attribute::Fault;
pub(super) use attribute::scalar;

/// First line of a manifest: where editors find the schema.
pub const SCHEMA_LINE: &str =
    "# yaml-language-server: $schema=../../../.formwork/resource.schema.json";

/// The words that make a relation of an argument.
const REFERENCES: &[&str] = &["references", "belongs_to"];

/// Attributes and relations, as a manifest writes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shorthand {
    /// Name and value: the short form, `string required|min:2`, or where that cannot say it the long one,
    /// `{ type: "enum(open, closed)", default: open }`.
    pub attributes: Vec<(String, String)>,
    /// Name and mapping, `{ belongs_to: categories, column: category_id, nullable: false, include: true }`.
    pub relations: Vec<(String, String)>,
}

/// An argument that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{argument}`: {message}{}", help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default())]
pub struct Mistake {
    /// The argument.
    pub argument: String,
    /// Description of the mistake.
    pub message: String,
    /// The suggested correction.
    pub help: Option<String>,
}

/// A manifest to be written.
#[derive(Debug, Clone, Default)]
pub struct NewManifest<'a> {
    /// Key of the resource or model.
    pub key: &'a str,
    /// Which of the two it is; `None` for a resource.
    pub kind: Option<ManifestKind>,
    /// Table, where it is not the key.
    pub table: Option<&'a str>,
    /// `index,show,destroy:admin`, where it is not the default.
    pub actions: Option<&'a str>,
    /// Path of a repository type.
    pub repository: Option<&'a str>,
    /// Attributes and relations.
    pub shorthand: Shorthand,
}

/// Reads the arguments.
///
/// # Errors
/// Every argument that cannot be read. Whether rules fit their types, `resolve` says.
pub fn parse<S: AsRef<str>>(arguments: &[S]) -> Result<Shorthand, Vec<Mistake>> {
    let mut shorthand = Shorthand::default();
    let mut mistakes = Vec::new();
    for argument in arguments.iter().map(AsRef::as_ref) {
        if let Err((message, help)) = shorthand.take(argument) {
            mistakes.push(Mistake {
                argument: argument.to_owned(),
                message,
                help,
            });
        }
    }
    if mistakes.is_empty() {
        Ok(shorthand)
    } else {
        Err(mistakes)
    }
}

impl Shorthand {
    /// Whether it has neither attributes nor relations.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.relations.is_empty()
    }

    fn take(&mut self, argument: &str) -> Result<(), Fault> {
        let (name, rest) = argument.split_once(':').unwrap_or((argument, ""));
        if name.is_empty() {
            let help = "write `title:string`".to_owned();
            return Err(("the name is missing".to_owned(), Some(help)));
        }
        if rest.is_empty() {
            let help = format!("write `{name}:string`");
            return Err(("the type is missing".to_owned(), Some(help)));
        }
        if !name::is_column(name) {
            return Err((format!("`{name}` cannot name a column"), None));
        }
        let (kind, target) = rest.split_once(':').unwrap_or((rest, ""));
        let (list, entry) = if REFERENCES.contains(&kind) {
            (&mut self.relations, reference(name, target)?)
        } else if RelationWord::named(kind).is_some() {
            return Err(other_relation(name, kind, target));
        } else {
            let entry = (name.to_owned(), attribute::value(rest)?);
            (&mut self.attributes, entry)
        };
        if list.iter().any(|(earlier, _)| *earlier == entry.0) {
            return Err((format!("`{}` is declared twice", entry.0), None));
        }
        list.push(entry);
        Ok(())
    }
}

/// The fault of a relation that arguments cannot express.
fn other_relation(name: &str, kind: &str, target: &str) -> Fault {
    let target = target.split([':', '|']).next();
    let target = target.filter(|target| name::is_plain(target));
    let target = target.unwrap_or("categories");
    let message = format!("`{kind}` is a kind of relation, not a type");
    let help = format!("write `{name}: {{ {kind}: {target} }}` below `relations:` in the manifest");
    (message, Some(help))
}

/// `category:references:categories`: each row has one, unless `nullable` follows.
fn reference(name: &str, rest: &str) -> Result<(String, String), Fault> {
    let mut parts = rest.split([':', '|']);
    let target = parts.next().unwrap_or_default();
    if !name::is_plain(target) {
        let message = format!("`{target}` is not the key of a resource");
        let help = "write `category:references:categories`, the key of a resource".to_owned();
        return Err((message, Some(help)));
    }
    let mut nullable = false;
    for part in parts {
        match part {
            "required" => nullable = false,
            "nullable" => nullable = true,
            _ => {
                let message = format!("`{part}` is not a modifier of references");
                let help = "a reference takes `required` or `nullable`".to_owned();
                return Err((message, Some(help)));
            }
        }
    }
    let relation = name.strip_suffix("_id").unwrap_or(name);
    let text = format!(
        "{{ belongs_to: {target}, column: {relation}_id, nullable: {nullable}, include: true }}"
    );
    Ok((relation.to_owned(), text))
}

/// The text of a new manifest: attributes in their short form.
pub fn write(manifest: &NewManifest<'_>) -> String {
    let key = manifest.key;
    let is_model = manifest.kind == Some(ManifestKind::Model);
    let what = if is_model {
        "A model"
    } else {
        "An API resource"
    };
    let description = format!("{what} for {}", words(key));
    let mut lines = vec![
        SCHEMA_LINE.to_owned(),
        format!("name: {}", scalar(&name::title(key))),
        format!("description: {}", scalar(&description)),
        "model:".to_owned(),
    ];
    if let Some(table) = manifest.table {
        lines.push(format!("  table: {}", scalar(table)));
    }
    if manifest.shorthand.attributes.is_empty() {
        lines.push("  attributes: {}".to_owned());
    } else {
        lines.push("  attributes:".to_owned());
        lines.extend(entry_lines(&manifest.shorthand.attributes, "    "));
    }
    if !manifest.shorthand.relations.is_empty() {
        lines.push("  relations:".to_owned());
        lines.extend(entry_lines(&manifest.shorthand.relations, "    "));
    }
    if is_model {
        return lines.join("\n") + "\n";
    }
    lines.push(format!("actions: [{}]", actions(manifest.actions)));
    lines.push(format!("abilities: {key}:*"));
    lines.push("page_limit: 20".to_owned());
    if let Some(repository) = manifest.repository {
        lines.push(format!("repository: {}", scalar(repository)));
    }
    lines.join("\n") + "\n"
}

fn actions(written: Option<&str>) -> String {
    let default = DEFAULT_ACTIONS.join(",");
    let quoted = |action: &str| match action.contains(':') {
        true => format!("\"{action}\""),
        false => scalar(action),
    };
    let actions = written.unwrap_or(&default).split(',').map(str::trim);
    let actions = actions.filter(|action| !action.is_empty()).map(quoted);
    actions.collect::<Vec<_>>().join(", ")
}

/// Returns one line for each attribute or relation.
pub(super) fn entry_lines(entries: &[(String, String)], indent: &str) -> Vec<String> {
    let line = |(name, text): &(String, String)| format!("{indent}{}: {text}", scalar(name));
    entries.iter().map(line).collect()
}

#[cfg(test)]
mod tests;
