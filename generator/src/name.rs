//! Names: their case, and what Rust or the runtime's prelude already uses.
//! Everything here is deterministic, because names must not drift.

use formwork_vocabulary::inflect::{plural, singular, words};
use heck::{ToPascalCase, ToSnakeCase, ToTitleCase};

use crate::project::Names;

/// Keys that are routes of the service itself.
pub const RESERVED_KEYS: &[&str] = &["token", "docs", "openapi.json"];

/// Keywords of Rust, reserved ones included.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Modules that would hide a crate the poured code names.
const CRATES: &[&str] = &[
    "alloc", "core", "formwork", "mimalloc", "serde", "std", "test",
];

/// Local names of poured code that a variable for a record must not hide.
const LOCALS: &[&str] = &[
    "ctx", "context", "record", "records", "request", "response", "query",
];

/// Types of Rust's prelude and of `formwork::prelude`.
const PRELUDE: &[&str] = &[
    "Access",
    "Action",
    "Actions",
    "ApiResource",
    "AsMut",
    "AsRef",
    "Attribute",
    "Attributes",
    "Box",
    "Clone",
    "Column",
    "Columns",
    "Context",
    "Copy",
    "Date",
    "DateTime",
    "Debug",
    "Decimal",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Error",
    "Extension",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Future",
    "Hash",
    "Include",
    "Into",
    "Iterator",
    "Json",
    "Key",
    "Loaded",
    "Model",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Permission",
    "Pivot",
    "Query",
    "Relation",
    "Relations",
    "Repository",
    "Request",
    "Resource",
    "Response",
    "RestController",
    "Result",
    "Row",
    "Rows",
    "Rule",
    "Rules",
    "Self",
    "Send",
    "Serialize",
    "Sized",
    "Some",
    "String",
    "Sync",
    "Time",
    "ToOwned",
    "ToString",
    "Transformer",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Uuid",
    "Value",
    "Vec",
];

/// Further types of `formwork::prelude`, named where a record's type is declared or imported. (Others it
/// has, `Account` or `Params`, no poured file names, so that a type of that name hides nothing.)
const BESIDE_MODELS: &[&str] = &[
    "Allow",
    "FilterValue",
    "Filters",
    "Links",
    "LoadedRecord",
    "LocationScope",
    "ResourceRequest",
    "Shape",
    "SupportingModel",
];

/// Further types of the prelude, named where an extension's type is declared.
const BESIDE_EXTENSIONS: &[&str] = &["Migration", "SupportingModel"];

/// Further types of the prelude, named where a request is declared.
const BESIDE_REQUESTS: &[&str] = &["ResourceRequest"];

/// Methods that a loaded record has: an accessor of that name would be hidden, or ambiguous.
const LOADED: &[&str] = &[
    "clone",
    "clone_from",
    "has",
    "into",
    "into_record",
    "many",
    "morph_to",
    "one",
    "record",
    "to_many",
    "to_one",
    "to_owned",
    "try_into",
];

/// Modules of the prelude, which would hide a crate of that name.
const MODULES: &[&str] = &["default"];

/// Names of an extension, from the name users write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtensionNames {
    /// `igniter.cart`.
    pub id: String,
    /// `igniter_cart`.
    pub folder: String,
    /// `igniter-cart`.
    pub package: String,
    /// `igniter_cart`.
    pub library: String,
    /// `Cart`.
    pub type_name: String,
}

/// Names of the extension `id`: `name` or `author.name`.
///
/// # Errors
/// Why the name is refused, as a sentence.
pub fn extension(id: &str) -> Result<ExtensionNames, String> {
    let parts: Vec<String> = id.split('.').map(|part| part.to_snake_case()).collect();
    let legal = parts.len() <= 2 && parts.iter().all(|part| is_plain(part));
    if !legal || !id.split('.').all(is_word) {
        let plain = id.to_snake_case();
        let instead = match is_plain(&plain) && parts.len() <= 2 {
            true => format!(": `{plain}` would be one"),
            false => String::new(),
        };
        return Err(format!(
            "`{id}` is not a valid name for an extension: write `name` or `author.name`, in letters, digits and `_`{instead}"
        ));
    }
    let folder = parts.join("_");
    let taken = [CRATES, KEYWORDS, MODULES];
    if taken.iter().any(|names| names.contains(&folder.as_str())) {
        return Err(format!(
            "an extension cannot be called `{id}`: Rust uses that name itself"
        ));
    }
    let last = parts.last().map(String::as_str).unwrap_or_default();
    Ok(ExtensionNames {
        id: parts.join("."),
        package: folder.replace('_', "-"),
        library: folder.clone(),
        type_name: free_type(&last.to_pascal_case(), BESIDE_EXTENSIONS, "Extension"),
        folder,
    })
}

/// Whether `text` can be made a name by changing its case alone: ASCII letters, digits, `_` and `-`.
pub fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// The key that `word` names: `menus`, `Menus` and `menu` are one resource. Known keys come first.
pub fn key_of<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let snake = word.to_snake_case();
    let many = plural(&snake);
    let mut found = None;
    for key in known {
        if key == snake {
            return snake;
        }
        if key == many {
            found = Some(key.to_owned());
        }
    }
    found.unwrap_or(many)
}

/// Rust names of the resource `key`; `model` is the model's name where the manifest gives one.
pub fn names(key: &str, model: Option<&str>) -> Names {
    let one = singular(key);
    let base = model.map_or_else(|| one.to_pascal_case(), ToOwned::to_owned);
    let model = free_type(&base, BESIDE_MODELS, "Record");
    let repository = free_type(&format!("{base}Repository"), &[], "Type");
    let request = free_type(&format!("{base}Request"), BESIDE_REQUESTS, "Type");
    let transformer = free_type(&format!("{base}Transformer"), &[], "Type");
    let others = [&base, &model, &repository, &request, &transformer];
    let controller = controller(&key.to_pascal_case(), others);
    Names {
        module: module(key),
        relations: relations(&model, &controller),
        controller,
        repository,
        request,
        transformer,
        variable: variable(&model),
        model,
        singular_words: words(&one),
        plural_words: words(key),
    }
}

/// A Rust field for a column: snake_case, raw where Rust needs it.
pub fn field(column: &str) -> String {
    let snake = match is_snake_case(column) {
        true => column.to_owned(),
        false => column.to_snake_case(),
    };
    match snake.as_str() {
        "self" | "super" | "crate" | "" => format!("{snake}_"),
        word if KEYWORDS.contains(&word) => format!("r#{word}"),
        word if word.starts_with(|c: char| c.is_ascii_digit()) => format!("_{word}"),
        _ => snake,
    }
}

/// Whether `text` is snake_case already, as most columns are.
fn is_snake_case(text: &str) -> bool {
    is_plain(text) && !text.ends_with('_') && !text.contains("__")
}

/// `menu_item_options` as `Menu Item Options`.
pub fn title(key: &str) -> String {
    key.to_title_case()
}

/// The method that leads to a relation's records: a field's name that no method of a loaded record has.
pub fn accessor(relation: &str) -> String {
    let name = field(relation);
    if LOADED.contains(&name.as_str()) {
        return format!("{name}_");
    }
    name
}

/// Whether `word` is a keyword of Rust, reserved ones included.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether `text` is a snake_case name of ASCII letters, digits and `_` that begins with a letter.
pub fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Whether `text` can name a column or table: letters, digits and `_`, at most 63 of them.
pub fn is_column(text: &str) -> bool {
    text.len() <= 63
        && text.chars().any(|c| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Checks whether `text` can name a field of a record: like a column, but with a letter or `_` first.
pub fn is_field(text: &str) -> bool {
    is_column(text) && !text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether `text` is a type's name: PascalCase, ASCII.
pub fn is_type(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric())
}

/// Whether `text` is a path of identifiers, `crate::Custom` or `shop::repositories::Dishes`.
pub fn is_rust_path(text: &str) -> bool {
    let legal = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && (matches!(part, "crate" | "self" | "super") || !KEYWORDS.contains(&part))
    };
    let last = text.rsplit("::").next().unwrap_or_default();
    text.split("::").all(legal) && !matches!(last, "crate" | "self" | "super")
}

/// A controller's name, which none of the types beside it has.
fn controller(name: &str, others: [&String; 5]) -> String {
    if others.iter().any(|other| *other == name) {
        return free_type(&format!("{name}Controller"), &[], "Type");
    }
    free_type(name, &[], "Controller")
}

/// The trait of a model's relations, which the controller of `menu_relations` must not be.
fn relations(model: &str, controller: &str) -> String {
    let name = format!("{model}Relations");
    if name == controller {
        format!("{name}Trait")
    } else {
        name
    }
}

fn free_type(name: &str, further: &[&str], suffix: &str) -> String {
    let taken = PRELUDE.contains(&name) || further.contains(&name);
    if taken {
        format!("{name}{suffix}")
    } else {
        name.to_owned()
    }
}

/// A module must not be a raw identifier, because it names the folder, too.
fn module(key: &str) -> String {
    if KEYWORDS.contains(&key) || CRATES.contains(&key) {
        format!("{key}_")
    } else {
        key.to_owned()
    }
}

fn variable(model: &str) -> String {
    let name = model.to_snake_case();
    let taken = KEYWORDS.contains(&name.as_str()) || LOCALS.contains(&name.as_str());
    if taken {
        format!("{name}_record")
    } else {
        name
    }
}

#[cfg(test)]
mod tests;
