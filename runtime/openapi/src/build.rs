//! The document, part by part.

use formwork_core::{config::ApiConfig, registry::Entry};
use formwork_data::error::Result;

use super::{
    builder::Builder,
    common, custom,
    document::{Answer, Document, Info, Named, Server, Tag},
    errors, query,
    reach::Kind,
    record::{Records, object_name},
    resource::DescribedResource,
    schema::Schema,
    service,
    success::in_both_renderings,
    used,
};

impl Builder<'_> {
    /// The document.
    pub fn build(mut self) -> Result<Document> {
        self.shared();
        let tags = self.resources();
        self.schemas();
        let others = self.routes(&tags);
        service::tokens(&mut self);
        service::health(&mut self);
        let mut all: Vec<Tag> = tags.into_iter().map(|(_, tag)| tag).collect();
        let own = [service::TOKENS, service::HEALTH].into_iter();
        let own = others.then_some(custom::OTHERS).into_iter().chain(own);
        all.extend(own.map(|(name, description)| tag(name, description)));
        let mut document = Document {
            openapi: "3.1.1",
            info: info(self.api),
            servers: vec![Server {
                url: self.api.base_url.clone().unwrap_or_else(|| "/".to_owned()),
            }],
            tags: all,
            paths: self.paths,
            components: self.components,
        };
        used::prune(&mut document)?;
        Ok(document)
    }

    fn shared(&mut self) {
        let api = self.api;
        let content = || in_both_renderings(api, Schema::to("Error"), Schema::to("ErrorDocument"));
        self.components.schemas = common::schemas();
        self.components.responses = errors::components(api, &content);
        let unchanged = Answer {
            description: "The client has it already.".to_owned(),
            headers: errors::headers(api),
            content: Named::default(),
        };
        self.components
            .responses
            .insert("NotModified".into(), unchanged);
        self.components.parameters = common::parameters();
        self.components.headers = common::headers();
        let issued = self.prefixed("/token");
        self.components.security_schemes = common::security_schemes(&issued);
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
                tags.push((entry.key, tag(&name, resource.description)));
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
        let schemas = &mut self.components.schemas;
        schemas.insert(format!("{}.record", entry.key), records.record());
        schemas.insert(format!("{}.attributes", entry.key), records.attributes());
        schemas.insert(object_name(entry.key, kind.name), records.object(kind));
        let names = members.map(|_| records.fields());
        query::fields(kind.name, names, &mut self.components);
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
            let name = name.unwrap_or_else(|| custom::OTHERS.0.to_owned());
            custom::describe(self, route, name);
        }
        others
    }
}

fn tag(name: &str, description: &str) -> Tag {
    Tag {
        name: name.to_owned(),
        description: description.to_owned(),
    }
}

fn info(api: &ApiConfig) -> Info {
    Info {
        title: api.title.clone(),
        version: api.version.clone(),
        description: INTRODUCTION.to_owned(),
    }
}

const INTRODUCTION: &str = "\
Records come in two renderings: `application/json`, and JSON:API 1.1 as `application/vnd.api+json`.

Numbers may be sent as strings, booleans as `1` or `0`. Strings are trimmed. \
Unknown members and members the caller may not write are ignored. `HEAD` answers where `GET` does; \
another method at a known path is answered 405 with `Allow`.

Some parameters have several names, of which one is described. These mean the same: `page[number]` and `page`, \
`page[size]` and `pageLimit`, `filter[search]` and `search`, `filter[name]` and a filter `name`, \
`filter[name][eq]` and `filter[name]`; the key's column and `id`.";
