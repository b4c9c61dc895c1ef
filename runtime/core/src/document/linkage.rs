//! Relationships of a JSON:API document, as the members of a body they stand for (jsonapi.org,
//! "Updating a Resource's Relationships").

use formwork_data::{
    column::Kind,
    error::{DocumentError, DocumentProblem, Error, Result},
    relations::{Link, OwnColumns, RelationInfo},
    value::Uuid,
};
use formwork_vocabulary::inflect::words;
use serde_json::{Map, Value as Json};

use crate::{
    input::{Input, place::escaped},
    registry::{Entry, Registry},
    rendering::Rendering,
    request::Attribute,
};

/// Requirements on a document.
pub(crate) struct Expected<'a> {
    /// The resource it is for.
    pub entry: &'a Entry,
    /// The targets of relations.
    pub registry: &'a Registry,
    /// The attributes it may have.
    pub attributes: &'static [Attribute],
    /// The id in the path, where a record is updated.
    pub id: Option<&'a str>,
    /// How the answer is written.
    pub rendering: Rendering,
}

/// An identifier of an object.
struct Identifier {
    kind: String,
    id: String,
}

/// The value of a relationship.
enum Linkage {
    One(Option<Identifier>),
    Many(Vec<Identifier>),
}

/// Adds to the members of a body what its relationships write: the columns of a to-one relation,
/// the ids of a many-to-many one. Unknown relationships are ignored, as unknown attributes are.
///
/// # Errors
/// 400 where a relationship is malformed, 403 where it is known and cannot be written. A link to
/// several records instead of one, to another type than documents show, or with an invalid id is
/// noted with the input: 400, 409, 422, if the caller may write it.
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
    /// The JSON pointer of the relationship.
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
                return Err(fault(DocumentProblem::Forbidden, &*self.pointer, message));
            }
        }
        Ok(())
    }

    /// The link of a to-one relation: the position of its target, and an id.
    fn one(&self, input: &mut Input, linkage: Linkage, field: &str) -> Option<(usize, Json)> {
        match linkage {
            Linkage::One(None) => None,
            Linkage::One(Some(identifier)) => {
                let Some(target) = self.target(&identifier.kind) else {
                    self.mistyped(input, field, "data", &identifier.kind);
                    return Some((usize::MAX, identifier.id.into()));
                };
                Some((target, self.id(input, field, target, identifier.id)))
            }
            Linkage::Many(_) => {
                self.misshapen(input, field, "one identifier, or null");
                None
            }
        }
    }

    /// A many-to-many relation: the ids of the rows it is to lead to.
    fn many(&self, input: &mut Input, linkage: Linkage) {
        let name = self.info.name;
        let Linkage::Many(identifiers) = linkage else {
            self.put(input, name, Json::Null);
            self.misshapen(input, name, "a list of identifiers");
            return;
        };
        let mut ids = Vec::with_capacity(identifiers.len());
        for (at, identifier) in identifiers.into_iter().enumerate() {
            match self.target(&identifier.kind) {
                Some(target) => ids.push(self.id(input, name, target, identifier.id)),
                None => {
                    self.mistyped(input, name, &format!("data/{at}"), &identifier.kind);
                    ids.push(identifier.id.into());
                }
            }
        }
        self.put(input, name, Json::Array(ids));
    }

    /// The position of the target whose objects have this type in documents.
    fn target(&self, kind: &str) -> Option<usize> {
        let mut targets = self.targets.iter();
        targets.position(|target| self.info.type_of(target.key) == kind)
    }

    /// Notes that an identifier names an object of another type than the relation leads to.
    fn mistyped(&self, input: &mut Input, field: &str, place: &str, kind: &str) {
        let known = self.targets.iter();
        let mut known: Vec<String> = known
            .map(|target| format!("`{}`", self.info.type_of(target.key)))
            .collect();
        known.dedup();
        let (name, known) = (self.info.name, known.join(" or "));
        let message = format!("The relationship `{name}` leads to {known}, not to `{kind}`.");
        let pointer = format!("{}/{place}/type", self.pointer);
        let fault = DocumentError::new(DocumentProblem::Conflict, pointer, message);
        input.mislink(field, fault);
    }

    /// Notes that a relation to one record has a list, or one to many has none.
    fn misshapen(&self, input: &mut Input, field: &str, must_be: &str) {
        let (name, pointer) = (self.info.name, format!("{}/data", self.pointer));
        let message = format!("The linkage of `{name}` must be {must_be}.");
        let fault = DocumentError::new(DocumentProblem::Malformed, pointer, message);
        input.mislink(field, fault);
    }

    /// An id as other bodies write it: integers as numbers. An id in another form than documents
    /// show is refused, although other bodies accept it as a number.
    fn id(&self, input: &mut Input, field: &str, target: usize, id: String) -> Json {
        let schema = self.targets.get(target).map(|entry| entry.source.schema());
        let column = schema.and_then(|schema| schema.column(schema.key));
        let (kind, text) = (column.map(|column| column.kind), id.trim());
        let counted = matches!(kind, Some(Kind::Integer | Kind::BigInt));
        let number = text.parse::<i64>().ok().filter(|_| counted);
        let uuid = Uuid::try_parse(text).ok();
        let shown = match (number, uuid.filter(|_| kind == Some(Kind::Uuid))) {
            (Some(number), _) => number.to_string(),
            (_, Some(uuid)) => uuid.to_string(),
            _ => text.to_owned(),
        };
        if shown != id || id.is_empty() {
            let label = words(field);
            let message = format!("The selected {label} is invalid.");
            input.refuse(field.to_owned(), message);
        }
        number.map_or_else(|| id.into(), Json::from)
    }

    fn put(&self, input: &mut Input, member: &str, value: Json) {
        input.put(member, value, format!("{}/data", self.pointer));
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

/// 400 at this pointer (RFC 6901).
pub(super) fn malformed(pointer: impl Into<String>, message: impl Into<String>) -> Error {
    fault(DocumentProblem::Malformed, pointer, message)
}

/// A fault of this kind at this pointer (RFC 6901).
pub(super) fn fault(
    problem: DocumentProblem,
    pointer: impl Into<String>,
    message: impl Into<String>,
) -> Error {
    Error::Document(DocumentError::new(problem, pointer, message))
}
