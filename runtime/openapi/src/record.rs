//! Records as clients see them, in both renderings.

use formwork_core::{registry::Entry, source::Resolved};
use formwork_data::shape::{Members, Shape, ShapeKind};

use super::{
    query::legal,
    reach::{Kind, Reach},
    request::{identifier, in_document},
    schema::Schema,
};

/// The description of a record whose transformer declares no shape.
const OPEN: &str = "Its attributes are not declared.";

/// The schema of a shape.
pub(super) fn shown(shape: &Shape) -> Schema {
    let schema = match &shape.kind {
        ShapeKind::Any => Schema::any(),
        ShapeKind::Scalar(kind) => Schema::shown(*kind),
        ShapeKind::Links => Schema::to("RecordLinks"),
        ShapeKind::List(items) => Schema::list(shown(items)),
        ShapeKind::Object(members) => {
            Schema::object(members.iter().map(|(name, shape)| (*name, shown(shape))))
        }
        ShapeKind::Map(values) => Schema {
            additional_properties: Some(Box::new(shown(values))),
            ..Schema::of("object")
        },
    };
    if shape.nullable {
        schema.or_null()
    } else {
        schema
    }
}

/// A registered entry, and the schema of its records.
pub(super) struct Records<'a> {
    pub entry: &'a Entry,
    pub reach: Reach<'a>,
    /// The members its transformer declares; `None` where it declares none.
    pub members: Option<&'a Members>,
}

/// The name of the schema of a kind of object in documents.
pub(super) fn object_name(key: &str, kind: &str) -> String {
    if key == kind {
        return format!("{key}.object");
    }
    format!("{key}.as.{}", legal(kind))
}

impl Records<'_> {
    fn members(&self) -> impl Iterator<Item = &(&'static str, Shape)> {
        self.members.into_iter().flatten()
    }

    fn has(&self, name: &str) -> bool {
        self.members().any(|(known, _)| *known == name)
    }

    /// The data rendering: the transformer's members, and included relations under their names.
    pub fn record(&self) -> Schema {
        let mut schema = Schema::of("object");
        // `id` is always written first.
        let (ids, others): (Vec<_>, Vec<_>) = self.members().partition(|(name, _)| *name == "id");
        for (name, shape) in ids.into_iter().chain(others) {
            schema.properties.insert((*name).into(), shown(shape));
        }
        for relation in self.reach.relations(self.entry) {
            let name = relation.info.name;
            let included = self.included(relation);
            let schema_of = match schema.properties.get(name) {
                // An attribute of its name gives way where it is included.
                Some(attribute) => Schema::any_of(vec![attribute.clone(), included]),
                None => included.described("The included relation."),
            };
            schema.properties.insert(name.into(), schema_of);
        }
        if self.members.is_none() {
            return schema.described(OPEN);
        }
        // A fieldset may leave out all others.
        let required = self.has("id").then_some("id");
        schema.with(required)
    }

    fn included(&self, relation: &Resolved) -> Schema {
        let targets = relation.targets.iter();
        let keys = targets.filter_map(|index| Some(self.reach.registry.get(*index)?.key));
        let one = Schema::any_of(
            keys.map(|key| Schema::to(&format!("{key}.record")))
                .collect(),
        );
        if relation.info.many {
            Schema::list(one)
        } else {
            one.or_null()
        }
    }

    /// The attributes of an object: everything but its identity and its links.
    pub fn attributes(&self) -> Schema {
        let key = self.entry.key;
        let members = self
            .members()
            .filter(|(name, _)| !matches!(*name, "id" | "links"));
        let schema =
            Schema::object(members.map(|(name, shape)| (in_document(key, name), shown(shape))));
        match self.members {
            Some(_) => schema,
            None => schema.described(OPEN),
        }
    }

    /// An object of a document, whose type is `kind` (jsonapi.org, "Resource Objects").
    pub fn object(&self, kind: Kind) -> Schema {
        let key = self.entry.key;
        let mut schema = Schema::object([
            ("type", Schema::constant(kind.name)),
            ("id", Schema::of("string")),
            ("attributes", Schema::to(&format!("{key}.attributes"))),
        ]);
        let relations = self.reach.relations(self.entry);
        let relationships = relations.map(|known| (known.info.name, self.relationship(known)));
        let relationships = Schema::object(relationships);
        let properties = &mut schema.properties;
        if !relationships.properties.is_empty() {
            let text = "The included records.";
            let relationships = relationships.described(text);
            properties.insert("relationships".into(), relationships);
        }
        properties.insert("links".into(), Schema::to("ObjectLinks"));
        schema.with(["type", "id", "attributes"])
    }

    fn relationship(&self, relation: &Resolved) -> Schema {
        let kinds = self.reach.kinds(relation);
        let one = Schema::any_of(kinds.iter().map(|kind| identifier(kind.name)).collect());
        let data = match relation.info.many {
            true => Schema::list(one),
            false => one.or_null(),
        };
        Schema::object([("data", data)]).with(["data"])
    }

    /// The names that `fields[…]` may list.
    pub fn fields(&self) -> Vec<String> {
        let mut names = vec!["id".to_owned()];
        let members = self.members().map(|(name, _)| (*name).to_owned());
        let renamed = self
            .has("type")
            .then(|| in_document(self.entry.key, "type"));
        let relations = self
            .reach
            .relations(self.entry)
            .map(|known| known.info.name.to_owned());
        for name in members.chain(renamed).chain(relations) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
