//! Types in signatures of what `formwork` shows can be named through it.

use std::collections::BTreeSet;

use formwork_tests::checkout;
use syn::{
    Attribute, Fields, ImplItem, Item, Path, Signature, TraitItem, Type, TypePath, Visibility,
    visit::{self, Visit},
};

use crate::{
    arrows,
    layers::Rules,
    paths::segments,
    rules::{ADMIN, CORE, DATA, OIDC, RUNTIME, VOCABULARY},
    sources::{self, Modules, Segments, Texts},
    surface::{Surface, is_hidden},
};

/// A definition: the file with its crate, and the name.
type Definition = (String, String);

#[test]
fn types_in_public_signatures_can_be_named() {
    let crates = [&VOCABULARY, &DATA, &CORE, &ADMIN, &OIDC].map(|rules: &Rules| {
        let texts = sources::read(&checkout().join(rules.source));
        Crate::of(&format!("formwork_{}", rules.name), &texts)
    });
    let face = sources::read(&checkout().join(RUNTIME.source));
    assert_eq!(unnameable(&face, &crates), Vec::<String>::new());
}

#[test]
fn a_type_that_is_not_shown_is_seen() {
    let told = |face: &str, core: &str| {
        let texts = |text: &str| Texts::from([("lib.rs".to_owned(), text.to_owned())]);
        unnameable(&texts(face), &[Crate::of("formwork_core", &texts(core))])
    };
    for core in [
        "pub struct A; pub struct B; impl A { pub fn b(&self) -> Option<B> { None } }",
        "pub struct A { pub b: Vec<B> } pub struct B;",
        "pub enum A { One(B) } pub struct B;",
        "pub trait A { fn b(&self, b: &B); } pub struct B;",
        "pub trait A: B {} pub trait B {}",
        "pub fn A(b: impl B) {} pub trait B {}",
        "pub type A = Box<dyn B>; pub trait B {}",
        "pub const A: B = B; pub struct B;",
        "pub static A: Option<B> = None; pub struct B;",
        "pub trait A { const C: B; } pub struct B;",
        "pub struct A; pub struct B; impl A { pub const C: B = B; }",
        "pub enum A<T: B> { One(T) } pub trait B {}",
        "pub enum A<T> where T: B { One(T) } pub trait B {}",
        "pub trait A<T: B> {} pub trait B {}",
        "pub trait A where Self: B {} pub trait B {}",
        "pub type A<T: B> = Vec<T>; pub trait B {}",
        "pub struct A<T>(T); pub trait B {} impl<T: B> A<T> { pub fn c(&self) {} }",
        "pub struct A<T>(T); pub trait B {} impl<T> Clone for A<T> where T: B {}",
        "pub struct A; pub struct B; impl Iterator for A { type Item = B; }",
    ] {
        let found = told("pub use formwork_core::A;", core);
        assert_eq!(found.len(), 1, "{core}: {found:?}");
        assert!(
            told("pub use formwork_core::{A, B};", core).is_empty(),
            "{core}"
        );
    }
    for core in [
        "pub struct A { pub b: other::B }",
        "use other::B; pub struct A; impl B for A {}",
        "use other::B; pub struct A; impl A { pub fn b(&self) -> Option<B> { None } }",
    ] {
        let found = told("pub use formwork_core::A;", core);
        assert_eq!(found, ["`A` names `other::B`"], "{core}");
        assert!(told("pub use formwork_core::A; pub use other;", core).is_empty());
        assert!(told("pub use formwork_core::A; pub use other::B;", core).is_empty());
    }
    assert!(
        told(
            "pub use formwork_core::A;",
            "pub struct A { pub b: std::fs::File }"
        )
        .is_empty()
    );
    let unseen = "pub struct A { b: B } pub struct B; \
                  impl A { fn b(&self) -> B { B } #[doc(hidden)] pub fn c(&self) -> B { B } }";
    assert!(told("pub use formwork_core::A;", unseen).is_empty());
}

/// A crate below `formwork`.
struct Crate {
    name: String,
    modules: Modules,
    /// Modules of a file each, with their items.
    files: Vec<(Segments, Vec<Item>)>,
}

impl Crate {
    fn of(name: &str, texts: &Texts) -> Self {
        let files = texts.iter().map(|(path, text)| {
            let module = path.trim_end_matches(".rs").split('/').map(str::to_owned);
            let module = module.filter(|name| name != "lib").collect();
            (module, syn::parse_file(text).expect("Rust").items)
        });
        Self {
            name: name.to_owned(),
            modules: sources::parse(texts),
            files: files.collect(),
        }
    }

    /// What a path in a module of this crate means.
    fn meaning(&self, module: &Segments, path: &[String], crates: &[Self]) -> Option<Definition> {
        let file = arrows::meaning(&self.name, &self.modules, module, path)?;
        let name = path.last()?.clone();
        if file.starts_with(&format!("{}::", self.name)) {
            return Some((file, name));
        }
        defined(&split(&file), crates)
    }
}

/// What a path that begins with the name of a crate leads to; of a third crate, the path itself.
fn defined(path: &[String], crates: &[Crate]) -> Option<Definition> {
    let (first, rest) = path.split_first()?;
    let Some(of) = crates.iter().find(|it| it.name == *first) else {
        let (name, parents) = path.split_last()?;
        return Some((parents.join("::"), name.clone()));
    };
    let file = arrows::definition(&of.name, &of.modules, rest)?;
    let path = split(&file);
    match path.first() {
        Some(krate) if *krate != of.name => defined(&path, crates),
        _ => Some((file, rest.last()?.clone())),
    }
}

fn split(path: &str) -> Segments {
    path.split("::").map(str::to_owned).collect()
}

/// Types in signatures of what a face shows that it does not show.
fn unnameable(face: &Texts, crates: &[Crate]) -> Vec<String> {
    let modules: Vec<_> = crates
        .iter()
        .map(|it| (it.name.clone(), it.modules.clone()))
        .collect();
    let surface = Surface::of(face, &modules);
    let shown = surface.paths.values();
    let shown: BTreeSet<Definition> = shown.filter_map(|path| defined(path, crates)).collect();
    let mut faults = BTreeSet::new();
    for of in crates {
        for (module, items) in &of.files {
            for item in items {
                let is_shown = |name: &[String]| {
                    let meant = of.meaning(module, name, crates);
                    meant.is_some_and(|meant| shown.contains(&meant))
                };
                let Some((owner, signatures)) =
                    signatures(item).filter(|(owner, _)| is_shown(owner))
                else {
                    continue;
                };
                let used = signatures
                    .0
                    .iter()
                    .filter_map(|path| of.meaning(module, path, crates));
                let hidden = used.filter(|it| !shown.contains(it) && !is_at_hand(&it.0, &surface));
                let owner = owner.join("::");
                faults
                    .extend(hidden.map(|(file, name)| format!("`{owner}` names `{file}::{name}`")));
            }
        }
    }
    faults.into_iter().collect()
}

/// Whether projects name what this path leads to by its crate: it is the standard library's, or of a
/// crate that the face shows whole.
fn is_at_hand(path: &str, surface: &Surface) -> bool {
    let krate = match path.split("::").next().unwrap_or_default() {
        // axum re-exports it.
        "axum_core" => "axum",
        krate => krate,
    };
    matches!(krate, "std" | "core" | "alloc") || surface.paths.contains_key(krate)
}

/// Paths of types in signatures.
#[derive(Default)]
struct Types(Vec<Segments>);

impl<'ast> Visit<'ast> for Types {
    fn visit_path(&mut self, path: &'ast Path) {
        self.0.push(segments(path));
        visit::visit_path(self, path);
    }

    // Of `<C::Model as Model>::Key` the type and the trait.
    fn visit_type_path(&mut self, it: &'ast TypePath) {
        let Some(qualified) = &it.qself else {
            return visit::visit_type_path(self, it);
        };
        self.visit_type(&qualified.ty);
        let mut of_trait = segments(&it.path);
        of_trait.truncate(qualified.position);
        self.0.push(of_trait);
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    // `pub(in crate::database)` is no type.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

impl Types {
    fn fields(&mut self, fields: &Fields, all: bool) {
        for field in fields {
            let is_public = all || matches!(field.vis, Visibility::Public(_));
            if is_public && !field.attrs.iter().any(is_hidden) {
                self.visit_type(&field.ty);
            }
        }
    }

    fn function(&mut self, signature: &Signature, attributes: &[Attribute]) {
        if !attributes.iter().any(is_hidden) {
            self.visit_signature(signature);
        }
    }
}

/// The name that an item declares, or whose methods it has, and the types in its signatures.
fn signatures(item: &Item) -> Option<(Segments, Types)> {
    let mut types = Types::default();
    let name = match item {
        Item::Struct(it) => {
            types.fields(&it.fields, false);
            types.visit_generics(&it.generics);
            &it.ident
        }
        Item::Enum(it) => {
            it.variants
                .iter()
                .for_each(|variant| types.fields(&variant.fields, true));
            types.visit_generics(&it.generics);
            &it.ident
        }
        Item::Fn(it) => {
            types.visit_signature(&it.sig);
            &it.sig.ident
        }
        Item::Const(it) => {
            types.visit_type(&it.ty);
            &it.ident
        }
        Item::Static(it) => {
            types.visit_type(&it.ty);
            &it.ident
        }
        Item::Type(it) => {
            types.visit_type(&it.ty);
            types.visit_generics(&it.generics);
            &it.ident
        }
        Item::Trait(it) => {
            it.supertraits
                .iter()
                .for_each(|bound| types.visit_type_param_bound(bound));
            for inner in &it.items {
                match inner {
                    TraitItem::Fn(it) => types.function(&it.sig, &it.attrs),
                    TraitItem::Type(it) => types.visit_trait_item_type(it),
                    TraitItem::Const(it) if !it.attrs.iter().any(is_hidden) => {
                        types.visit_type(&it.ty);
                    }
                    _ => {}
                }
            }
            types.visit_generics(&it.generics);
            &it.ident
        }
        Item::Impl(it) => {
            let Type::Path(owner) = &*it.self_ty else {
                return None;
            };
            types.visit_generics(&it.generics);
            if let Some((of_trait, _)) = &it.trait_ {
                types.visit_path(of_trait);
            }
            for inner in &it.items {
                match inner {
                    ImplItem::Fn(it) if matches!(it.vis, Visibility::Public(_)) => {
                        types.function(&it.sig, &it.attrs);
                    }
                    ImplItem::Const(it)
                        if matches!(it.vis, Visibility::Public(_))
                            && !it.attrs.iter().any(is_hidden) =>
                    {
                        types.visit_type(&it.ty);
                    }
                    // Those of traits have no visibility of their own.
                    ImplItem::Type(it) => types.visit_type(&it.ty),
                    _ => {}
                }
            }
            return Some((segments(&owner.path), types));
        }
        _ => return None,
    };
    Some((vec![crate::paths::ident(name)], types))
}
