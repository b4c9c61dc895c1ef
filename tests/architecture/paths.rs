//! Paths of a module: leaves of `use`, paths of types and expressions, and paths inside of macros; the
//! methods that it declares and calls.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{
    Attribute, ExprMethodCall, Ident, ImplItem, ImplItemFn, Item, ItemImpl, ItemUse, Lit, LitStr,
    Macro, Meta, Path, TraitItemFn, Type, UseTree, Visibility,
};

use crate::{
    sources::{Import, Module, Segments},
    sql::is_statement,
};

/// An identifier without `r#`.
pub fn ident(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// Whether an item is compiled for tests alone: `#[cfg(test)]`, `#[cfg(doctest)]`.
pub fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => return false,
    };
    attributes.iter().any(is_test_attribute)
}

fn is_test_attribute(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else {
        return attribute.path().is_ident("test");
    };
    let condition = list.tokens.to_string();
    list.path.is_ident("cfg") && matches!(condition.as_str(), "test" | "doctest")
}

/// The leaves of a `use`, with groups, renames and globs spelled out.
pub fn leaves(tree: &UseTree, is_public: bool) -> Vec<Import> {
    let mut found = Vec::new();
    walk(tree, &mut Segments::new(), is_public, &mut found);
    found
}

fn walk(tree: &UseTree, before: &mut Segments, is_public: bool, found: &mut Vec<Import>) {
    let mut leaf = |name: Option<&Ident>, last: Option<&Ident>| {
        let mut path = before.clone();
        // `use a::{self}` imports `a`.
        path.extend(
            last.map(ident)
                .filter(|last| last != "self" || before.is_empty()),
        );
        let name = match name.map(ident) {
            Some(name) if name == "self" => path.last().cloned(),
            name => name,
        };
        found.push(Import {
            name,
            path,
            is_public,
        });
    };
    match tree {
        UseTree::Name(it) => leaf(Some(&it.ident), Some(&it.ident)),
        UseTree::Rename(it) => leaf(Some(&it.rename), Some(&it.ident)),
        UseTree::Glob(_) => leaf(None, None),
        UseTree::Path(it) => {
            before.push(ident(&it.ident));
            walk(&it.tree, before, is_public, found);
            before.pop();
        }
        UseTree::Group(it) => {
            for tree in &it.items {
                walk(tree, before, is_public, found);
            }
        }
    }
}

/// Collects the paths of an item into its module.
pub struct Collector<'m>(&'m mut Module);

impl<'m> Collector<'m> {
    /// Collects into this module.
    pub fn new(module: &'m mut Module) -> Self {
        Self(module)
    }

    /// Collects the paths of an item.
    pub fn collect(&mut self, item: &Item) {
        self.visit_item(item);
    }

    /// Paths in tokens, below a path: identifiers with `::` between, a group behind `::`.
    fn tokens(&mut self, above: &Segments, tokens: TokenStream) {
        let mut path = above.clone();
        // Colons since the last identifier; other punctuation and literals end a path.
        let mut colons = 0;
        // Whether `concat!` stands before.
        let mut joins = false;
        // Whether a dot stands before: `.m`.
        let mut is_member = false;
        for token in tokens {
            let is_joined = std::mem::take(&mut joins);
            let is_called = std::mem::take(&mut is_member);
            if matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ':') {
                colons += 1;
                continue;
            }
            let goes_on = std::mem::take(&mut colons) == 2;
            match token {
                TokenTree::Ident(name) => {
                    if !goes_on {
                        self.end(&mut path, above);
                    }
                    if is_called {
                        self.0.calls.insert(ident(&name));
                    }
                    path.push(ident(&name));
                }
                TokenTree::Group(group) if goes_on => {
                    self.tokens(&path, group.stream());
                    path.clone_from(above);
                }
                TokenTree::Group(group) => {
                    self.end(&mut path, above);
                    if is_joined {
                        self.joined(group.stream());
                    }
                    self.tokens(&Segments::new(), group.stream());
                }
                TokenTree::Literal(literal) => {
                    self.end(&mut path, above);
                    if let Lit::Str(text) = Lit::new(literal) {
                        self.visit_lit_str(&text);
                    }
                }
                TokenTree::Punct(mark) => {
                    is_member = mark.as_char() == '.';
                    joins =
                        mark.as_char() == '!' && path.last().is_some_and(|name| name == "concat");
                    self.end(&mut path, above);
                }
            }
        }
        self.end(&mut path, above);
    }

    /// A statement in the parts of `concat!`, none of which is one.
    fn joined(&mut self, tokens: TokenStream) {
        let mut parts = Vec::new();
        texts(tokens, &mut parts);
        let parts: Vec<String> = parts.iter().map(LitStr::value).collect();
        self.text(&parts.concat());
    }

    /// A text of the code.
    fn text(&mut self, text: &str) {
        if is_statement(text) {
            self.0.references.push(SQL.map(str::to_owned).into());
        }
    }

    fn end(&mut self, path: &mut Segments, above: &Segments) {
        let path = std::mem::replace(path, above.clone());
        if path != *above {
            self.0.references.push(path);
        }
    }
}

/// The texts among tokens.
fn texts(tokens: TokenStream, found: &mut Vec<LitStr>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => texts(group.stream(), found),
            TokenTree::Literal(literal) => {
                if let Lit::Str(text) = Lit::new(literal) {
                    found.push(text);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// The segments of a path, without what they are generic in.
pub fn segments(path: &Path) -> Segments {
    let segments = path.segments.iter();
    segments.map(|segment| ident(&segment.ident)).collect()
}

/// The path that represents SQL in a text: rules leave it to some modules like any other.
const SQL: [&str; 2] = ["sql_text", "statement"];

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast ItemImpl) {
        if let (None, Type::Path(owner)) = (&block.trait_, &*block.self_ty) {
            let names = block.items.iter().filter_map(|item| match item {
                ImplItem::Fn(function) => Some(ident(&function.sig.ident)),
                _ => None,
            });
            let owner = segments(&owner.path);
            self.0
                .inherent
                .extend(names.map(|name| (owner.clone(), name)));
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        if !function.attrs.iter().any(is_test_attribute) {
            self.0.methods.push(ident(&function.sig.ident));
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.0.methods.push(ident(&function.sig.ident));
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.0.calls.insert(ident(&call.method));
        visit::visit_expr_method_call(self, call);
    }

    // A `use` inside of a function counts for the module.
    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.0.imports.extend(leaves(&import.tree, false));
    }

    fn visit_path(&mut self, path: &'ast Path) {
        self.0.references.push(segments(path));
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, inner: &'ast Macro) {
        self.visit_path(&inner.path);
        self.tokens(&Segments::new(), inner.tokens.clone());
        if inner.path.is_ident("concat") {
            self.joined(inner.tokens.clone());
        }
    }

    // `#[serde(with = "crate::moment")]` names a path in a text.
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            let mut named = Vec::new();
            texts(list.tokens.clone(), &mut named);
            let paths = named.iter().filter_map(|text| text.parse::<Path>().ok());
            // Like imports without a name here: they may name a module as well.
            self.0.imports.extend(paths.map(|path| Import {
                name: Some(String::new()),
                path: segments(&path),
                is_public: false,
            }));
            self.tokens(&Segments::new(), list.tokens.clone());
        }
    }

    fn visit_lit_str(&mut self, text: &LitStr) {
        self.text(&text.value());
    }

    // `pub(in crate::database)` uses nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}
