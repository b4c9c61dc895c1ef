//! Everything that is registered, checked when the service starts.

mod entry;
mod grants;
pub(crate) mod mistakes;
mod mixed;
mod routes;
mod words;

use std::{any::Any, collections::HashMap};

pub use entry::{Entry, Registered, Resource};

use crate::{action::ActionEntry, permission, route::Route};

/// The paths of tokens.
const TOKENS: [&str; 2] = ["/token", "/token/user"];

/// Everything that is registered, by key and by index.
#[derive(Default)]
pub struct Registry {
    entries: Vec<Entry>,
    by_key: HashMap<&'static str, usize>,
    /// The tables whose rows are locations.
    location_tables: Vec<&'static str>,
    routes: Vec<Route>,
    reserved: Vec<&'static str>,
    rule_words: Vec<&'static str>,
    media_types: Vec<&'static str>,
}

impl Registry {
    /// Registers resources, supporting models, routes and the names of rules and media types, and
    /// resolves relations.
    ///
    /// With it come mistakes in sentences: a key that is registered twice, a relation to a key that is
    /// not registered. [`mistakes::among`] finds those that entries and routes make together.
    pub(crate) fn new(
        registered: impl IntoIterator<Item = Registered>,
        routes: Vec<Route>,
        reserved: Vec<&'static str>,
        rule_words: Vec<&'static str>,
        media_types: Vec<&'static str>,
    ) -> (Self, Vec<String>) {
        let mut registry = Self {
            routes,
            reserved: [&TOKENS[..], &reserved].concat(),
            rule_words,
            media_types,
            ..Self::default()
        };
        let mut mistakes = Vec::new();
        for entry in registered {
            registry.add(entry.0, &mut mistakes);
        }
        registry.resolve(&mut mistakes);
        registry.location_tables = registry.tables_of_locations();
        (registry, mistakes)
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

    /// The tables that the relations of `Repository::LOCATION` lead to.
    fn tables_of_locations(&self) -> Vec<&'static str> {
        let sources = || self.entries.iter().map(|entry| &entry.source);
        let binding = sources().filter_map(|source| {
            let name = source.location()?;
            let mut relations = source.relations().iter();
            relations.find(|relation| relation.info.name == name)
        });
        let targets = binding.flat_map(|relation| &relation.targets);
        let tables = targets.filter_map(|target| Some(self.get(*target)?.source.schema().table));
        tables.collect()
    }

    /// Whether the rows of this table are locations that administrators may be assigned to.
    pub(crate) fn are_locations(&self, table: &str) -> bool {
        self.location_tables.contains(&table)
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

    /// The routes of extensions, in the order of registration.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// The abilities a route requires: those it names itself, or those of its resource.
    pub fn required_abilities(&self, route: &Route) -> &'static [&'static str] {
        if !route.required_abilities().is_empty() {
            return route.required_abilities();
        }
        let entry = route.resource_key().and_then(|key| self.find(key));
        let resource = entry.and_then(|entry| entry.resource.as_ref());
        resource.map_or(&[], |resource| resource.controller.required_abilities())
    }

    /// The permission that an administrator needs for a request to a route, which changes nothing if it
    /// `reads`: the one it names itself, or that of its resource.
    pub(crate) fn required_permission(&self, route: &Route, reads: bool) -> Option<String> {
        let named = route.required_permission().map(str::to_owned);
        named.or_else(|| Some(permission::of_resource(route.resource_key()?, reads)))
    }

    /// The permissions that resources and routes ask administrators for.
    pub fn permissions(&self) -> Vec<String> {
        let resources = self.entries.iter().filter(|entry| entry.resource.is_some());
        let of_resources = resources
            .flat_map(|entry| [true, false].map(|reads| permission::of_resource(entry.key, reads)));
        let routes = self.routes.iter().filter_map(Route::required_permission);
        of_resources.chain(routes.map(str::to_owned)).collect()
    }

    /// The media types beside JSON and JSON:API, which serializers of the project write.
    pub fn media_types(&self) -> &[&'static str] {
        &self.media_types
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

    /// The index of a controller that is registered: of the value itself, or of one that cannot
    /// differ from it, because its type has no fields.
    pub(crate) fn index_of<C: Any>(&self, controller: &C) -> Option<usize> {
        let same = |index: &usize| {
            self.controller::<C>(*index)
                .is_some_and(|known| size_of::<C>() == 0 || std::ptr::eq(known, controller))
        };
        (0..self.entries.len()).find(same)
    }

    /// The registered controller at this index, where it has this type.
    pub(crate) fn controller<C: Any>(&self, index: usize) -> Option<&C> {
        let resource = self.get(index)?.resource.as_ref()?;
        let controller: &dyn Any = &*resource.controller;
        controller.downcast_ref()
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
    !key.is_empty() && key.bytes().all(legal)
}
