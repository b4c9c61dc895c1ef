//! Arrows of a crate: which file uses something that another file defines.

use std::collections::{BTreeMap, BTreeSet};

use crate::circles::{Graph, reached};
use crate::sources::{Import, Module, Modules, Segments};

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    /// Something that this file defines.
    Defined(String),
    /// A module as a whole.
    Module(String),
    /// Something of another crate.
    Outside(String),
}

/// The arrows of a crate.
#[derive(Debug, Default)]
pub struct Arrows {
    /// From file to file, both as module paths.
    pub inside: BTreeSet<(String, String)>,
    /// From a file to paths of other crates.
    pub outside: BTreeSet<(String, String)>,
}

/// Imports that lead to imports: no crate nests them deeper.
const DEPTH: usize = 16;

/// Finds the arrows of a crate.
///
/// A re-export of a module's own children is none. An arrow through a re-export of a parent leads to the file that
/// defines the item; through that of any other module, to this module.
pub fn arrows(modules: &Modules) -> Arrows {
    let mut arrows = Arrows::default();
    for (path, module) in modules {
        let resolver = Resolver {
            modules,
            user: Some(path),
        };
        let mut add = |target: Target| match target {
            Target::Defined(to) | Target::Module(to) if to != module.file => {
                arrows.inside.insert((module.file.clone(), to));
            }
            Target::Outside(to) => {
                arrows.outside.insert((module.file.clone(), to));
            }
            _ => {}
        };
        let mut firsts = BTreeSet::new();
        for reference in &module.references {
            firsts.extend((reference.len() > 1).then(|| reference[0].as_str()));
            // A path of code names no module: `value` is a variable beside a module `value`.
            match resolver.resolve(path, reference, 0) {
                Some(Target::Module(_)) | None => {}
                Some(target) => add(target),
            }
        }
        for import in &module.imports {
            let Some(target) = resolver.resolve(path, &import.path, 0) else {
                continue;
            };
            let used = import
                .name
                .as_deref()
                .is_some_and(|name| firsts.contains(name));
            match &target {
                Target::Defined(to) | Target::Module(to)
                    if import.is_public && is_below(to, &module.file) => {}
                // The paths that begin with an imported module say which file of it is used.
                Target::Module(_) if used => {}
                _ => add(target),
            }
        }
    }
    let resolver = Resolver {
        modules,
        user: None,
    };
    let called = resolver.called(&arrows.inside);
    arrows.inside.extend(called);
    arrows
}

/// What a path below this crate leads to: the file of it that defines the item, or a path of a third
/// crate, which it re-exports.
pub fn definition(krate: &str, modules: &Modules, path: &[String]) -> Option<String> {
    let resolver = Resolver {
        modules,
        user: None,
    };
    match resolver.find(&Segments::new(), path, 0)? {
        Target::Defined(file) | Target::Module(file) => Some(format!("{krate}::{file}")),
        Target::Outside(path) => Some(path),
    }
}

/// What a path means that is written in a module: the file of this crate that defines it, or a path of
/// another crate.
pub fn meaning(krate: &str, modules: &Modules, at: &Segments, path: &[String]) -> Option<String> {
    let resolver = Resolver {
        modules,
        user: None,
    };
    match resolver.resolve(at, path, 0)? {
        Target::Defined(file) | Target::Module(file) => Some(format!("{krate}::{file}")),
        Target::Outside(path) => Some(path),
    }
}

/// Whether a module calls this method: `.m(…)`, `Self::m(…)`, `T::m(…)`.
fn calls(module: &Module, method: &str) -> bool {
    let names = |path: &Segments| path.len() > 1 && path.last().is_some_and(|it| it == method);
    module.calls.contains(method) || module.references.iter().any(names)
}

/// Whether a file lies below another.
pub fn is_below(inner: &str, outer: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    outer == "lib" || rest.is_some_and(|rest| rest.starts_with("::"))
}

/// A method in an `impl` block outside of the file of its type.
struct Away<'m> {
    name: &'m str,
    /// The file of the block.
    file: &'m str,
    /// The file of the type.
    owner: String,
}

struct Resolver<'m> {
    modules: &'m Modules,
    /// The module whose arrows are looked for: re-exports of modules that are not above it are not looked through.
    user: Option<&'m Segments>,
}

impl<'m> Resolver<'m> {
    /// Arrows to `impl` blocks outside of the file of their type, from files that call their methods.
    ///
    /// Types of values are not known here: the name of the method is declared once in the crate, and the
    /// file that calls it leads to the type, or it could have no value of it.
    fn called(&self, paths: &Graph) -> Graph {
        let reached = reached(paths);
        let away = self.methods_away();
        let callers = self.modules.values().flat_map(|module| {
            let called = away.iter().filter(|method| calls(module, method.name));
            called.map(move |method| (module.file.as_str(), method))
        });
        let holds = |from: &str, owner: &str| {
            from == owner || reached.get(from).is_some_and(|files| files.contains(owner))
        };
        let found = callers.filter(|(from, it)| *from != it.file && holds(from, &it.owner));
        found
            .map(|(from, method)| (from.to_owned(), method.file.to_owned()))
            .collect()
    }

    /// Methods in an `impl` block outside of the file of their type.
    fn methods_away(&self) -> Vec<Away<'m>> {
        let mut declared: BTreeMap<&str, usize> = BTreeMap::new();
        for name in self.modules.values().flat_map(|module| &module.methods) {
            *declared.entry(name).or_default() += 1;
        }
        let blocks = self.modules.iter().flat_map(|(path, module)| {
            let inherent = module.inherent.iter();
            inherent.map(move |(owner, name)| (path, module, owner, name))
        });
        let away = blocks.filter_map(|(path, module, owner, name)| {
            let Target::Defined(owner) = self.resolve(path, owner, 0)? else {
                return None;
            };
            let is_away = declared.get(name.as_str()) == Some(&1) && owner != module.file;
            is_away.then(|| Away {
                name,
                file: &module.file,
                owner,
            })
        });
        away.collect()
    }

    /// What a path means that is written in this module.
    fn resolve(&self, module: &Segments, path: &[String], depth: usize) -> Option<Target> {
        let mut at = module.clone();
        let mut rest = path;
        let mut anchored = false;
        while let [first, after @ ..] = rest {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => break,
            }
            anchored = true;
            rest = after;
        }
        if let Some(found) = self.find(&at, rest, depth) {
            return Some(found);
        }
        if anchored {
            return Some(Target::Defined(self.modules.get(&at)?.file.clone()));
        }
        let first = rest.first()?;
        let is_crate = rest.len() > 1 && first.starts_with(|letter: char| letter.is_lowercase());
        is_crate.then(|| Target::Outside(rest.join("::")))
    }

    /// What a name means in a module, and the rest of a path behind it.
    fn find(&self, at: &Segments, rest: &[String], depth: usize) -> Option<Target> {
        let module = self.modules.get(at)?;
        let Some((name, after)) = rest.split_first() else {
            return Some(Target::Module(module.file.clone()));
        };
        let mut child = at.clone();
        child.push(name.clone());
        if !after.is_empty() && self.modules.contains_key(&child) {
            let inside = self.find(&child, after, depth);
            return inside.or_else(|| Some(Target::Defined(self.modules[&child].file.clone())));
        }
        if module.items.contains(name) {
            return Some(Target::Defined(module.file.clone()));
        }
        if depth == DEPTH {
            return None;
        }
        let through = |import: &Import| {
            let path: Segments = import.path.iter().chain(after).cloned().collect();
            self.resolve(at, &path, depth + 1)
        };
        let named = |import: &&Import| import.name.as_ref() == Some(name);
        if let Some(found) = module.imports.iter().filter(named).find_map(through) {
            let is_above = |user: &&Segments| user.starts_with(at);
            return Some(match found {
                Target::Defined(_) if !self.user.as_ref().is_none_or(is_above) => {
                    Target::Defined(module.file.clone())
                }
                found => found,
            });
        }
        if self.modules.contains_key(&child) {
            return self.find(&child, after, depth);
        }
        let globs = module.imports.iter().filter(|import| import.name.is_none());
        globs.into_iter().find_map(|glob| {
            let whole = self.resolve_module(at, &glob.path)?;
            (whole != *at).then(|| self.find(&whole, rest, depth + 1))?
        })
    }

    /// The module that the path of a glob leads to, without re-exports of modules.
    fn resolve_module(&self, at: &Segments, path: &[String]) -> Option<Segments> {
        let mut module = at.clone();
        for segment in path {
            match segment.as_str() {
                "crate" => module.clear(),
                "super" => drop(module.pop()),
                "self" => {}
                name => module.push(name.to_owned()),
            }
        }
        self.modules.contains_key(&module).then_some(module)
    }
}
