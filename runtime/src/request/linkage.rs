//! Relationships of a JSON:API document, as the members of a body they stand for (jsonapi.org,
//! "Updating a Resource's Relationships").

use axum::http::StatusCode;
use serde_json::{Map, Value as Json};

use super::{
    Input,
    document::{Expected, fault, malformed},
    place::escaped,
};
use crate::{
    column::Kind,
    error::Result,
    registry::Entry,
    relations::{Link, OwnColumns, RelationInfo},
};

/// An identifier of an object.
struct Identifier {
    kind: String,
    id: String,
}

/// What stands in a relationship.
enum Linkage {
    One(Option<Identifier>),
    Many(Vec<Identifier>),
}

/// Adds to the members of a body what its relationships write: the columns of a to-one relation,
/// the ids of a many-to-many one. Relationships nobody knows are ignored, as attributes are.
///
/// # Errors
/// 400 where a relationship is malformed, 403 where it is known and cannot be written. What links
/// to the wrong type is noted with the input, as a broken rule.
pub(super) fn write(
    input: &mut Input,
    relationships: Map<String, Json>,
    expected: &Expected<'_>,
) -> Result<()> {
    let relations = expected.entry.source.relations();
    for (name, relationship) in relationships {
        let pointer = format!("/data/relationships/{}", escaped(&name));
        let linkage = linkage(&pointer, relationship)?;
        let Some(relation) = relations.iter().find(|known| known.info.name == name) else {
            continue;
        };
        let targets = relation.targets.iter();
        let writing = Writing {
            info: relation.info,
            targets: targets
                .filter_map(|index| expected.registry.get(*index))
                .collect(),
            pointer,
        };
        writing.write(input, linkage)?;
    }
    Ok(())
}

struct Writing<'a> {
    info: &'a RelationInfo,
    targets: Vec<&'a Entry>,
    /// Where the relationship stands.
    pointer: String,
}

impl Writing<'_> {
    fn write(&self, input: &mut Input, linkage: Linkage) -> Result<()> {
        let by_key = matches!(self.info.link, Link::Key(None));
        match (self.info.own, &self.info.link) {
            (OwnColumns::One(column), _) if by_key => {
                let found = self.one(input, linkage, column);
                self.put(input, column, found.map_or(Json::Null, |(_, id)| id));
            }
            (OwnColumns::Morph { kind, id }, _) if by_key => {
                let found = self.one(input, linkage, id);
                let target = found
                    .as_ref()
                    .and_then(|(at, _)| self.info.targets.get(*at));
                let word = target.map_or(Json::Null, |target| target.morph.into());
                self.put(input, kind, word);
                self.put(input, id, found.map_or(Json::Null, |(_, id)| id));
            }
            (_, Link::Pivot(..)) if self.info.sync => self.many(input, linkage),
            _ => {
                let name = self.info.name;
                let message = format!("The relationship `{name}` cannot be written here.");
                return Err(fault(StatusCode::FORBIDDEN, &*self.pointer, message));
            }
        }
        Ok(())
    }

    /// What a to-one relation links to: the position of its target, and an id.
    fn one(&self, input: &mut Input, linkage: Linkage, field: &str) -> Option<(usize, Json)> {
        match linkage {
            Linkage::One(None) => None,
            Linkage::One(Some(identifier)) => {
                let Some(target) = self.target(&identifier.kind) else {
                    self.refuse(input, field.to_owned(), None);
                    return Some((usize::MAX, identifier.id.into()));
                };
                Some((target, self.id(target, identifier.id)))
            }
            Linkage::Many(_) => {
                self.refuse(input, field.to_owned(), Some("one identifier, or null"));
                None
            }
        }
    }

    /// A many-to-many relation: the ids of the rows it is to lead to.
    fn many(&self, input: &mut Input, linkage: Linkage) {
        let name = self.info.name;
        let Linkage::Many(identifiers) = linkage else {
            self.put(input, name, Json::Null);
            self.refuse(input, name.to_owned(), Some("a list of identifiers"));
            return;
        };
        let mut ids = Vec::with_capacity(identifiers.len());
        for (at, identifier) in identifiers.into_iter().enumerate() {
            match self.target(&identifier.kind) {
                Some(target) => ids.push(self.id(target, identifier.id)),
                None => {
                    ids.push(identifier.id.into());
                    self.refuse(input, format!("{name}.{at}"), None);
                }
            }
        }
        self.put(input, name, Json::Array(ids));
    }

    /// The position of the target whose objects have this type.
    fn target(&self, kind: &str) -> Option<usize> {
        let own = self.info.json_type == Some(kind) && !self.targets.is_empty();
        let keyed = self.targets.iter().position(|target| target.key == kind);
        keyed.or_else(|| own.then_some(0))
    }

    /// An id as other bodies write it: integers as numbers.
    fn id(&self, target: usize, id: String) -> Json {
        let number = || id.parse::<i64>().ok().map(Json::from);
        let schema = self.targets.get(target).map(|entry| entry.source.schema());
        let kind = schema.and_then(|schema| schema.column(schema.key));
        match kind.map(|column| column.kind) {
            Some(Kind::Integer | Kind::BigInt) => number().unwrap_or_else(|| id.into()),
            _ => id.into(),
        }
    }

    fn put(&self, input: &mut Input, member: &str, value: Json) {
        input.put(member, value, format!("{}/data", self.pointer));
    }

    /// Notes that a field has not the shape it must have, or names a record of the wrong type.
    fn refuse(&self, input: &mut Input, field: String, must_be: Option<&str>) {
        let words = field.replace('_', " ");
        let message = match must_be {
            Some(shape) => format!("The {words} field must be {shape}."),
            None => format!("The selected {words} is invalid."),
        };
        input.refuse(field, message);
    }
}

/// The linkage of a relationship.
fn linkage(pointer: &str, relationship: Json) -> Result<Linkage> {
    let Json::Object(mut members) = relationship else {
        return Err(malformed(pointer, "A relationship must be an object."));
    };
    let at = format!("{pointer}/data");
    match members.remove("data") {
        None => Err(malformed(
            pointer,
            "A relationship must have a member `data`.",
        )),
        Some(Json::Null) => Ok(Linkage::One(None)),
        Some(Json::Array(items)) => {
            let items = items.into_iter().enumerate();
            let identifiers = items.map(|(index, item)| identifier(&format!("{at}/{index}"), item));
            Ok(Linkage::Many(identifiers.collect::<Result<_>>()?))
        }
        Some(one) => Ok(Linkage::One(Some(identifier(&at, one)?))),
    }
}

fn identifier(pointer: &str, value: Json) -> Result<Identifier> {
    if let Json::Object(mut members) = value
        && let (Some(Json::String(kind)), Some(Json::String(id))) =
            (members.remove("type"), members.remove("id"))
    {
        return Ok(Identifier { kind, id });
    }
    let message = "An identifier is an object with the strings `type` and `id`.";
    Err(malformed(pointer, message))
}
