//! Bodies of store and update, from the rules of a request.

use formwork_core::{
    action::Allow,
    registry::{Entry, Resource},
    rendering::type_attribute,
    rendering::{JSON, JSON_API},
    request::{Attribute, Rule, type_name},
    source::Resolved,
};
use formwork_data::{
    model::Schema as Table,
    relations::{Link, OwnColumns},
};

use super::{
    document::{RequestBody, content},
    rule,
    schema::{Named, Schema, named},
    tree::Node,
};

/// How a body is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Store,
    /// `PUT`: required attributes must be sent.
    Put,
    /// `PATCH`: only the rules of sent attributes run.
    Patch,
}

/// The bodies of a resource.
pub(super) struct Bodies<'a> {
    pub entry: &'a Entry,
    pub resource: &'a Resource,
    /// The callers that may send it.
    pub allow: Allow,
    pub reading: Reading,
}

impl Bodies<'_> {
    /// The body in both media types: its name, and its parts.
    pub fn body(&self, name: &str) -> RequestBody {
        let flat = Schema::to(name);
        let document = Schema::to(&format!("{name}.document"));
        RequestBody {
            required: self.reading != Reading::Patch,
            content: content([(JSON, flat), (JSON_API, document)]),
        }
    }

    /// A flat object: what `application/json` carries.
    pub fn flat(&self) -> Schema {
        self.attributes(false)
    }

    /// A JSON:API document of one object (jsonapi.org, "Creating Resources", "Updating Resources").
    pub fn document(&self, id: Schema) -> Schema {
        let key = self.entry.key;
        let storing = self.reading == Reading::Store;
        let mut data: Named<Schema> = Named::default();
        data.insert("type".into(), Schema::constant(key));
        if !storing {
            data.insert("id".into(), id.described("The id in the path."));
        }
        let names = || Some(Box::new(Schema::to("FieldName")));
        let attributes = Schema {
            property_names: names(),
            ..self.attributes(true)
        };
        let demanded = !attributes.required.is_empty();
        data.insert("attributes".into(), attributes);
        let relationships = Schema {
            properties: self.relationships(),
            property_names: names(),
            // Unknown ones are ignored; they have to be relationships all the same.
            additional_properties: Some(Box::new(Schema::to("Relationship"))),
            ..Schema::of("object")
        };
        data.insert("relationships".into(), relationships);
        let mut required = vec!["type"];
        required.extend((!storing).then_some("id"));
        required.extend(demanded.then_some("attributes"));
        let data = Schema {
            properties: data,
            ..Schema::of("object")
        }
        .with(required);
        Schema::object([("data", data)]).with(["data"])
    }

    /// The attributes this action's callers may write.
    fn writable(&self) -> impl Iterator<Item = &'static Attribute> {
        let never_admin = matches!(self.allow, Allow::Customer | Allow::Guest);
        let attributes = self.resource.controller.attributes().iter();
        attributes.filter(move |attribute| !(never_admin && self.is_privileged(attribute)))
    }

    /// Whether only administrators write it: so it is with the owner, unless that is the key itself.
    fn is_privileged(&self, attribute: &Attribute) -> bool {
        let owner = self.entry.source.owner();
        let owner = owner.filter(|owner| *owner != self.entry.source.schema().key);
        attribute.is_admin_only() || owner == attribute.name().split('.').next()
    }

    fn attributes(&self, in_document: bool) -> Schema {
        let storing = self.reading == Reading::Store;
        let tree = Node::of(self.writable(), storing);
        let known = self.resource.controller.attributes();
        let name = match in_document {
            true => type_name(self.entry.key, known),
            false => "type".to_owned(),
        };
        let called = |member: &str| {
            if member == "type" {
                name.clone()
            } else {
                member.to_owned()
            }
        };
        let mut schema = Schema::of("object");
        for (member, node) in tree.named() {
            let privileged = self
                .writable()
                .any(|known| known.name() == member && self.is_privileged(known));
            schema
                .properties
                .insert(called(member), self.member(member, node, privileged));
            let free = !privileged || self.allow == Allow::Admin;
            let linked = in_document && self.is_linked(member);
            if node.is_demanded() && free && !linked && self.reading != Reading::Patch {
                schema.required.push(called(member));
            }
            if node.has(Rule::Confirmed) {
                let again = self
                    .member(member, node, privileged)
                    .described("The same value again.");
                schema
                    .properties
                    .insert(format!("{}_confirmation", called(member)), again);
            }
        }
        schema
    }

    /// A member of the body, and its members.
    fn member(&self, name: &str, node: &Node, privileged: bool) -> Schema {
        let table: &Table = self.entry.source.schema();
        let mut relations = self.entry.source.relations().iter();
        let is_list = relations.any(|known| known.info.sync && known.info.name == name);
        let mut schema = rule::schema(node, table.column(name), is_list, privileged);
        if self.reading == Reading::Store {
            let blank = self.entry.source.blank(name);
            schema.preset = node.default_value(blank.as_ref(), is_list);
        }
        inner(schema, node)
    }

    /// Whether a relationship of a document may write it instead.
    fn is_linked(&self, member: &str) -> bool {
        let relations = self.entry.source.relations().iter();
        relations
            .filter_map(written_by)
            .flatten()
            .any(|written| written == member)
    }

    /// The relationships that a document may write.
    fn relationships(&self) -> Named<Schema> {
        let writable = |member: &&str| self.writable().any(|known| known.name() == *member);
        let relations = self.entry.source.relations().iter();
        let written = relations
            .filter(|known| written_by(known).is_some_and(|members| members.iter().all(writable)));
        named(written.map(|known| (known.info.name, relationship(known))))
    }
}

/// The body of a route that is no resource's, by its rules.
pub(super) fn of_rules(attributes: &'static [Attribute]) -> Schema {
    let tree = Node::of(attributes.iter(), true);
    inner(Schema::of("object"), &tree)
}

/// Adds the members of a value to its schema.
fn inner(mut schema: Schema, node: &Node) -> Schema {
    if let Some(items) = node.items() {
        let list = schema.part("array");
        let known = list.items.take().map(|known| known.options);
        let mut items = inner(rule::schema(items, None, false, items.admin), items);
        if let Some(options) = known.filter(|options| !options.is_empty()) {
            items.choose(options);
        }
        list.items = Some(Box::new(items));
    }
    for (name, member) in node.named() {
        let object = schema.part("object");
        object.properties.insert(
            name.into(),
            inner(rule::schema(member, None, false, member.admin), member),
        );
        if member.is_demanded() {
            object.required.push(name.to_owned());
        }
    }
    schema
}

/// The members of a body that a relationship writes; `None` where it cannot be written.
fn written_by(relation: &Resolved) -> Option<Vec<&'static str>> {
    let info = relation.info;
    let by_key = matches!(info.link, Link::Key(None));
    match (info.own, &info.link) {
        (OwnColumns::One(column), _) if by_key => Some(vec![column]),
        (OwnColumns::Morph { kind, id }, _) if by_key => Some(vec![kind, id]),
        (_, Link::Pivot(..)) if info.sync => Some(vec![info.name]),
        _ => None,
    }
}

/// Identifiers of the targets of a relationship.
fn relationship(relation: &Resolved) -> Schema {
    let info = relation.info;
    let mut kinds: Vec<&str> = Vec::new();
    for target in &info.targets {
        let kind = info.type_of(target.key);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let linkage = Schema::any_of(kinds.into_iter().map(identifier).collect());
    let data = match info.many {
        true => Schema::list(linkage),
        false => linkage.or_null(),
    };
    Schema::object([("data", data)]).with(["data"])
}

/// An identifier of an object (jsonapi.org, "Resource Identifier Objects").
pub(super) fn identifier(kind: &str) -> Schema {
    let members = [
        ("type", Schema::constant(kind)),
        ("id", Schema::of("string")),
    ];
    Schema::object(members).with(["type", "id"])
}

/// The name of an attribute `type` in documents.
pub(super) fn in_document(key: &str, name: &str) -> String {
    match name {
        "type" => type_attribute(key),
        other => other.to_owned(),
    }
}
