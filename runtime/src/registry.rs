//! Everything that is registered, checked when the service starts.

use std::collections::HashMap;

use crate::{
    action::{Action, ActionEntry, Allow},
    auth::{AdminUser, Caller},
    error::{Error, Result},
    extension::Extension,
    resource::{ApiResource, Controller, SupportingModel},
    route::{self, Route},
    source::Source,
};

/// What is registered under a key.
pub struct Entry {
    /// The key relations name it by.
    pub key: &'static str,
    /// How its rows are read and shown.
    pub source: Box<dyn Source>,
    /// Its endpoint; none: a supporting model.
    pub resource: Option<Resource>,
}

/// The endpoint of a registered resource.
pub struct Resource {
    /// Its name for people.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub description: &'static str,
    /// What serves it.
    pub controller: Box<dyn Controller>,
    /// The enabled actions: those that are registered and configured.
    pub actions: Vec<ActionEntry>,
}

impl Resource {
    /// Who may ask for this action; `None` where it is not enabled.
    pub fn allow(&self, action: Action) -> Option<Allow> {
        self.actions
            .iter()
            .find(|entry| entry.action == action)
            .map(|entry| entry.allow)
    }
}

/// Everything that is registered, by key and by index.
#[derive(Default)]
pub struct Registry {
    entries: Vec<Entry>,
    by_key: HashMap<&'static str, usize>,
    routes: Vec<Route>,
}

impl Registry {
    /// Registers what the extensions bring, and resolves relations.
    ///
    /// # Errors
    ///
    /// Every mistake at once, in sentences: keys that two register, relations to keys nobody registers.
    pub fn new(extensions: &[Box<dyn Extension>]) -> Result<Self, Vec<String>> {
        let mut registry = Self::default();
        let mut mistakes = Vec::new();
        registry.add(Entry::supporting(AdminUser::registration()), &mut mistakes);
        for extension in extensions {
            for resource in extension.register_api_resources() {
                registry.add(Entry::resource(resource), &mut mistakes);
            }
            for model in extension.register_models() {
                registry.add(Entry::supporting(model), &mut mistakes);
            }
        }
        registry.resolve(&mut mistakes);
        mistakes.extend(registry.mixed_types());
        registry.routes = extensions
            .iter()
            .flat_map(|extension| extension.routes())
            .collect();
        mistakes.extend(route::mistakes(&registry.routes, &registry.resource_keys()));
        if mistakes.is_empty() {
            Ok(registry)
        } else {
            Err(mistakes)
        }
    }

    fn add(&mut self, entry: Entry, mistakes: &mut Vec<String>) {
        let index = self.entries.len();
        let of_repository = entry.source.mistakes().into_iter();
        mistakes.extend(of_repository.map(|mistake| format!("`{}`: {mistake}", entry.key)));
        if entry.resource.is_some() && !is_path_segment(entry.key) {
            mistakes.push(format!(
                "`{}` cannot be a resource's key: it is the segment of a path, of small letters, \
                 digits, `-` and `_`, and no route of the service's own",
                entry.key
            ));
        }
        if self.by_key.insert(entry.key, index).is_some() {
            mistakes.push(format!("two extensions register the key `{}`", entry.key));
        }
        self.entries.push(entry);
    }

    fn resolve(&mut self, mistakes: &mut Vec<String>) {
        let by_key = &self.by_key;
        for entry in &mut self.entries {
            let key = entry.key;
            let unknown = entry.source.resolve(&|target| by_key.get(target).copied());
            mistakes.extend(unknown.into_iter().map(|(relation, target)| {
                format!(
                    "the relation `{relation}` of `{key}` names `{target}`, which nobody registers"
                )
            }));
        }
    }

    /// Objects of a document are known by type and id: rows of two tables under one type, side by
    /// side, would be taken for one another.
    fn mixed_types(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        for entry in &self.entries {
            let mut tables = HashMap::from([(entry.key, entry.source.schema().table)]);
            for relation in entry.source.relations() {
                for target in relation.targets.iter().filter_map(|at| self.get(*at)) {
                    let kind = relation.info.json_type.unwrap_or(target.key);
                    let table = target.source.schema().table;
                    let known = *tables.entry(kind).or_insert(table);
                    if known != table {
                        mistakes.push(format!(
                            "the relation `{}` of `{}` calls rows of `{table}` `{kind}` in \
                             documents, as rows of `{known}` are called",
                            relation.info.name, entry.key
                        ));
                    }
                }
            }
        }
        mistakes
    }

    /// What is legal, and likely not meant, in sentences: an owner narrows what customers reach, not
    /// guests.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for entry in &self.entries {
            let (Some(resource), Some(owner)) = (&entry.resource, entry.source.owner()) else {
                continue;
            };
            for it in &resource.actions {
                let rows = !matches!(it.action, Action::Create | Action::Store);
                if rows && matches!(it.allow, Allow::All | Allow::Guest) {
                    doubts.push(format!(
                        "guests reach the rows of every `{owner}` by `{}` of `{}`: `users` as its \
                         context lets customers reach their own",
                        it.action.name(),
                        entry.key
                    ));
                }
            }
        }
        doubts
    }

    fn resource_keys(&self) -> Vec<&'static str> {
        let resources = self.entries.iter().filter(|entry| entry.resource.is_some());
        resources.map(|entry| entry.key).collect()
    }

    /// The routes of extensions, in the order of registration.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// What is registered at this index.
    pub fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    /// What is registered under this key.
    pub fn find(&self, key: &str) -> Option<&Entry> {
        self.index(key).and_then(|index| self.get(index))
    }

    /// The index of a key.
    pub fn index(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// Everything, in the order of registration.
    pub fn entries(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().enumerate()
    }
}

/// Whether a resource can be found under this key.
fn is_path_segment(key: &str) -> bool {
    let legal = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    !matches!(key, "" | "token" | "docs") && key.bytes().all(legal)
}

impl Entry {
    fn resource(record: ApiResource) -> Self {
        let configured = record.controller.actions();
        let enabled = |entry: &&ActionEntry| {
            configured
                .iter()
                .any(|config| config.action() == entry.action)
        };
        let actions = record.actions.iter().filter(enabled).copied().collect();
        Self {
            key: record.key,
            source: record.controller.source(),
            resource: Some(Resource {
                name: record.name,
                description: record.description,
                controller: record.controller,
                actions,
            }),
        }
    }

    fn supporting(model: SupportingModel) -> Self {
        Self {
            key: model.key,
            source: model.source,
            resource: None,
        }
    }

    /// Lets a caller see these records where another resource includes them: http.md, "Who may do
    /// what". `include` is the path the client asked for, for the message.
    ///
    /// # Errors
    ///
    /// 403 for who passes neither the index nor the show context, or whose token does not cover
    /// the resource's abilities.
    pub fn check_included(&self, caller: &Caller, include: &str) -> Result<()> {
        let Some(resource) = &self.resource else {
            return Ok(());
        };
        let abilities = resource.controller.required_abilities();
        let seen = [Action::Index, Action::Show].into_iter().any(|action| {
            resource
                .allow(action)
                .is_some_and(|allow| allow.permits(caller))
                && caller
                    .account()
                    .is_none_or(|account| account.abilities.cover(abilities, action))
        });
        if seen {
            Ok(())
        } else {
            Err(Error::ForbiddenInclude(include.to_owned()))
        }
    }
}
