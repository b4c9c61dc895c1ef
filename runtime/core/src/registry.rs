//! Everything that is registered, checked when the service starts.

mod grants;

use std::collections::{BTreeSet, HashMap};

use formwork_data::{
    error::{Error, Result},
    relations::RelationInfo,
};

use crate::{
    action::{Action, ActionEntry, Allow},
    auth::{Account, Caller},
    params::LEVELS,
    resource::{ApiResource, Controller, SupportingModel},
    route::{self, Route},
    source::Source,
};
use grants::Grants;

/// A registered resource or model.
pub struct Entry {
    /// The key relations name it by.
    pub key: &'static str,
    /// How its rows are read and shown.
    pub source: Box<dyn Source>,
    /// Its endpoint; none: a supporting model.
    pub resource: Option<Resource>,
}

/// A record that is ready to be registered.
pub struct Registered(Entry);

impl From<ApiResource> for Registered {
    fn from(record: ApiResource) -> Self {
        Self(Entry::resource(record))
    }
}

impl From<SupportingModel> for Registered {
    fn from(model: SupportingModel) -> Self {
        Self(Entry::supporting(model))
    }
}

/// The endpoint of a registered resource.
pub struct Resource {
    /// Its name for people.
    pub name: &'static str,
    /// Its description, in a sentence.
    pub description: &'static str,
    /// Its controller.
    pub controller: Box<dyn Controller>,
    /// The actions that are registered and configured.
    registered: Vec<ActionEntry>,
    /// Those of them that are on, and for whom.
    grants: Grants,
}

impl Resource {
    /// The context of this action; `None` where it is not registered, not configured, or switched
    /// off (docs/contract.md, "Routes"). Do not keep it: the admin area changes it while the
    /// service runs.
    pub fn allow(&self, action: Action) -> Option<Allow> {
        self.grants.allow(action)
    }

    /// The actions that are on, in the order of docs/contract.md "Routes".
    pub fn enabled(&self) -> impl Iterator<Item = ActionEntry> + '_ {
        let on = |action| {
            let allow = self.allow(action)?;
            Some(ActionEntry { action, allow })
        };
        Action::ALL.into_iter().filter_map(on)
    }

    /// The actions that are registered and configured, as their record has them: what can be on.
    pub fn registered(&self) -> &[ActionEntry] {
        &self.registered
    }

    /// Switches on what is among these and registered; `None`: all, as registered.
    fn grant(&self, entries: Option<&[ActionEntry]>) -> bool {
        let Some(entries) = entries else {
            return self.grants.set(&self.registered);
        };
        let known = |entry: &&ActionEntry| {
            let mut registered = self.registered.iter();
            registered.any(|it| it.action == entry.action)
        };
        let granted: Vec<_> = entries.iter().filter(known).copied().collect();
        self.grants.set(&granted)
    }
}

/// Everything that is registered, by key and by index.
#[derive(Default)]
pub struct Registry {
    entries: Vec<Entry>,
    by_key: HashMap<&'static str, usize>,
    routes: Vec<Route>,
    reserved: Vec<&'static str>,
}

impl Registry {
    /// Registers resources, supporting models and routes, and resolves relations.
    ///
    /// # Errors
    ///
    /// Every mistake at once, in sentences: a key that is registered twice, a relation to a key that
    /// is not registered.
    pub fn new(
        registered: impl IntoIterator<Item = Registered>,
        routes: Vec<Route>,
        reserved: Vec<&'static str>,
    ) -> Result<Self, Vec<String>> {
        let mut registry = Self {
            routes,
            reserved: [&route::TOKENS[..], &reserved].concat(),
            ..Self::default()
        };
        let mut mistakes = Vec::new();
        for entry in registered {
            registry.add(entry.0, &mut mistakes);
        }
        registry.resolve(&mut mistakes);
        mistakes.extend(registry.mixed_types());
        mistakes.extend(route::mistakes(
            &registry.routes,
            &registry.resource_keys(),
            &registry.reserved,
        ));
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
        let is_reserved = || self.reserved.contains(&&*format!("/{}", entry.key));
        if entry.resource.is_some() && (!is_path_segment(entry.key) || is_reserved()) {
            mistakes.push(format!(
                "`{}` cannot be a resource's key: it is the segment of a path, of lower-case letters, \
                 digits, `-` and `_`, and not reserved for the service",
                entry.key
            ));
        }
        mistakes.extend(entry.twice().map(|action| {
            let (name, key) = (action.name(), entry.key);
            format!("`{key}` registers the action `{name}` twice: keep one of its contexts")
        }));
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
                    "the relation `{relation}` of `{key}` names `{target}`: no resource or model has this key"
                )
            }));
        }
    }

    /// Objects of a document are known by type and id: rows of two tables under one type in one
    /// document could not be distinguished.
    fn mixed_types(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        let resources = self.entries().filter(|(_, entry)| entry.resource.is_some());
        for (first, entry) in resources {
            for mistake in self.mixed_from(first, entry) {
                if !mistakes.contains(&mistake) {
                    mistakes.push(mistake);
                }
            }
        }
        mistakes
    }

    /// As [`Registry::mixed_types`], in the documents whose primary data are of one resource.
    fn mixed_from(&self, first: usize, entry: &Entry) -> Vec<String> {
        let mut mistakes = Vec::new();
        let mut tables = HashMap::from([(entry.key, entry.source.schema().table)]);
        let (mut level, mut seen) = (vec![first], BTreeSet::from([first]));
        for depth in 0..LEVELS {
            let edges: Vec<Edge<'_>> = self.edges(&level).collect();
            // A relation that cannot be included can still be written by its linkage; it is not
            // followed.
            let followed = |edge: &&Edge<'_>| depth == 0 || edge.relation.include.is_some();
            let mut next = Vec::new();
            for edge in edges.iter().filter(followed) {
                let table = edge.target.source.schema().table;
                let known = *tables.entry(edge.kind()).or_insert(table);
                if known != table {
                    mistakes.push(edge.mixes(table, known));
                }
                if edge.relation.include.is_some() && seen.insert(edge.index) {
                    next.push(edge.index);
                }
            }
            level = next;
        }
        mistakes
    }

    /// The relations of some entries, with each of their targets.
    fn edges<'r>(&'r self, level: &'r [usize]) -> impl Iterator<Item = Edge<'r>> {
        let entries = level.iter().filter_map(|at| self.get(*at));
        let relations = entries.flat_map(|from| {
            let relations = from.source.relations().iter();
            relations.map(move |relation| (from, relation))
        });
        relations.flat_map(move |(from, relation)| {
            relation.targets.iter().filter_map(move |index| {
                Some(Edge {
                    from,
                    relation: relation.info,
                    target: self.get(*index)?,
                    index: *index,
                })
            })
        })
    }

    /// Warnings, in sentences: registrations that are legal and likely a mistake. An owner narrows
    /// what customers reach, not guests.
    pub fn doubts(&self) -> Vec<String> {
        let told = |entry: &Entry| {
            let enabled = entry.resource.iter().flat_map(Resource::enabled);
            entry.doubts(enabled)
        };
        self.entries.iter().flat_map(told).collect()
    }

    /// Switches actions of a resource on and off; `None` restores the registration. True where that
    /// is a change.
    pub fn grant(&self, key: &str, entries: Option<&[ActionEntry]>) -> bool {
        let resource = self.find(key).and_then(|entry| entry.resource.as_ref());
        resource.is_some_and(|resource| resource.grant(entries))
    }

    fn resource_keys(&self) -> Vec<&'static str> {
        let resources = self.entries.iter().filter(|entry| entry.resource.is_some());
        resources.map(|entry| entry.key).collect()
    }

    /// The routes of extensions, in the order of registration.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// Paths below the API's prefix that no resource and no route may take.
    pub fn reserved_paths(&self) -> &[&'static str] {
        &self.reserved
    }

    /// The entry at this index.
    pub fn get(&self, index: usize) -> Option<&Entry> {
        self.entries.get(index)
    }

    /// The entry of this key.
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

/// A relation of an entry to one of its targets.
struct Edge<'r> {
    from: &'r Entry,
    relation: &'static RelationInfo,
    target: &'r Entry,
    index: usize,
}

impl Edge<'_> {
    /// The type of the target's objects in documents.
    fn kind(&self) -> &'static str {
        self.relation.type_of(self.target.key)
    }

    /// In words: rows of two tables have its type.
    fn mixes(&self, table: &str, known: &str) -> String {
        format!(
            "the relation `{}` of `{}` gives rows of `{table}` the type `{}` in documents, \
             which rows of `{known}` have already",
            self.relation.name,
            self.from.key,
            self.kind()
        )
    }
}

/// Whether a resource can be found under this key.
fn is_path_segment(key: &str) -> bool {
    let legal = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    !key.is_empty() && key.bytes().all(legal)
}

impl Entry {
    fn resource(record: ApiResource) -> Self {
        let configured = record.controller.actions();
        let enabled = |entry: &&ActionEntry| {
            configured
                .iter()
                .any(|config| config.action() == entry.action)
        };
        let registered: Vec<_> = record.actions.iter().filter(enabled).copied().collect();
        Self {
            key: record.key,
            source: record.controller.source(),
            resource: Some(Resource {
                name: record.name,
                description: record.description,
                controller: record.controller,
                grants: Grants::of(&registered),
                registered,
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

    /// The actions that its record names more than once: one context would have to be guessed.
    fn twice(&self) -> impl Iterator<Item = Action> + '_ {
        let registered = self.resource.iter().map(Resource::registered);
        Action::ALL.into_iter().filter(move |action| {
            let entries = registered.clone().flatten();
            entries.filter(|entry| entry.action == *action).count() > 1
        })
    }

    /// Warnings where these actions are on; see [`Registry::doubts`].
    pub fn doubts(&self, on: impl Iterator<Item = ActionEntry>) -> Vec<String> {
        let Some(owner) = self.source.owner() else {
            return Vec::new();
        };
        let open = |it: &ActionEntry| {
            let rows = !matches!(it.action, Action::Create | Action::Store);
            rows && matches!(it.allow, Allow::All | Allow::Guest)
        };
        let told = |it: ActionEntry| {
            format!(
                "guests reach the rows of every `{owner}` by `{}` of `{}`: with the context \
                 `users`, customers reach only their own",
                it.action.name(),
                self.key
            )
        };
        on.filter(open).map(told).collect()
    }

    /// Lets a caller see these records where another resource includes them: docs/contract.md, "Who may do
    /// what". `include` is the path the client asked for, for the message.
    ///
    /// # Errors
    ///
    /// 403 where the caller passes neither the index nor the show context, or its token does not
    /// cover the resource's abilities.
    pub fn check_included(&self, caller: &Caller, include: &str) -> Result<()> {
        let seen = [Action::Index, Action::Show]
            .into_iter()
            .any(|action| self.answers(caller, action));
        if self.resource.is_none() || seen {
            Ok(())
        } else {
            Err(Error::ForbiddenInclude(include.to_owned()))
        }
    }

    /// Whether a route does an action for this caller: it is on, and its context and abilities let
    /// the caller pass.
    pub fn answers(&self, caller: &Caller, action: Action) -> bool {
        self.resource.as_ref().is_some_and(|resource| {
            let abilities = resource.controller.required_abilities();
            let permitted = resource.allow(action).is_some_and(|it| caller.passes(it));
            let covered = |account: &Account| account.abilities.cover(abilities, action);
            permitted && caller.account().is_none_or(covered)
        })
    }
}
