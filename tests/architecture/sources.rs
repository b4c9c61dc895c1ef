//! The sources of a crate, parsed: its modules with what each declares, imports and names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::{Item, Visibility};

use crate::paths::{Collector, ident, is_test, leaves};

/// A path, segment by segment: `["crate", "error", "Error"]`.
pub type Segments = Vec<String>;

/// One leaf of a `use`.
#[derive(Debug, Clone)]
pub struct Import {
    /// The name it gets here; `None` for a glob.
    pub name: Option<String>,
    /// What is imported.
    pub path: Segments,
    /// Whether others may use it by the name it has here.
    pub is_public: bool,
}

/// A module, in a file of its own or inline.
#[derive(Debug, Default, Clone)]
pub struct Module {
    /// The module whose file holds it, `database::sqlite`; `lib` is the root.
    pub file: String,
    /// What it declares.
    pub items: BTreeSet<String>,
    /// Its imports.
    pub imports: Vec<Import>,
    /// Paths in its code, as they are written.
    pub references: Vec<Segments>,
    /// Methods of its `impl` blocks without a trait: the path of the type, and the name.
    pub inherent: Vec<(Segments, String)>,
    /// Names of all methods that it declares, those of traits included.
    pub methods: Vec<String>,
    /// Names of methods that its code calls.
    pub calls: BTreeSet<String>,
}

/// The modules of a crate by their paths; the root's is empty.
pub type Modules = BTreeMap<Segments, Module>;

/// Texts of the files of a crate by their paths below `src`.
pub type Texts = BTreeMap<String, String>;

/// Reads the files of the crate whose sources lie in this folder.
pub fn read(source: &Path) -> Texts {
    let mut texts = Texts::new();
    for entry in walkdir::WalkDir::new(source) {
        let entry = entry.expect("a source");
        if entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "rs")
        {
            let path = entry.path().strip_prefix(source).expect("below the source");
            let text = std::fs::read_to_string(entry.path()).expect("text");
            texts.insert(path.to_string_lossy().into_owned(), text);
        }
    }
    texts
}

/// Parses the modules that `lib.rs` leads to, without those of tests.
pub fn parse(texts: &Texts) -> Modules {
    let mut modules = Modules::new();
    let text = texts.get("lib.rs").expect("a lib.rs");
    add_file(Segments::new(), "lib.rs", text, texts, &mut modules);
    modules
}

fn add_file(path: Segments, name: &str, text: &str, texts: &Texts, modules: &mut Modules) {
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let label = if path.is_empty() {
        "lib".to_owned()
    } else {
        path.join("::")
    };
    add_module(path, label, &file.items, texts, modules);
}

fn add_module(path: Segments, file: String, items: &[Item], texts: &Texts, modules: &mut Modules) {
    let mut module = Module {
        file,
        ..Module::default()
    };
    let mut exported = Vec::new();
    for item in items.iter().filter(|item| !is_test(item)) {
        match item {
            Item::Mod(inner) => {
                let mut inner_path = path.clone();
                inner_path.push(ident(&inner.ident));
                match &inner.content {
                    Some((_, items)) => {
                        add_module(inner_path, module.file.clone(), items, texts, modules);
                    }
                    None => {
                        let name = inner_path.join("/");
                        let names = [format!("{name}.rs"), format!("{name}/mod.rs")];
                        let found = names.iter().find_map(|name| Some((name, texts.get(name)?)));
                        let (name, text) = found.unwrap_or_else(|| panic!("no file {name}.rs"));
                        add_file(inner_path, name, text, texts, modules);
                    }
                }
            }
            Item::Use(import) => {
                let is_public = !matches!(import.vis, Visibility::Inherited);
                module.imports.extend(leaves(&import.tree, is_public));
            }
            item => {
                if let Item::Macro(inner) = item
                    && inner
                        .attrs
                        .iter()
                        .any(|it| it.path().is_ident("macro_export"))
                {
                    exported.extend(inner.ident.as_ref().map(ident));
                }
                module.items.extend(declared(item));
                Collector::new(&mut module).collect(item);
            }
        }
    }
    // `#[macro_export]` declares at the root; the file that holds the macro stays known.
    for name in exported.into_iter().filter(|_| !path.is_empty()) {
        let mut from = Segments::from(["crate".to_owned()]);
        from.extend(path.iter().cloned());
        from.push(name.clone());
        let root = modules.entry(Segments::new()).or_default();
        root.imports.push(Import {
            name: Some(name),
            path: from,
            is_public: true,
        });
    }
    let entry = modules.entry(path).or_default();
    module.imports.append(&mut entry.imports);
    *entry = module;
}

/// The name that an item declares.
fn declared(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(it) => ident(&it.ident),
        Item::Enum(it) => ident(&it.ident),
        Item::ExternCrate(it) => ident(&it.ident),
        Item::Fn(it) => ident(&it.sig.ident),
        Item::Macro(it) => ident(it.ident.as_ref()?),
        Item::Static(it) => ident(&it.ident),
        Item::Struct(it) => ident(&it.ident),
        Item::Trait(it) => ident(&it.ident),
        Item::TraitAlias(it) => ident(&it.ident),
        Item::Type(it) => ident(&it.ident),
        Item::Union(it) => ident(&it.ident),
        _ => return None,
    })
}
