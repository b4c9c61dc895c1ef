//! The public paths of `formwork`, as its sources re-export them one by one. The snapshot `surface.snap` lists them,
//! so that a review sees each name that is added.

use std::collections::BTreeMap;

use formwork_tests::checkout;
use syn::{Attribute, Item, Visibility};

use crate::{
    layers::Rules,
    paths::{ident, is_test, leaves},
    rules::{ADMIN, CORE, DATA, METRICS, OIDC, OPENAPI, REDIS, RUNTIME, VOCABULARY},
    sources::{self, Modules, Segments, Texts},
};

/// The crates below `formwork`, whose modules it re-exports item by item.
const INNER: [&Rules; 8] = [
    &VOCABULARY,
    &DATA,
    &CORE,
    &OPENAPI,
    &ADMIN,
    &REDIS,
    &OIDC,
    &METRICS,
];

#[test]
fn every_public_path_is_listed() {
    let surface = Surface::of(&sources::read(&checkout().join(RUNTIME.source)), &inner());
    assert_eq!(surface.faults, Vec::<String>::new());
    let paths: Vec<String> = surface.paths.into_keys().collect();
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(".");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("surface", paths.join("\n")));
}

#[test]
fn an_added_public_name_is_seen() {
    let paths = |lib: &str| surface_of(lib).paths.into_keys().collect::<Vec<_>>();
    assert_eq!(
        paths("pub use formwork_core::{a::{One, Two as Other}, three};"),
        ["One", "Other", "three"]
    );
    assert_eq!(
        paths("pub mod a { pub use formwork_core::a::One; } pub struct S; pub fn f() {}"),
        ["S", "a::One", "f"]
    );
    assert_eq!(paths("mod b; pub mod c; pub use b::B;"), ["B", "c::C"]);
    assert!(
        paths("#[doc(hidden)] pub use formwork_core::a::One; use x::Y; pub(crate) fn f() {}")
            .is_empty()
    );
}

#[test]
fn globs_and_modules_of_other_crates_are_refused() {
    for lib in [
        "pub use formwork_core::a::*;",
        "pub use formwork_core::{a, b::Two};",
        "pub use formwork_core as core;",
        "pub mod inner { pub use formwork_core::a as other; }",
        "#[doc(hidden)] pub use formwork_core::a;",
        "mod b; pub use b::*;",
    ] {
        assert_eq!(surface_of(lib).faults.len(), 1, "{lib}");
    }
    assert!(
        surface_of("pub use axum; pub use formwork_core::a::One;")
            .faults
            .is_empty()
    );
}

/// The surface of a crate with this `lib.rs`, above a crate `formwork_core` with the module `a`.
fn surface_of(lib: &str) -> Surface {
    let texts = |files: &[(&str, &str)]| -> Texts {
        let owned = files
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        owned.collect()
    };
    let core = texts(&[("lib.rs", "pub mod a;"), ("a.rs", "pub struct One;")]);
    let face = texts(&[
        ("lib.rs", lib),
        ("b.rs", "pub struct B;"),
        ("c.rs", "pub struct C; struct D;"),
    ]);
    let core = ("formwork_core".to_owned(), sources::parse(&core));
    Surface::of(&face, &[core])
}

fn inner() -> Vec<(String, Modules)> {
    let parsed = INNER.map(|rules| {
        let modules = sources::parse(&sources::read(&checkout().join(rules.source)));
        (format!("formwork_{}", rules.name), modules)
    });
    parsed.into()
}

/// What a crate shows.
#[derive(Default)]
pub struct Surface {
    /// Its public paths, with what each leads to.
    pub paths: BTreeMap<String, Segments>,
    /// Re-exports that show names which nobody lists.
    faults: Vec<String>,
}

impl Surface {
    /// What the crate of these texts shows, above other crates.
    pub fn of(texts: &Texts, inner: &[(String, Modules)]) -> Self {
        let mut surface = Self::default();
        surface.add_file(&Segments::new(), "lib.rs", texts, inner);
        surface
    }

    fn add_file(&mut self, at: &Segments, name: &str, texts: &Texts, inner: &[(String, Modules)]) {
        let text = texts.get(name).unwrap_or_else(|| panic!("no file {name}"));
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        self.add(at, &file.items, texts, inner);
    }

    fn add(&mut self, at: &Segments, items: &[Item], texts: &Texts, inner: &[(String, Modules)]) {
        for item in items.iter().filter(|item| !is_test(item)) {
            let Some((name, attributes)) = public(item) else {
                continue;
            };
            let is_shown = !attributes.iter().any(is_hidden);
            let path = |name: &str| [at.as_slice(), &[name.to_owned()]].concat();
            match item {
                Item::Use(import) => {
                    for leaf in leaves(&import.tree, true) {
                        self.faults
                            .extend(fault(leaf.name.as_deref(), &leaf.path, inner));
                        let shown = leaf.name.filter(|_| is_shown);
                        let shown = shown.map(|name| (path(&name).join("::"), leaf.path));
                        self.paths.extend(shown);
                    }
                }
                Item::Mod(module) if is_shown => match &module.content {
                    Some((_, items)) => self.add(&path(&name), items, texts, inner),
                    None => {
                        let file = path(&name).join("/") + ".rs";
                        self.add_file(&path(&name), &file, texts, inner);
                    }
                },
                _ if is_shown => {
                    self.paths.insert(path(&name).join("::"), path(&name));
                }
                _ => {}
            }
        }
    }
}

/// Why a re-export shows more than its name.
fn fault(name: Option<&str>, path: &[String], inner: &[(String, Modules)]) -> Option<String> {
    let whole = path.join("::");
    let (first, rest) = path.split_first()?;
    let below = inner.iter().find(|(krate, _)| krate == first);
    match name {
        None => Some(format!(
            "`{whole}::*` shows names that nobody lists: name each"
        )),
        Some(_) if is_module(&below?.1, rest) => Some(format!(
            "`{whole}` is a module of another crate: name what is used of it"
        )),
        Some(_) => None,
    }
}

/// Whether a path leads to a module, and not to an item that its parent has under this name.
fn is_module(modules: &Modules, path: &[String]) -> bool {
    let is_item = path.split_last().is_some_and(|(name, parent)| {
        let parent = modules.get(parent);
        parent.is_some_and(|parent| {
            let mut imports = parent.imports.iter();
            parent.items.contains(name) || imports.any(|it| it.name.as_ref() == Some(name))
        })
    });
    modules.contains_key(path) && !is_item
}

/// The name and the attributes of a public item; those of `use` have no name.
fn public(item: &Item) -> Option<(String, &[Attribute])> {
    let (visibility, name, attributes) = match item {
        Item::Const(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Enum(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Fn(it) => (&it.vis, ident(&it.sig.ident), &it.attrs),
        Item::Mod(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Static(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Struct(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Trait(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Type(it) => (&it.vis, ident(&it.ident), &it.attrs),
        Item::Use(it) => (&it.vis, String::new(), &it.attrs),
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then_some((name, attributes.as_slice()))
}

/// `#[doc(hidden)]`.
pub fn is_hidden(attribute: &Attribute) -> bool {
    let list = attribute.meta.require_list();
    list.is_ok_and(|list| list.path.is_ident("doc") && list.tokens.to_string() == "hidden")
}
