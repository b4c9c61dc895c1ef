//! The document, part by part.

use std::mem;

use formwork_core::registry::Entry;
use formwork_data::error::Result;

use super::{
    builder::Builder,
    custom,
    document::{Document, Tag},
    query,
    reach::Kind,
    record::{Records, object_name},
    resource::DescribedResource,
};

impl Builder<'_> {
    /// Returns the document.
    pub fn build(mut self) -> Result<Document> {
        self.configure();
        let paths = mem::take(&mut self.document.paths);
        let tags = self.resources();
        self.schemas();
        let has_others = self.routes(&tags);
        self.common_paths(paths);
        let mut document = self.document;
        let is_used = |tag: &Tag| has_others || tag.name != custom::OTHERS;
        let common = mem::take(&mut document.tags).into_iter().filter(is_used);
        let tags = tags.into_iter().map(|(_, tag)| tag);
        document.tags = tags.chain(common).collect();
        document.prune()?;
        Ok(document)
    }

    /// Adds every resource some action of which is routed; returns their tags, by key.
    fn resources(&mut self) -> Vec<(&'static str, Tag)> {
        let mut tags: Vec<(&'static str, Tag)> = Vec::new();
        let registry = self.reach.registry;
        for (index, entry) in registry.entries() {
            let Some(resource) = &entry.resource else {
                continue;
            };
            let taken = |name: &str| tags.iter().any(|(_, tag)| tag.name == name);
            let name = match taken(resource.name) {
                true => format!("{} ({})", resource.name, entry.key),
                false => resource.name.to_owned(),
            };
            let described = DescribedResource {
                builder: self,
                index,
                entry,
                resource,
                tag: name.clone(),
            };
            if described.describe() {
                let description = resource.description.to_owned();
                tags.push((entry.key, Tag { name, description }));
            }
        }
        tags
    }

    /// Adds the referenced components: records of resources, and of their includes.
    fn schemas(&mut self) {
        let mut kinds: Vec<Kind> = Vec::new();
        let registry = self.reach.registry;
        for (source, entry) in registry.entries() {
            let name = entry.key;
            let routed = entry.resource.is_some() && self.reach.effective.is_routed(source);
            let own = routed.then_some(Kind { name, source });
            let all = own
                .into_iter()
                .chain(self.reach.reached(source).into_iter().filter(|_| routed));
            for kind in all {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        for kind in kinds {
            if let Some(entry) = registry.get(kind.source) {
                self.kind(kind, entry);
            }
        }
    }

    /// Adds a kind of object, and the record behind it.
    fn kind(&mut self, kind: Kind, entry: &Entry) {
        let members = entry.source.shape().members();
        let records = Records {
            entry,
            reach: self.reach,
            members,
        };
        let components = &mut self.document.components;
        let schemas = &mut components.schemas;
        schemas.insert(format!("{}.record", entry.key), records.record());
        schemas.insert(format!("{}.attributes", entry.key), records.attributes());
        schemas.insert(object_name(entry.key, kind.name), records.object(kind));
        let names = members.map(|_| records.fields());
        query::fields(kind.name, names, components);
    }

    /// Adds the routes of extensions; returns whether some have no resource.
    fn routes(&mut self, tags: &[(&'static str, Tag)]) -> bool {
        let mut others = false;
        let routes = self.reach.registry.routes().iter();
        for route in routes.filter(|route| !route.is_nested()) {
            let about = route.resource_key();
            let known = tags.iter().find(|(key, _)| Some(*key) == about);
            let name = known.map(|(_, tag)| tag.name.clone());
            others |= name.is_none();
            let name = name.unwrap_or_else(|| custom::OTHERS.to_owned());
            custom::describe(self, route, name);
        }
        others
    }
}
